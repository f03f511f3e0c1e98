import css from './BackgroundShapes.module.css';

/** The two colors of Parley's logo as a decorative page background, which meet behind the card. */
export function BackgroundShapes() {
  return (
    <svg viewBox="0 0 100 100" preserveAspectRatio="none" className={css.shapes} aria-hidden="true">
      <defs>
        <linearGradient id="own-voice" x1="0.6" y1="1" x2="0.2" y2="0">
          <stop offset="0" className={css.ownNear} />
          <stop offset="1" className={css.ownFar} />
        </linearGradient>
        <linearGradient id="partner-voice" x1="0.4" y1="0" x2="0.8" y2="1">
          <stop offset="0" className={css.partnerNear} />
          <stop offset="1" className={css.partnerFar} />
        </linearGradient>
      </defs>
      {/* Below the other, so that no gap is between them at any size. */}
      <path fill="url(#partner-voice)" d="M0 0h100v100H0Z" />
      <path fill="url(#own-voice)" d="M0 0h100v14C86 44 64 42 50 50S14 56 0 86Z" />
    </svg>
  );
}
