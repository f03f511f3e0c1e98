import { createFindings, type Finding } from './finding.ts';

const clock = createFindings('clock');

// Differences in milliseconds. Headers contain no fractions of seconds.
/** Difference from which times of messages look wrong. */
const NOTICEABLE = 10_000;
/** Difference from which keys, certificates and notifications are rejected. */
const HARMFUL = 5 * 60_000;

/** What to do about a clock that is wrong. */
export const CLOCK_ADVICE =
  "Synchronize the clocks of both machines: 'timedatectl set-ntp true', or with chrony.";

/** Compares the clock of this machine with that of another one, if that is known. */
export function checkClock(name: string, difference: number | undefined): Finding[] {
  if (difference === undefined) return [];
  if (Math.abs(difference) < NOTICEABLE) return [clock.ok(`agrees with that of ${name}`)];
  const text = describeDifference(name, difference);
  return [
    Math.abs(difference) < HARMFUL
      ? clock.warning(text, CLOCK_ADVICE)
      : clock.failed(text, CLOCK_ADVICE),
  ];
}

/** Returns whether clocks differ so much that certificates may seem to be invalid. */
export function isClockWrong(difference: number | undefined): difference is number {
  return difference !== undefined && Math.abs(difference) >= HARMFUL;
}

/** Describes a difference as a sentence with the time of this machine. */
export function describeDifference(name: string, difference: number): string {
  const seconds = Math.round(Math.abs(difference) / 1000);
  const amount = seconds < 600 ? `${seconds} s` : `${Math.round(seconds / 60)} minutes`;
  const order = difference > 0 ? 'behind' : 'ahead of';
  return `The clock of this machine (${new Date().toISOString()}) is ${amount} ${order} that of ${name}.`;
}
