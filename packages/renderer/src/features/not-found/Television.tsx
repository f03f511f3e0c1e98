import type { ReactNode } from 'react';
import css from './Television.module.css';

/** Parley's robot as a decorative old television, which shows its children on its visor. */
export function Television({ children }: { children: ReactNode }) {
  return (
    <div className={css.television}>
      <svg viewBox="0 0 440 376" aria-hidden="true">
        <path className={css.line} d="M208 80 156 22M232 80 284 22" />
        <circle className={css.ownLamp} cx="156" cy="22" r="16" />
        <circle className={css.partnerLamp} cx="284" cy="22" r="16" />
        <path className={css.line} d="m136 330-14 36M304 330l14 36" />
        <rect className={css.ownLamp} x="4" y="150" width="44" height="96" rx="22" />
        <rect className={css.partnerLamp} x="392" y="150" width="44" height="96" rx="22" />
        <rect className={css.head} x="30" y="70" width="380" height="270" rx="86" />
        <rect className={css.visor} x="66" y="106" width="308" height="162" rx="68" />
        <path className={css.mouth} d="M190 312c18-10 42-10 60 0" />
      </svg>
      <div className={css.picture}>
        <div className={css.noise} aria-hidden="true" />
        {children}
      </div>
    </div>
  );
}
