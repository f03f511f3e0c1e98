import { uptime } from 'node:os';
import { isCertainlyBehind } from './certainly-behind.ts';

const HOUR = 60 * 60 * 1000;

/** Milliseconds by which the clock may be put forward to be trusted at once. */
const JUMP_MAX = HOUR;
/** Milliseconds after which a clock that was put forward by more is trusted, unless it was again. */
const STEADY_AFTER = 24 * HOUR;

/** Whether what has expired by the clock of this machine may be deleted. */
export interface ClockTrust {
  /**
   * Returns false for a day after the clock was put forward by more than an hour: by a wrong time server, it would
   * delete what has not expired. Call it at least hourly.
   */
  readonly isTrusted: () => boolean;
}

/**
 * Creates the trust of a process, which trusts the clock at first. Calls a function when the clock is put forward.
 * @param readUptime returns the milliseconds since the machine was started, with its sleep. On macOS, it follows the
 * clock, so that every clock is trusted there.
 */
export function createClockTrust(
  onPutForward: (by: number) => void,
  readUptime = () => uptime() * 1_000,
): ClockTrust {
  let offset = Date.now() - readUptime();
  let trustedAt = -Infinity;
  return {
    isTrusted() {
      const now = readUptime();
      const before = offset;
      offset = Date.now() - now;
      const by = offset - before;
      // Such a clock is put right after the start of the machine.
      if (by > JUMP_MAX && !isCertainlyBehind(before + now)) {
        trustedAt = now + STEADY_AFTER;
        onPutForward(by);
      }
      return now >= trustedAt;
    },
  };
}
