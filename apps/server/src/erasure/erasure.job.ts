import type { Context } from '../context.ts';
import { createAlarm } from '../jobs/alarm.ts';
import type { Job } from '../storage/cluster.ts';
import { eraseQueued } from './eraser.ts';

/** Milliseconds between two periodic runs. */
const RUN_INTERVAL = 60_000;

/**
 * Creates the job that erases what the queue contains, such as data of deleted accounts and files
 * of deleted uploads: at the start, whenever an erasure is queued, and every minute. Each run also
 * truncates the database's write-ahead log, which until then contains deleted texts and the
 * previous versions of edited ones.
 */
export function createErasureJob(ctx: Context): Job {
  async function run(signal: AbortSignal): Promise<void> {
    try {
      await eraseQueued(ctx, signal);
      if (!(await ctx.maintenance.truncateWriteAheadLog())) {
        ctx.log.debug('the write-ahead log is in use and will be truncated later');
      }
    } catch (error) {
      ctx.log.error({ err: error }, 'failed to erase deleted data, will retry');
    }
  }

  return async (signal) => {
    const alarm = createAlarm();
    const unsubscribe = ctx.events.subscribe((event) => {
      if (event.type === 'erasure-queued') alarm.ring();
    });
    while (!signal.aborted) {
      await run(signal);
      await alarm.wait(RUN_INTERVAL, signal);
    }
    unsubscribe();
  };
}
