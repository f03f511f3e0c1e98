import { setTimeout as sleep } from 'node:timers/promises';
import type { Context } from '../context.ts';
import { FREE_MIN } from '../files/disk-space.ts';
import { getFreeBytes } from '../files/free-bytes.ts';
import { reuseFor } from '../scheduling/reuse-for.ts';
import { writeHeartbeat } from './heartbeat.repository.ts';

/** Milliseconds for which a result is reused, so that frequent checks cause no extra writes. */
const RESULT_LIFETIME = 1_000;
/** Milliseconds after which writing one row counts as failed. */
const WRITE_TIMEOUT = 5_000;

/** The states of the database, the disk and the media store. */
export interface DependencyStates {
  readonly database: 'ok' | 'failed';
  readonly disk: 'ok' | 'full';
  /** Undefined unless media are in object storage. */
  readonly media?: 'ok' | 'failed';
}

/** Milliseconds for which the state of the media store is reused. Some stores charge requests. */
const STORE_LIFETIME = 10_000;

type ReadinessContext = Pick<Context, 'config' | 'storage' | 'cluster' | 'media' | 'log'>;

/**
 * Creates a check that writes a row and reads the free disk space, at most once per second, and
 * asks the media store, at most once in ten seconds.
 */
export function createReadinessCheck(ctx: ReadinessContext): () => Promise<DependencyStates> {
  const checkStore = reuseFor(STORE_LIFETIME, () => checkMediaStore(ctx));
  return reuseFor(RESULT_LIFETIME, async () => {
    const [states, media] = await Promise.all([checkMachine(ctx), checkStore()]);
    return ctx.config.mediaStore === undefined ? states : { ...states, media };
  });
}

async function checkMediaStore({ media, log }: ReadinessContext): Promise<'ok' | 'failed'> {
  try {
    await media.check();
    return 'ok';
  } catch (error) {
    log.error({ err: error }, 'the media store does not respond');
    return 'failed';
  }
}

async function checkMachine(
  ctx: ReadinessContext,
): Promise<Pick<DependencyStates, 'database' | 'disk'>> {
  const [database, disk] = await Promise.all([
    canWrite(ctx).catch((error: unknown) => {
      ctx.log.error({ err: error }, 'not ready: the database cannot be written');
      return false;
    }),
    getFreeBytes(ctx.config.dataDir),
  ]);
  return { database: database ? 'ok' : 'failed', disk: disk >= FREE_MIN ? 'ok' : 'full' };
}

async function canWrite({ storage, cluster }: ReadinessContext): Promise<boolean> {
  const at = Date.now();
  const written = storage.write(
    async ({ trx }) => {
      await writeHeartbeat(trx, at);
      return true;
    },
    { isConcurrent: true },
  );
  const end = new AbortController();
  try {
    const hasWritten = await Promise.race([
      written,
      sleep(WRITE_TIMEOUT, false, { signal: end.signal }),
    ]);
    return hasWritten && cluster.isReceivingEvents;
  } finally {
    end.abort();
  }
}
