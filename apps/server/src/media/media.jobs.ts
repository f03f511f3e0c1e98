import type { Context } from '../context.ts';
import { createExpiryJob, createRepeatedJob } from '../jobs/repeat.ts';
import type { Job } from '../storage/cluster.ts';
import { measureRecordings } from './measure-recordings.ts';
import { createSweeper, sweepLocalFiles } from './sweep.ts';

/** Milliseconds between two sweeps of all uploads. */
const SWEEP_INTERVAL = 60 * 60 * 1000;

/** Milliseconds between two sweeps of local files: deleted media are gone within minutes. */
const LOCAL_SWEEP_INTERVAL = 60 * 1000;

/** Creates the job that sweeps leftover uploads hourly. */
export function createSweepJob(ctx: Context): Job {
  const sweeper = createSweeper(ctx);
  return createExpiryJob(
    ctx,
    async (signal) => {
      await logFailure(ctx, sweeper.sweep(signal), 'failed to sweep leftover uploads');
      ctx.log.debug('finished sweeping leftover uploads');
    },
    SWEEP_INTERVAL,
  );
}

/**
 * Creates the job that sweeps every minute what each server has in its own folder: incomplete
 * uploads and copies of files in object storage. Copies of files that are replaced are deleted at
 * once.
 */
export function createLocalSweepJob(ctx: Context): Job {
  const sweep = createRepeatedJob(
    (signal) => logFailure(ctx, sweepLocalFiles(ctx, signal), 'failed to sweep local files'),
    LOCAL_SWEEP_INTERVAL,
  );
  return async (signal, closing) => {
    const unsubscribe = ctx.events.subscribe((event) => {
      if (event.type === 'media-replaced') void ctx.media.discardCopy(event.file);
    });
    await sweep(signal, closing);
    unsubscribe();
  };
}

/** Creates the job that measures the recordings of older versions. */
export function createMeasurementJob(ctx: Context): Job {
  return (signal) =>
    logFailure(ctx, measureRecordings(ctx, signal), 'failed to measure recordings');
}

async function logFailure({ log }: Context, task: Promise<void>, message: string): Promise<void> {
  await task.catch((error: unknown) => log.error({ err: error }, message));
}
