import type { ReactNode, Ref } from 'react';
import css from './EmptyState.module.css';
import { RobotLogo, type RobotMood } from './RobotLogo.tsx';

interface EmptyStateProps {
  /** The mood of the robot above the title. */
  mood?: RobotMood;
  /** A drawing instead of the robot. */
  illustration?: ReactNode;
  title: string;
  /** Whether it fills the page, so that its title is the page's heading. */
  isPage?: boolean;
  /** Ref of the title, which makes it focusable. */
  titleRef?: Ref<HTMLHeadingElement>;
  text?: string;
  /** The suggested action. */
  action?: ReactNode;
  /** `alert` announces an error when it appears. */
  role?: 'alert' | 'status';
}

/** Replaces content that is empty or could not be loaded. */
export function EmptyState({
  mood = 'happy',
  illustration,
  title,
  isPage = false,
  titleRef,
  text,
  action,
  role,
}: EmptyStateProps) {
  const Title = isPage ? 'h1' : 'p';
  return (
    <div className={css.empty} role={role}>
      <span className={css.illustration} aria-hidden="true">
        {illustration ?? <RobotLogo size={72} mood={mood} />}
      </span>
      <Title ref={titleRef} tabIndex={titleRef ? -1 : undefined} className={css.title}>
        {title}
      </Title>
      {text !== undefined && <p className={css.text}>{text}</p>}
      {Boolean(action) && <div className={css.action}>{action}</div>}
    </div>
  );
}
