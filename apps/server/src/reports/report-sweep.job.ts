import type { Context } from '../context.ts';
import { createExpiryJob } from '../jobs/repeat.ts';
import type { Job } from '../storage/cluster.ts';
import { eraseEndedReports } from './report.service.ts';

/** Milliseconds between two sweeps. */
const SWEEP_INTERVAL = 60 * 60 * 1000;

/** Creates the job that hourly erases reports that were closed 30 days ago, and incomplete ones. */
export function createReportSweepJob(ctx: Context): Job {
  return createExpiryJob(
    ctx,
    async (signal) => {
      try {
        await eraseEndedReports(ctx, signal);
      } catch (error) {
        ctx.log.warn({ err: error }, 'closed and incomplete reports could not be erased');
      }
    },
    SWEEP_INTERVAL,
  );
}
