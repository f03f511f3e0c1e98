import { LIMITS } from '@parley/contract';

/** Number of bars in a waveform. */
export const BAR_COUNT = 44;

/**
 * Returns the peaks of {@link BAR_COUNT} equal parts of a recording, scaled so that the highest one is 100.
 * `levels` are the loudness samples of the recording, from 0 to 1.
 */
export function computePeaks(levels: readonly number[]): number[] {
  const loudest = levels.reduce((highest, level) => Math.max(highest, level), 0);
  return Array.from({ length: BAR_COUNT }, (_, bar) => {
    const from = Math.floor((bar * levels.length) / BAR_COUNT);
    const to = Math.max(from + 1, Math.floor(((bar + 1) * levels.length) / BAR_COUNT));
    const peak = Math.max(0, ...levels.slice(from, to));
    return loudest === 0 ? 0 : Math.round((peak / loudest) * LIMITS.peakMax);
  });
}
