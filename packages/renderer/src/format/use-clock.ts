import { useSyncExternalStore } from 'react';
import { useApp } from '../app/app-context.ts';

/**
 * Returns a time of the current day. It is another object once the day or the time zone changes, so that all times and
 * days are formatted again.
 */
export function useToday(): Date {
  const { clock } = useApp();
  return useSyncExternalStore(clock.subscribe, clock.today);
}

/** Returns the start of the current minute, in milliseconds since 1970. */
export function useNow(): number {
  const { clock } = useApp();
  return useSyncExternalStore(clock.subscribe, clock.now);
}
