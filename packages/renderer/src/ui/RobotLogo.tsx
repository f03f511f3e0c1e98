import { classNames } from './class-names.ts';
import css from './RobotLogo.module.css';

/** The robot of the header, which also replaces a missing avatar. Decorative. */
export function RobotLogo({
  size = 40,
  className,
}: {
  size?: number;
  className?: string | undefined;
}) {
  return (
    <svg
      viewBox="0 0 64 64"
      width={size}
      height={size}
      className={classNames(css.robot, className)}
      aria-hidden="true"
    >
      <path className={css.line} d="M32 16V9" />
      <circle className={css.lamp} cx="32" cy="7.5" r="3.5" />
      <rect className={css.ownEar} x="4" y="26" width="8" height="16" rx="4" />
      <rect className={css.partnerEar} x="52" y="26" width="8" height="16" rx="4" />
      <rect className={css.head} x="9" y="15" width="46" height="38" rx="14" />
      <rect className={css.visor} x="16" y="24" width="32" height="15" rx="7.5" />
      <circle className={css.eye} cx="25.5" cy="31.5" r="3" />
      <circle className={css.eye} cx="38.5" cy="31.5" r="3" />
      <path className={css.mouth} d="M26.5 45.5c3.4 1.9 7.6 1.9 11 0" />
    </svg>
  );
}
