import css from './BackgroundShapes.module.css';

/** The two speech bubbles of Parley's logo as a decorative page background. The card covers the robot's face. */
export function BackgroundShapes() {
  return (
    <svg viewBox="0 0 64 64" className={css.shapes} aria-hidden="true">
      <defs>
        <linearGradient id="own-voice" x1="1" y1="0" x2="0" y2="1">
          <stop offset="0" className={css.ownNear} />
          <stop offset="1" className={css.ownFar} />
        </linearGradient>
        <linearGradient id="partner-voice" x1="0" y1="0" x2="1" y2="1">
          <stop offset="0" className={css.partnerNear} />
          <stop offset="1" className={css.partnerFar} />
        </linearGradient>
      </defs>
      <path
        fill="url(#own-voice)"
        d="M16 8h14a1.2 1.2 0 0 1 1.2 1.2v37.6A1.2 1.2 0 0 1 30 48H17.2L5.3 57.5A2 2 0 0 1 2 56V22A14 14 0 0 1 16 8Z"
      />
      <path
        fill="url(#partner-voice)"
        d="M48 8H34a1.2 1.2 0 0 0-1.2 1.2v37.6A1.2 1.2 0 0 0 34 48h12.8l11.9 9.5A2 2 0 0 0 62 56V22A14 14 0 0 0 48 8Z"
      />
    </svg>
  );
}
