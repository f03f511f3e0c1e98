import type { NotificationSettings, QuietHours } from './schemas/notifications.schemas.ts';

/** How quiet it is: not, without sound, or without any notification. */
export type Quietness = 'off' | 'sound' | 'all';

/**
 * Returns how quiet a user wants it to be at a time, in milliseconds since 1970. Applies to push
 * messages as well as to sounds and notifications of an open page.
 */
export function quietnessAt(
  settings: Pick<NotificationSettings, 'quietHours' | 'pausedUntil'>,
  now: number,
): Quietness {
  const { quietHours, pausedUntil } = settings;
  if (pausedUntil !== null && Date.parse(pausedUntil) > now) return 'all';
  if (quietHours === null || !isWithinHours(quietHours, now)) return 'off';
  return quietHours.isOnlySound ? 'sound' : 'all';
}

/**
 * Returns whether a time is within quiet hours, which the change to or from
 * daylight saving time does not move. Hours that end when they start last all day.
 */
export function isWithinHours(hours: Omit<QuietHours, 'isOnlySound'>, now: number): boolean {
  const { from, to, timeZone } = hours;
  const time = timeOfDay(timeZone, now);
  return from < to ? from <= time && time < to : from <= time || time < to;
}

/** Returns whether this environment knows a time zone. */
export function isTimeZone(timeZone: string): boolean {
  try {
    return formatFor(timeZone) !== undefined;
  } catch {
    return false;
  }
}

/** Returns a time zone, or UTC if this environment does not know it, as no hour would be certain. */
export function knownTimeZone(timeZone: string): string {
  return isTimeZone(timeZone) ? timeZone : 'UTC';
}

/** Returns the local time as HH:MM. */
function timeOfDay(timeZone: string, now: number): string {
  return formatFor(knownTimeZone(timeZone)).format(now);
}

let last: { timeZone: string; format: Intl.DateTimeFormat } | undefined;

/** Returns the format of a time zone, and keeps the last one, as creating it is slow. */
function formatFor(timeZone: string): Intl.DateTimeFormat {
  if (last?.timeZone !== timeZone) {
    const format = new Intl.DateTimeFormat('en-GB', {
      timeZone,
      hour: '2-digit',
      minute: '2-digit',
      hourCycle: 'h23',
    });
    last = { timeZone, format };
  }
  return last.format;
}
