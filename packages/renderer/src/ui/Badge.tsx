import css from './Badge.module.css';

interface BadgeProps {
  count: number;
  /** Accessible text, such as `3 unread messages`. */
  label: string;
}

/** An unread badge. Hidden at 0, `99+` above 99. It is animated when the count changes. */
export function Badge({ count, label }: BadgeProps) {
  if (count <= 0) return null;
  return (
    <span key={count} className={css.badge}>
      <span aria-hidden="true">{count > 99 ? '99+' : count}</span>
      <span className="visually-hidden">{label}</span>
    </span>
  );
}
