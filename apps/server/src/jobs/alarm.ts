import { setTimeout as sleep } from 'node:timers/promises';

/** A pause that can be ended early. */
export interface Alarm {
  /** Ends the current pause, or the next one if there is none. */
  ring(): void;
  /** Resolves after a time in milliseconds, or once the alarm rings or the signal is aborted. */
  wait(ms: number, signal: AbortSignal): Promise<void>;
}

/** Creates an alarm. */
export function createAlarm(): Alarm {
  let rung = new AbortController();
  return {
    ring: () => rung.abort(),
    async wait(ms, signal) {
      const options = { signal: AbortSignal.any([rung.signal, signal]), ref: false };
      // Rejects if it is ended early.
      await sleep(ms, undefined, options).catch(() => undefined);
      rung = new AbortController();
    },
  };
}
