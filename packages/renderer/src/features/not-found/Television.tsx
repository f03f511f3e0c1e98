import type { ReactNode } from 'react';
import css from './Television.module.css';

/** A decorative old television that shows its children. */
export function Television({ children }: { children: ReactNode }) {
  return (
    <div className={css.television}>
      <svg viewBox="0 0 440 360" aria-hidden="true">
        <path className={css.antenna} d="M210 70 150 12M230 70 296 6" />
        <circle className={css.ownTip} cx="150" cy="12" r="8" />
        <circle className={css.partnerTip} cx="296" cy="6" r="6" />
        <path className={css.foot} d="M176 70a44 26 0 0 1 88 0Z" />
        <path className={css.leg} d="m104 320-16 34M336 320l16 34" />
        <rect className={css.case} x="16" y="66" width="408" height="264" rx="40" />
        <rect className={css.frame} x="40" y="90" width="292" height="216" rx="34" />
        <rect className={css.tube} x="50" y="100" width="272" height="196" rx="26" />
        <path className={css.gleam} d="M66 150c0-22 12-34 34-34h46" />
        <circle className={css.knob} cx="378" cy="132" r="22" />
        <path className={css.mark} d="M378 132 390 120" />
        <circle className={css.knob} cx="378" cy="192" r="22" />
        <path className={css.mark} d="M378 192 366 180" />
        <path className={css.speaker} d="M358 240h40M358 256h40M358 272h40M358 288h40" />
      </svg>
      <div className={css.picture}>
        <div className={css.noise} aria-hidden="true" />
        {children}
      </div>
    </div>
  );
}
