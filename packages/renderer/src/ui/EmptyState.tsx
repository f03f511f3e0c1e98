import type { ReactNode, Ref } from 'react';
import css from './EmptyState.module.css';

interface EmptyStateProps {
  /** A drawing or a large icon. */
  illustration: ReactNode;
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
        {illustration}
      </span>
      <Title ref={titleRef} tabIndex={titleRef ? -1 : undefined} className={css.title}>
        {title}
      </Title>
      {text !== undefined && <p className={css.text}>{text}</p>}
      {Boolean(action) && <div className={css.action}>{action}</div>}
    </div>
  );
}
