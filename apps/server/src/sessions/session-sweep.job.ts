import type { Context } from '../context.ts';
import { createExpiryJob } from '../jobs/repeat.ts';
import type { Job } from '../storage/cluster.ts';
import { endExpiredSessions } from './session.service.ts';

/**
 * Milliseconds between sweeps. Expired sessions are invalid anyway; the sweep only deletes them.
 */
const SWEEP_INTERVAL = 60 * 60 * 1000;

/** Creates the job that deletes expired sessions hourly. */
export function createSessionSweepJob(ctx: Context): Job {
  return createExpiryJob(
    ctx,
    async () => {
      try {
        await endExpiredSessions(ctx);
      } catch (error) {
        ctx.log.warn({ err: error }, 'expired sessions could not be deleted');
      }
    },
    SWEEP_INTERVAL,
  );
}
