import type { Context } from '../context.ts';
import { createRepeatedJob } from '../jobs/repeat.ts';
import type { Job } from '../storage/cluster.ts';

/** Milliseconds between two sweeps. */
const SWEEP_INTERVAL = 10 * 60 * 1000;

/** Creates the job that deletes expired counters of shared rate limits. */
export function createCounterSweepJob({ cluster, log }: Context): Job {
  const { sharedCounters } = cluster;
  if (sharedCounters === undefined) return () => Promise.resolve();
  return createRepeatedJob(async () => {
    try {
      await sharedCounters.deleteExpired();
    } catch (error) {
      log.warn({ err: error }, 'expired rate-limit counters could not be deleted');
    }
  }, SWEEP_INTERVAL);
}
