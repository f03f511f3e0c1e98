import type { Context } from '../context.ts';
import { createExpiryJob } from '../jobs/repeat.ts';
import type { Job } from '../storage/cluster.ts';
import { deleteUnused } from './subscription.service.ts';

const SWEEP_INTERVAL = 60 * 60 * 1000;

/** Creates the job that deletes push subscriptions hourly that are unused or do not work. */
export function createSubscriptionSweepJob(ctx: Context): Job {
  return createExpiryJob(
    ctx,
    async () => {
      try {
        const deleted = await deleteUnused(ctx);
        if (deleted > 0) ctx.log.info({ deleted }, 'unused push subscriptions were deleted');
      } catch (error) {
        ctx.log.warn({ err: error }, 'unused push subscriptions could not be deleted');
      }
    },
    SWEEP_INTERVAL,
  );
}
