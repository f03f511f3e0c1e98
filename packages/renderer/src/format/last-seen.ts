import { daysBetween } from './dates.ts';

/** How to show when a partner was last online. */
export type LastSeen =
  | { kind: 'now' | 'today' | 'yesterday' | 'earlier' }
  | { kind: 'minutes'; minutes: number };

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

/** Returns how to show a time in the past: in minutes within the last hour, then only its day. */
export function describeLastSeen(iso: string, now: Date): LastSeen {
  // The clocks of server and device may differ.
  const age = Math.max(0, now.getTime() - Date.parse(iso));
  if (age < HOUR) {
    const minutes = Math.floor(age / MINUTE);
    return minutes === 0 ? { kind: 'now' } : { kind: 'minutes', minutes };
  }
  const days = daysBetween(new Date(iso), now);
  return { kind: days === 0 ? 'today' : days === 1 ? 'yesterday' : 'earlier' };
}
