import { dayKey } from './dates.ts';

/** How to show when a partner was last online. */
export type LastSeen =
  | { kind: 'now' | 'today' | 'yesterday' | 'earlier' }
  | { kind: 'minutes'; minutes: number };

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

/**
 * Returns how to show a time in the past: in minutes within the last hour, then only its day. `next` is the number of
 * milliseconds until that changes.
 */
export function describeLastSeen(iso: string, now: Date): { shown: LastSeen; next: number } {
  // The clocks of server and device may differ.
  const age = Math.max(0, now.getTime() - Date.parse(iso));
  if (age < HOUR) {
    const minutes = Math.floor(age / MINUTE);
    const next = (minutes + 1) * MINUTE - age;
    return { shown: minutes === 0 ? { kind: 'now' } : { kind: 'minutes', minutes }, next };
  }
  const day = dayKey(iso);
  const next = startOfDay(now, 1).getTime() - now.getTime();
  if (day === dayKey(now.toISOString())) return { shown: { kind: 'today' }, next };
  const isYesterday = day === dayKey(startOfDay(now, -1).toISOString());
  return { shown: { kind: isYesterday ? 'yesterday' : 'earlier' }, next };
}

function startOfDay(date: Date, offset: number): Date {
  return new Date(date.getFullYear(), date.getMonth(), date.getDate() + offset);
}
