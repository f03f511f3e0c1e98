import { LIMITS } from '@parley/contract';
import { MalformedFileError } from './byte-source.ts';

/** Thrown for a valid recording that exceeds the maximum duration. */
export class TooLongRecording extends Error {
  override readonly name = 'TooLongRecording';
}

/** The properties of a recording's decoded audio. */
export interface AudioProperties {
  readonly durationMs: number;
  /** In hertz. */
  readonly sampleRate: number;
  readonly channels: number;
}

const SAMPLE_RATE_MIN = 8_000;
const SAMPLE_RATE_MAX = 96_000;
const CHANNELS_MAX = 2;

/**
 * Returns the duration of a recording in whole milliseconds, at least 1.
 * @throws {MalformedFileError} if it has no audio, or a sample rate or channel count that browsers do not record.
 * @throws {TooLongRecording}
 */
export function boundedDuration({ durationMs, sampleRate, channels }: AudioProperties): number {
  if (!(sampleRate >= SAMPLE_RATE_MIN && sampleRate <= SAMPLE_RATE_MAX)) {
    throw new MalformedFileError('sample rate out of range');
  }
  if (!(channels >= 1 && channels <= CHANNELS_MAX))
    throw new MalformedFileError('too many channels');
  if (!(durationMs > 0)) throw new MalformedFileError('no audio');
  const rounded = Math.max(1, Math.round(durationMs));
  assertNotTooLong(rounded);
  return rounded;
}

/**
 * Checks the duration of a recording, or of the part that was read so far.
 * @throws {TooLongRecording}
 */
export function assertNotTooLong(durationMs: number): void {
  if (durationMs > LIMITS.audioDurationMax) throw new TooLongRecording('longer than two hours');
}
