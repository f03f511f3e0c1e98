import type { Socket } from 'node:net';
import { AppError } from '../errors/app-error.ts';

/** The minimum speed of an upload. */
export interface MinUploadRate {
  /** Extra time for every upload, in milliseconds, because connections may stall for a while. */
  readonly gracePeriod: number;
  /** Minimum average speed. */
  readonly bytesPerSecond: number;
}

/** Milliseconds between two checks. */
const CHECK_INTERVAL = 1_000;

/** Monitors the speed of one upload. */
export interface UploadRateMonitor {
  /** Aborted once the upload is too slow, with an {@link AppError} `too_slow` as the reason. */
  readonly signal: AbortSignal;
  /** Stops the monitor. Call it once the upload is complete or has failed. */
  readonly stop: () => void;
}

/** Monitors the speed of a connection, so that a slow upload cannot occupy an upload slot forever. */
export function monitorUploadRate(
  socket: Pick<Socket, 'bytesRead'>,
  { gracePeriod, bytesPerSecond }: MinUploadRate,
): UploadRateMonitor {
  const controller = new AbortController();
  const start = performance.now();
  const initialBytes = socket.bytesRead;
  const timer = setInterval(() => {
    const seconds = (performance.now() - start - gracePeriod) / 1000;
    if (socket.bytesRead - initialBytes >= seconds * bytesPerSecond) return;
    clearInterval(timer);
    controller.abort(new AppError('too_slow'));
  }, CHECK_INTERVAL);
  return { signal: controller.signal, stop: () => clearInterval(timer) };
}
