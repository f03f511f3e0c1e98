import type { Context } from '../context.ts';
import type { Job } from '../storage/storage.ts';
import { inspectOutdatedImages } from './reinspection.service.ts';

/**
 * Creates the job that inspects images that were stored under older rules. Later runs find none.
 */
export function createReinspectionJob(ctx: Context): Job {
  return async (signal) => {
    try {
      await inspectOutdatedImages(ctx, signal);
    } catch (error) {
      ctx.log.error({ err: error }, 'failed to inspect stored images');
    }
  };
}
