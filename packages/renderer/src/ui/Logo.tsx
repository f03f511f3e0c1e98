import { classNames } from './class-names.ts';
import css from './Logo.module.css';

interface LogoProps {
  /** Width and height in pixels. */
  size?: number;
  className?: string | undefined;
}

/** Parley's logo: two speech bubbles with a robot between them. Decorative. */
export function Logo({ size = 40, className }: LogoProps) {
  return (
    <svg
      viewBox="0 0 64 64"
      width={size}
      height={size}
      className={classNames(css.logo, className)}
      aria-hidden="true"
    >
      <path
        className={css.own}
        d="M16 8h12.5A2.5 2.5 0 0 1 31 10.5v35a2.5 2.5 0 0 1-2.5 2.5H17.2L5.3 57.5A2 2 0 0 1 2 56V22A14 14 0 0 1 16 8Z"
      />
      <path
        className={css.partner}
        d="M48 8H35.5a2.5 2.5 0 0 0-2.5 2.5v35a2.5 2.5 0 0 0 2.5 2.5h11.3l11.9 9.5A2 2 0 0 0 62 56V22A14 14 0 0 0 48 8Z"
      />
      <rect className={css.visor} x="11" y="18" width="42" height="20" rx="10" />
      <circle className={css.ownEye} cx="23" cy="28" r="4" />
      <circle className={css.partnerEye} cx="41" cy="28" r="4" />
    </svg>
  );
}
