import css from './Badge.module.css';

interface BadgeProps {
  count: number;
  /** What is counted, for assistive technology: `3 unread messages`. */
  label: string;
}

/** How much is unread. Nothing at 0; `99+` above 99. It pops once when the count changes. */
export function Badge({ count, label }: BadgeProps) {
  if (count <= 0) return null;
  return (
    <span key={count} className={css.badge}>
      <span aria-hidden="true">{count > 99 ? '99+' : count}</span>
      <span className="visually-hidden">{label}</span>
    </span>
  );
}
