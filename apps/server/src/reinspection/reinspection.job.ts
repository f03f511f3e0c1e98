import type { Context } from '../context.ts';
import { createRepeatedJob } from '../jobs/repeat.ts';
import type { Job } from '../storage/cluster.ts';
import { createReinspector } from './reinspection.service.ts';

/** Milliseconds between two runs. */
const INTERVAL = 60 * 60 * 1000;

/**
 * Creates the job that inspects images that were stored under older rules: all of them at first, then
 * hourly those that a server of an older version has added, which may run beside this one for a while.
 */
export function createReinspectionJob(ctx: Context): Job {
  const reinspector = createReinspector(ctx);
  return createRepeatedJob(async (signal) => {
    try {
      await reinspector.inspect(signal);
    } catch (error) {
      ctx.log.error({ err: error }, 'failed to inspect stored images');
    }
  }, INTERVAL);
}
