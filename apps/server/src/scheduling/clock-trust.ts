import { isCertainlyBehind } from './certainly-behind.ts';

const HOUR = 60 * 60 * 1000;

/** Milliseconds by which the clock may be put forward to be trusted at once. Machines sleep at night. */
const JUMP_MAX = 24 * HOUR;
/** Milliseconds after which a clock that was put forward by more is trusted, unless it was again. */
const STEADY_AFTER = 24 * HOUR;

/** Whether what has expired by the clock of this machine may be deleted. */
export interface ClockTrust {
  /**
   * Returns false for a day after the clock was put forward by more than one: by a wrong time server, it would
   * delete what has not expired. Call it at least hourly.
   */
  readonly isTrusted: () => boolean;
}

/** Creates the trust of a process, which trusts the clock at first. Calls a function when the clock is put forward. */
export function createClockTrust(onPutForward: (by: number) => void): ClockTrust {
  const readOffset = (): number => Date.now() - performance.now();
  let offset = readOffset();
  let trustedAt = -Infinity;
  return {
    isTrusted() {
      const now = performance.now();
      const before = offset;
      offset = readOffset();
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
