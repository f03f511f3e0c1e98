/** A day in the local time zone as `YYYY-MM-DD`, so that days compare like their dates. */
export type Day = string;

/** The first day that a calendar shows. No message is older. */
export const FIRST_DAY: Day = '1970-01-01';

/** Regions in which weeks begin on Sunday, for browsers that do not know it. */
const SUNDAY_REGIONS =
  'AG AS AU BD BR BS BT BW BZ CA CO DM DO ET GT GU HK HN ID IL IN JM JP KE KH KR LA MH MM MO MX MZ NI NP PA PE PH ' +
  'PK PR PY SA SG SV TH TT TW UM US VE VI WS YE ZA ZW';

/** Returns the day of a time in the local time zone. */
export function dayOf(time: Date): Day {
  const pad = (value: number, length: number): string => String(value).padStart(length, '0');
  return `${pad(time.getFullYear(), 4)}-${pad(time.getMonth() + 1, 2)}-${pad(time.getDate(), 2)}`;
}

/** Returns when a day begins in the local time zone. */
export function startOfDay(day: Day): Date {
  const { year, month, date } = partsOf(day);
  return new Date(year, month, date);
}

/** Returns the day a number of days later, or earlier. */
export function addDays(day: Day, count: number): Day {
  const { year, month, date } = partsOf(day);
  // At noon, as some days begin at one o'clock.
  return dayOf(new Date(year, month, date + count, 12));
}

/** Returns the same day of another month, or its last one if it is shorter. */
export function addMonths(day: Day, count: number): Day {
  const { year, month, date } = partsOf(day);
  const last = new Date(year, month + count + 1, 0, 12).getDate();
  return dayOf(new Date(year, month + count, Math.min(date, last), 12));
}

/** Returns the day, or the nearest one of the range. */
export function clampDay(day: Day, first: Day, last: Day): Day {
  if (day < first) return first;
  return day > last ? last : day;
}

/** Returns whether two days are in the same month. */
export function isSameMonth(a: Day, b: Day): boolean {
  return a.slice(0, 7) === b.slice(0, 7);
}

/**
 * Returns the weeks of the month that contains a day, with the days of other months in the first and the last one.
 * @param firstWeekday the weekday with which weeks begin, 0 for Sunday
 */
export function weeksOf(day: Day, firstWeekday: number): Day[][] {
  const { year, month } = partsOf(day);
  const first = dayOf(new Date(year, month, 1, 12));
  const length = new Date(year, month + 1, 0, 12).getDate();
  const before = daysSince(firstWeekday, first);
  return Array.from({ length: Math.ceil((before + length) / 7) }, (_week, week) =>
    Array.from({ length: 7 }, (_day, index) => addDays(first, week * 7 + index - before)),
  );
}

/** Returns how many days before a day the last day on a weekday was. */
export function daysSince(weekday: number, day: Day): number {
  return (startOfDay(day).getDay() - weekday + 7) % 7;
}

/** Returns the weekday with which weeks begin in a locale, 0 for Sunday. */
export function findFirstWeekday(locale: string): number {
  const found: Intl.Locale & WeekInfoSource = new Intl.Locale(locale);
  const info = found.getWeekInfo?.() ?? found.weekInfo;
  if (info) return info.firstDay % 7;
  return SUNDAY_REGIONS.includes(found.maximize().region ?? '-') ? 0 : 1;
}

/** What engines know about weeks. Safari had it as a property first, and Firefox has neither. */
interface WeekInfoSource {
  getWeekInfo?: () => { firstDay: number };
  weekInfo?: { firstDay: number };
}

function partsOf(day: Day): { year: number; month: number; date: number } {
  const [year = 0, month = 1, date = 1] = day.split('-').map(Number);
  return { year, month: month - 1, date };
}
