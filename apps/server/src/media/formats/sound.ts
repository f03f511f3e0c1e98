import { LIMITS } from '@parley/contract';
import { MalformedFile } from './byte-source.ts';

/** A whole and valid recording that is longer than any may be. */
export class TooLongRecording extends Error {
  override readonly name = 'TooLongRecording';
}

/** What a decoder has to produce in order to play a recording. */
export interface Sound {
  readonly durationMs: number;
  /** In hertz. */
  readonly sampleRate: number;
  readonly channels: number;
}

const SAMPLE_RATE_MIN = 8_000;
const SAMPLE_RATE_MAX = 96_000;
const CHANNELS_MAX = 2;

/**
 * Returns the duration of a recording that is cheap to play, in whole milliseconds.
 * @throws {MalformedFile} if there is no sound, or of a kind that no browser records.
 * @throws {TooLongRecording}
 */
export function boundedDuration({ durationMs, sampleRate, channels }: Sound): number {
  if (!(sampleRate >= SAMPLE_RATE_MIN && sampleRate <= SAMPLE_RATE_MAX)) {
    throw new MalformedFile('sample rate out of range');
  }
  if (!(channels >= 1 && channels <= CHANNELS_MAX)) throw new MalformedFile('too many channels');
  if (!(durationMs > 0)) throw new MalformedFile('no sound');
  const rounded = Math.max(1, Math.round(durationMs));
  assertNotTooLong(rounded);
  return rounded;
}

/**
 * Ends the reading of a recording as soon as it is known to be too long.
 * @throws {TooLongRecording}
 */
export function assertNotTooLong(durationMs: number): void {
  if (durationMs > LIMITS.audioDurationMax) throw new TooLongRecording('longer than two hours');
}
