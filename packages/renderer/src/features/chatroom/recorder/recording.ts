import { LIMITS } from '@parley/contract';
import { openLoudnessMeter } from './level-meter.ts';
import { startRecordingClock } from './recording-clock.ts';
import { chooseFormat, type RecordingFormat } from './recording-format.ts';
import { watchInterruptions, type Interruption } from './watch-interruptions.ts';

/** Why a recording failed. */
export type RecordingFailure = 'unsupported' | 'denied' | 'no-device' | 'missing' | 'empty';

/** Thrown if a recording fails. */
export class RecordingError extends Error {
  readonly failure: RecordingFailure;

  constructor(failure: RecordingFailure) {
    super(failure);
    this.name = 'RecordingError';
    this.failure = failure;
  }
}

/** A finished recording. */
export interface Recorded {
  blob: Blob;
  /** File name with the extension of its format. */
  fileName: string;
}

/** A recording in progress. */
export interface Recording {
  /** Returns the current loudness, 0 to 1; undefined if it cannot be measured. */
  level: () => number | undefined;
  isPaused: () => boolean;
  /** Returns the recorded time without pauses, in milliseconds. */
  elapsed: () => number;
  pause: () => void;
  /** Returns whether the recording goes on. It does not while the microphone is silenced. */
  resume: () => boolean;
  /** Resolves to the data recorded so far, while paused. May be empty. */
  preview: () => Promise<Blob>;
  /** Finishes the recording. Rejects with a `RecordingError` if it is empty. */
  stop: () => Promise<Recorded>;
  /** Stops recording and releases the microphone. */
  discard: () => void;
}

/** Bits per second. Speech is clear, and 10 MiB are enough for 29 minutes. */
const BIT_RATE = 48_000;
/** Maximum duration in seconds, with a margin below the server's size limit. */
export const MAX_SECONDS = Math.floor(((LIMITS.audioBytesMax * 8) / BIT_RATE) * 0.85);

/** How long a recorder that has failed may take to deliver its data, in milliseconds. */
const FLUSH_MAX = 1_000;

/**
 * Opens the microphone and starts recording. Rejects with a `RecordingError`. Calls `onInterruption` when the browser
 * stops recording by itself, after which the recording is paused or can only be stopped.
 */
export async function startRecording(
  onInterruption: (interruption: Interruption) => void,
): Promise<Recording> {
  const { mediaDevices }: { mediaDevices?: MediaDevices } = navigator;
  if (!mediaDevices || typeof MediaRecorder !== 'function') throw new RecordingError('unsupported');
  const format = chooseFormat((type) => MediaRecorder.isTypeSupported(type));
  if (!format) throw new RecordingError('unsupported');
  const stream = await openMicrophone(mediaDevices);
  try {
    return record(stream, format, onInterruption);
  } catch {
    release(stream);
    throw new RecordingError('unsupported');
  }
}

async function openMicrophone(devices: MediaDevices): Promise<MediaStream> {
  try {
    return await devices.getUserMedia({
      audio: { echoCancellation: true, noiseSuppression: true, autoGainControl: true },
    });
  } catch (error) {
    const name = error instanceof DOMException ? error.name : '';
    if (name === 'NotAllowedError' || name === 'SecurityError') throw new RecordingError('denied');
    if (name === 'NotFoundError' || name === 'OverconstrainedError') {
      throw new RecordingError('no-device');
    }
    throw new RecordingError('unsupported');
  }
}

function record(
  stream: MediaStream,
  { mimeType, extension }: RecordingFormat,
  onInterruption: (interruption: Interruption) => void,
): Recording {
  const recorder = new MediaRecorder(stream, { mimeType, audioBitsPerSecond: BIT_RATE });
  const chunks: Blob[] = [];
  recorder.addEventListener('dataavailable', ({ data }) => {
    chunks.push(data);
  });
  // A recorder stops by itself when the microphone is gone. Its last data comes before this event.
  const stopped = new Promise<void>((resolve) => {
    recorder.addEventListener('stop', () => resolve());
    recorder.addEventListener('error', () => setTimeout(resolve, FLUSH_MAX));
  });
  recorder.start(1_000);
  const clock = startRecordingClock();
  const watch = watchInterruptions({ stream, recorder, clock, onInterruption });
  const meter = openLoudnessMeter(stream);
  // Omits the codec, because some players fail if a blob's type contains one.
  const [type = mimeType] = mimeType.split(';');
  const stopRecorder = (): void => {
    watch.end();
    clock.pause();
    if (recorder.state !== 'inactive') recorder.stop();
  };
  const close = (): void => {
    meter.close();
    release(stream);
  };

  return {
    level: meter.level,
    isPaused: () => recorder.state === 'paused',
    elapsed: clock.elapsed,
    pause: watch.pause,
    resume: watch.resume,
    preview: async () => {
      const flushed = new Promise((resolve) => {
        recorder.addEventListener('dataavailable', resolve, { once: true });
      });
      recorder.requestData();
      await flushed;
      return new Blob(chunks, { type });
    },
    stop: async () => {
      stopRecorder();
      await stopped;
      close();
      if (chunks.length === 0) throw new RecordingError('missing');
      const blob = new Blob(chunks, { type });
      if (blob.size === 0) throw new RecordingError('empty');
      return { blob, fileName: `recording.${extension}` };
    },
    discard: () => {
      stopRecorder();
      close();
    },
  };
}

function release(stream: MediaStream): void {
  for (const track of stream.getTracks()) track.stop();
}
