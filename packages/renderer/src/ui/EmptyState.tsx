import type { ReactNode, Ref } from 'react';
import css from './EmptyState.module.css';

interface EmptyStateProps {
  /** A drawing or a large icon. */
  illustration: ReactNode;
  title: string;
  /** Where the whole page is this state, its title is the page's heading. */
  isPage?: boolean;
  /** For moving the focus to the title. */
  titleRef?: Ref<HTMLHeadingElement>;
  text?: string;
  /** The next step to take. */
  action?: ReactNode;
  /** An error is announced when it appears. */
  role?: 'alert' | 'status';
}

/** What a screen shows where it has nothing to show, or could not load it. */
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
