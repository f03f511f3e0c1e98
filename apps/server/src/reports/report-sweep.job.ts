import type { Context } from '../context.ts';
import { createRepeatedJob } from '../jobs/repeat.ts';
import type { Job } from '../storage/storage.ts';
import { eraseClosedReports } from './report.service.ts';

/** Milliseconds between two sweeps. */
const SWEEP_INTERVAL = 60 * 60 * 1000;

/** Creates the job that erases reports hourly that were closed 30 days ago. */
export function createReportSweepJob(ctx: Context): Job {
  return createRepeatedJob(async (signal) => {
    try {
      await eraseClosedReports(ctx, signal);
    } catch (error) {
      ctx.log.warn({ err: error }, 'closed reports could not be erased');
    }
  }, SWEEP_INTERVAL);
}
