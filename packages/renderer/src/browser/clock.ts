import { watchPageFocus } from './page-focused.ts';

const MINUTE_MS = 60_000;

/** The name of the time zone when a clock has last looked, such as `Europe/Berlin`. */
let zone = readZone();

/**
 * The device's clock and calendar, as screens show them. Both are read anew each time, so they are right whenever a
 * screen is rendered.
 */
export interface Clock {
  /** Returns the start of the current minute, in milliseconds since 1970. */
  readonly now: () => number;
  /** Returns a time of the current day: the same object until the day or the time zone changes. */
  readonly today: () => Date;
  /**
   * Calls the listener when the time may have changed: once a minute, and when the user returns or the device wakes up,
   * as the day, the clock or the time zone may then be another one. Returns an unsubscribe function.
   */
  readonly subscribe: (listener: () => void) => () => void;
}

/**
 * Creates the clock of a page. It needs timers and events only while it has listeners.
 * @param onResume calls a listener when the device wakes up; missing if the host does not know
 */
export function createClock(onResume?: (listener: () => void) => () => void): Clock {
  const listeners = new Set<() => void>();
  let today = new Date();
  let day = '';
  let stop: (() => void) | undefined;

  function notify(): void {
    zone = readZone();
    for (const listener of listeners) listener();
  }

  function start(): () => void {
    let timer: ReturnType<typeof setTimeout>;
    const scheduleNextMinute = (): void => {
      timer = setTimeout(
        () => {
          notify();
          scheduleNextMinute();
        },
        MINUTE_MS - (Date.now() % MINUTE_MS),
      );
    };
    scheduleNextMinute();
    const stopWatchingFocus = watchPageFocus(notify);
    const stopWatchingResume = onResume?.(notify);
    return () => {
      clearTimeout(timer);
      stopWatchingFocus();
      stopWatchingResume?.();
    };
  }

  return {
    now: () => Math.floor(Date.now() / MINUTE_MS) * MINUTE_MS,
    today: () => {
      const now = new Date();
      const current = `${now.toDateString()} ${timeZoneKey(now)}`;
      if (current !== day) {
        day = current;
        today = now;
      }
      return today;
    },
    subscribe: (listener) => {
      listeners.add(listener);
      stop ??= start();
      return () => {
        listeners.delete(listener);
        if (listeners.size > 0) return;
        stop?.();
        stop = undefined;
      };
    },
  };
}

/**
 * Returns a key that tells time zones apart by their offsets in winter and summer of a year at once, and by their names
 * as soon as a clock has looked again. Reading the name takes a hundred times as long.
 */
export function timeZoneKey(date: Date): string {
  const year = date.getFullYear();
  const offsets = [0, 6].map((month) => new Date(year, month, 1).getTimezoneOffset());
  return [zone, ...offsets].join(' ');
}

function readZone(): string {
  return new Intl.DateTimeFormat().resolvedOptions().timeZone;
}
