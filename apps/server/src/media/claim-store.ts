import type { Context } from '../context.ts';
import { createAlarm } from '../jobs/alarm.ts';
import type { Job } from '../storage/cluster.ts';
import { MediaStoreError } from '../media-store/media-store-error.ts';
import type { StoreOwner } from '../media-store/media-store.ts';
import { loadOwner } from '../media-store/store-owner.ts';

/** Milliseconds between two claims of the store. */
const CLAIM_INTERVAL = 30_000;

const TAKEN =
  'The media store belongs to another copy of this database, so no files are deleted. If this database ' +
  "replaces the other one, run 'parley media adopt'.";

/**
 * Claims the store of a server that starts. If the store fails for now, the server starts anyway,
 * because texts do not need it, and the job claims it later.
 * @throws {MediaStoreError} if the store belongs to another installation or denies access.
 */
export async function claimStore(
  ctx: Pick<Context, 'storage' | 'maintenance' | 'media' | 'log'>,
): Promise<void> {
  try {
    const owner = await loadOwner(ctx.storage, await ctx.maintenance.id());
    if (!(await ctx.media.claim(owner))) ctx.log.warn(TAKEN);
  } catch (error) {
    if (!(error instanceof MediaStoreError && error.isTemporary)) throw error;
    ctx.log.warn(
      { err: error },
      'Uploads fail and no files are deleted until the media store works again.',
    );
  }
}

/**
 * Creates the job that claims the store again and again: after a failure at the start, and to
 * notice that another database has taken it over.
 */
export function createClaimJob(
  {
    config,
    storage,
    maintenance,
    media,
    log,
  }: Pick<Context, 'config' | 'storage' | 'maintenance' | 'media' | 'log'>,
  interval: number = CLAIM_INTERVAL,
): Job {
  if (config.mediaStore === undefined) return () => Promise.resolve();
  let owner: StoreOwner | undefined;
  let reported: string | undefined;

  async function claim(): Promise<void> {
    let problem: string | undefined;
    try {
      owner ??= await loadOwner(storage, await maintenance.id());
      if (!(await media.claim(owner))) problem = TAKEN;
    } catch (error) {
      problem = error instanceof Error ? error.message : String(error);
    }
    if (problem !== undefined && problem !== reported) log.warn(problem);
    if (problem === undefined && reported !== undefined) log.info('the media store is claimed');
    reported = problem;
  }

  return async (signal) => {
    const alarm = createAlarm();
    for (;;) {
      // The server has just claimed it.
      await alarm.wait(interval, signal);
      if (signal.aborted) return;
      await claim();
    }
  };
}
