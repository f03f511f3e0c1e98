import type { Socket } from 'node:net';
import { AppError } from '../errors/app-error.ts';

/** How slow an upload may be. */
export interface UploadPace {
  /** Time that every upload has besides, in milliseconds: connections stall for a while. */
  readonly grace: number;
  /** What has to come in on average. */
  readonly bytesPerSecond: number;
}

/** Milliseconds between two looks. */
const LOOK_EVERY = 1_000;

/** Watches one upload. */
export interface PaceWatch {
  /** Aborted once the upload is too slow, with an {@link AppError} `too_slow` as the reason. */
  readonly signal: AbortSignal;
  /** Everything has come in, or nothing more will. */
  readonly stop: () => void;
}

/** Begins to watch what comes in over a connection: a trickle must not hold a place for ever. */
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
  }, LOOK_EVERY);
  return { signal: slow.signal, stop: () => clearInterval(timer) };
}
