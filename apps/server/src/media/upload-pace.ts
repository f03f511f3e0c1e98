import type { Socket } from 'node:net';
import { AppError } from '../errors/app-error.ts';

/** The minimum speed of an upload. */
export interface UploadPace {
  /** Extra time for every upload, in milliseconds, because connections may stall for a while. */
  readonly grace: number;
  /** Minimum average speed. */
  readonly bytesPerSecond: number;
}

/** Milliseconds between two checks. */
const CHECK_INTERVAL = 1_000;

/** Watches the speed of one upload. */
export interface PaceWatch {
  /** Aborted once the upload is too slow, with an {@link AppError} `too_slow` as the reason. */
  readonly signal: AbortSignal;
  /** Stops watching. Call it once the upload is complete or has failed. */
  readonly stop: () => void;
}

/** Watches the speed of a connection, so that a slow upload cannot occupy an upload slot forever. */
export function watchPace(
  socket: Pick<Socket, 'bytesRead'>,
  { grace, bytesPerSecond }: UploadPace,
): PaceWatch {
  const slow = new AbortController();
  const start = performance.now();
  const before = socket.bytesRead;
  const timer = setInterval(() => {
    const seconds = (performance.now() - start - grace) / 1000;
    if (socket.bytesRead - before >= seconds * bytesPerSecond) return;
    clearInterval(timer);
    slow.abort(new AppError('too_slow'));
  }, CHECK_INTERVAL);
  return { signal: slow.signal, stop: () => clearInterval(timer) };
}
