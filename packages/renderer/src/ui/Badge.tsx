import { classNames } from './class-names.ts';
import css from './Badge.module.css';

interface BadgeProps {
  count: number;
  /** Accessible text, such as `3 unread messages`. */
  label: string;
  /** Whether it must not draw attention, as that of a muted chat. */
  isQuiet?: boolean;
}

/** An unread badge. Hidden at 0, `99+` above 99. It is animated when the count changes. */
export function Badge({ count, label, isQuiet = false }: BadgeProps) {
  if (count <= 0) return null;
  return (
    <span key={count} className={css.badge} data-quiet={isQuiet || undefined}>
      <span aria-hidden="true">{count > 99 ? '99+' : count}</span>
      <span className="visually-hidden">{label}</span>
    </span>
  );
}

/** A badge without a count: the user has marked something as unread. */
export function DotBadge({ label, isQuiet = false }: Omit<BadgeProps, 'count'>) {
  return (
    <span className={classNames(css.badge, css.dot)} data-quiet={isQuiet || undefined}>
      <span className="visually-hidden">{label}</span>
    </span>
  );
}
