import type { Context } from '../context.ts';
import { createAlarm } from '../jobs/alarm.ts';
import type { Job } from '../storage/cluster.ts';
import { watchClock } from '../scheduling/clock-watch.ts';
import { correctFutureTimes } from './future-times.ts';

/** Milliseconds between two corrections: the clock of another server may have been put back. */
const INTERVAL = 60 * 60 * 1000;

/**
 * Milliseconds after a start, or after the clock was put back, until it is believed. A machine without a battery
 * starts with a clock that is behind until it has a connection.
 */
const STEADY_AFTER = 15 * 60 * 1000;

/**
 * Creates the job that corrects stored times at the start, hourly, and once the clock was put back; those that would
 * end something too early if the clock is behind, only once it is steady.
 */
export function createClockJob(ctx: Context): Job {
  return async (signal) => {
    const alarm = createAlarm();
    let steadyAt = performance.now() + STEADY_AFTER;
    const stop = watchClock((by) => {
      ctx.log.warn({ seconds: Math.round(by / 1000) }, 'the clock of this machine was put back');
      steadyAt = performance.now() + STEADY_AFTER;
      alarm.ring();
    });
    while (!signal.aborted) {
      const rest = steadyAt - performance.now();
      try {
        const times = await correctFutureTimes(ctx, rest <= 0);
        if (times > 0) ctx.log.warn({ times }, 'corrected stored times that lay in the future');
        ctx.log.debug('finished checking stored times');
      } catch (error) {
        ctx.log.error({ err: error }, 'stored times could not be corrected');
      }
      await alarm.wait(rest > 0 ? rest : INTERVAL, signal);
    }
    stop();
  };
}
