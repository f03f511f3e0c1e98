/** A clock before this time is certainly behind, as one without a battery is after its start. */
const EARLIEST = Date.UTC(2026, 0);

/** Returns whether the clock of the machine is certainly behind. Takes its time in UTC milliseconds. */
export function isCertainlyBehind(now: number): boolean {
  return now < EARLIEST;
}
