import type { Platform } from '../platform.ts';
import type { ClientTiming } from '../timing.ts';

/** Fetches changes at intervals while there is no live connection. */
export interface Polling {
  /** Starts, unless it is running. */
  start: () => void;
  /** Fetches now, if it is running. */
  pollNow: () => void;
  /** Stops until the next start. */
  stop: () => void;
}

interface PollingDeps {
  platform: Pick<Platform, 'watchUse'>;
  /** Fetches the changes. Rejects if that fails. */
  poll: () => Promise<void>;
  timing: Pick<ClientTiming, 'pollMin' | 'pollMax'>;
}

/**
 * Creates a poller. It fetches at the shortest interval while the user uses the app, and at once when the user returns.
 * Otherwise the intervals double.
 */
export function createPolling({ platform, poll, timing }: PollingDeps): Polling {
  const { pollMin, pollMax } = timing;
  let isInUse = false;
  /** Stops watching the user. Undefined while stopped. */
  let unwatch: (() => void) | undefined;
  let isPolling = false;
  let delay = pollMin;
  let timer: ReturnType<typeof setTimeout> | undefined;

  function schedule(ms: number): void {
    clearTimeout(timer);
    timer = setTimeout(() => void run(), ms);
  }

  async function run(): Promise<void> {
    isPolling = true;
    await poll().catch(() => undefined);
    isPolling = false;
    delay = isInUse ? pollMin : Math.min(delay * 2, pollMax);
    if (unwatch) schedule(delay);
  }

  function pollNow(): void {
    if (!unwatch) return;
    delay = pollMin;
    if (!isPolling) schedule(0);
  }

  function handleUse(isNowInUse: boolean): void {
    const hasReturned = isNowInUse && !isInUse;
    isInUse = isNowInUse;
    if (hasReturned && delay !== pollMin) pollNow();
  }

  return {
    start: () => {
      if (unwatch) return;
      delay = pollMin;
      unwatch = platform.watchUse(handleUse);
      if (!isPolling) schedule(delay);
    },
    pollNow,
    stop: () => {
      unwatch?.();
      unwatch = undefined;
      clearTimeout(timer);
    },
  };
}
