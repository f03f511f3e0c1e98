import type { Context } from '../context.ts';
import { createAlarm } from '../jobs/alarm.ts';
import type { Job } from '../storage/cluster.ts';
import { watchClock } from '../scheduling/clock-watch.ts';
import { correctFutureTimes } from './future-times.ts';

/** Milliseconds between two corrections: the clock of another server may have been put back. */
const INTERVAL = 60 * 60 * 1000;

/** Creates the job that corrects stored times at the start, hourly, and once the clock was put back. */
export function createClockJob(ctx: Context): Job {
  return async (signal) => {
    const alarm = createAlarm();
    const stop = watchClock((by) => {
      ctx.log.warn({ seconds: Math.round(by / 1000) }, 'the clock of this machine was put back');
      alarm.ring();
    });
    while (!signal.aborted) {
      try {
        const times = await correctFutureTimes(ctx);
        if (times > 0) ctx.log.warn({ times }, 'corrected stored times that lay in the future');
        ctx.log.debug('finished checking stored times');
      } catch (error) {
        ctx.log.error({ err: error }, 'stored times could not be corrected');
      }
      await alarm.wait(INTERVAL, signal);
    }
    stop();
  };
}
