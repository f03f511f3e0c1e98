import { LIMITS } from '@parley/contract';
import { chooseFormat, type RecordingFormat } from './recording-format.ts';

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
  /** Returns the current loudness, 0 to 1. */
  level: () => number;
  isPaused: () => boolean;
  /** Returns the recorded time without pauses, in milliseconds. */
  elapsed: () => number;
  pause: () => void;
  resume: () => void;
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

/** Opens the microphone and starts recording. Rejects with a `RecordingError`. */
export async function startRecording(): Promise<Recording> {
  const { mediaDevices }: { mediaDevices?: MediaDevices } = navigator;
  if (!mediaDevices || typeof MediaRecorder !== 'function') throw new RecordingError('unsupported');
  const format = chooseFormat((type) => MediaRecorder.isTypeSupported(type));
  if (!format) throw new RecordingError('unsupported');
  const stream = await openMicrophone(mediaDevices);
  try {
    return record(stream, format);
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

function record(stream: MediaStream, { mimeType, extension }: RecordingFormat): Recording {
  const recorder = new MediaRecorder(stream, { mimeType, audioBitsPerSecond: BIT_RATE });
  const chunks: Blob[] = [];
  recorder.addEventListener('dataavailable', ({ data }) => {
    chunks.push(data);
  });
  const meter = openMeter(stream);
  const close = (): void => {
    meter.close();
    release(stream);
  };
  // Omits the codec, because some players fail if a blob's type contains one.
  const [type = mimeType] = mimeType.split(';');
  const clock = startClock();
  recorder.start(1_000);

  return {
    level: meter.level,
    isPaused: () => recorder.state === 'paused',
    elapsed: clock.elapsed,
    pause: () => {
      recorder.pause();
      clock.pause();
    },
    resume: () => {
      recorder.resume();
      clock.resume();
    },
    preview: async () => {
      const flushed = new Promise((resolve) => {
        recorder.addEventListener('dataavailable', resolve, { once: true });
      });
      recorder.requestData();
      await flushed;
      return new Blob(chunks, { type });
    },
    stop: async () => {
      if (recorder.state !== 'inactive') {
        const stopped = new Promise((resolve) => {
          recorder.addEventListener('stop', resolve, { once: true });
        });
        recorder.stop();
        await stopped;
      }
      clock.pause();
      close();
      if (chunks.length === 0) throw new RecordingError('missing');
      const blob = new Blob(chunks, { type });
      if (blob.size === 0) throw new RecordingError('empty');
      return { blob, fileName: `recording.${extension}` };
    },
    discard: () => {
      if (recorder.state !== 'inactive') recorder.stop();
      close();
    },
  };
}

/** Starts a stopwatch in milliseconds. */
function startClock() {
  let before = 0;
  let since: number | undefined = performance.now();
  const elapsed = (): number => before + (since === undefined ? 0 : performance.now() - since);
  return {
    elapsed,
    pause: () => {
      before = elapsed();
      since = undefined;
    },
    resume: () => {
      since ??= performance.now();
    },
  };
}

function openMeter(stream: MediaStream): { level: () => number; close: () => void } {
  const context = new AudioContext();
  const analyser = context.createAnalyser();
  analyser.fftSize = 512;
  context.createMediaStreamSource(stream).connect(analyser);
  const samples = new Float32Array(analyser.fftSize);
  return {
    level: () => {
      analyser.getFloatTimeDomainData(samples);
      const power = samples.reduce((sum, sample) => sum + sample * sample, 0) / samples.length;
      // Speech rarely reaches full scale, so the square root expands the lower range.
      return Math.min(1, Math.sqrt(Math.sqrt(power)) * 1.6);
    },
    close: () => void context.close(),
  };
}

function release(stream: MediaStream): void {
  for (const track of stream.getTracks()) track.stop();
}
