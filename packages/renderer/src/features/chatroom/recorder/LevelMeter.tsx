import css from './LevelMeter.module.css';

const BARS = 48;

/** A meter of the latest loudness levels, 0 to 1, with the newest at the end. */
export function LevelMeter({ levels }: { levels: readonly number[] }) {
  const emptyBars = Math.max(0, BARS - levels.length);
  return (
    <span className={css.meter} aria-hidden="true">
      {Array.from({ length: BARS }, (_, index) => levels[index - emptyBars] ?? 0).map(
        (level, index) => (
          <span key={`${index / BARS}`} style={{ height: `${Math.max(6, level * 100)}%` }} />
        ),
      )}
    </span>
  );
}
