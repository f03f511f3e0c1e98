import type { Context } from '../context.ts';
import type { Job } from '../storage/cluster.ts';
import { createAlarm } from './alarm.ts';

/**
 * Creates a job that runs a task immediately and then again after each interval in milliseconds.
 */
export function createRepeatedJob(
  task: (signal: AbortSignal) => Promise<void>,
  interval: number,
): Job {
  return async (signal) => {
    const alarm = createAlarm();
    while (!signal.aborted) {
      await task(signal);
      await alarm.wait(interval, signal);
    }
  };
}

/**
 * Creates a job that deletes what has expired, immediately and then again after each interval in milliseconds, while
 * the clock is trusted.
 */
export function createExpiryJob(
  { clock }: Pick<Context, 'clock'>,
  task: (signal: AbortSignal) => Promise<void>,
  interval: number,
): Job {
  return createRepeatedJob(async (signal) => {
    if (clock.isTrusted()) await task(signal);
  }, interval);
}
