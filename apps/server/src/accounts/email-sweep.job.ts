import type { Context } from '../context.ts';
import { createExpiryJob } from '../jobs/repeat.ts';
import type { Job } from '../storage/cluster.ts';
import { forgetExpiredEmails } from './email-change.service.ts';

/** Milliseconds between sweeps. Expired keys are invalid anyway; the sweep only deletes their addresses. */
const SWEEP_INTERVAL = 60 * 60 * 1000;

/** Creates the job that hourly deletes addresses that accounts had or did not change to. */
export function createEmailSweepJob(ctx: Context): Job {
  return createExpiryJob(
    ctx,
    async () => {
      try {
        await forgetExpiredEmails(ctx);
      } catch (error) {
        ctx.log.warn({ err: error }, 'former email addresses could not be deleted');
      }
    },
    SWEEP_INTERVAL,
  );
}
