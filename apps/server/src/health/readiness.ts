import { setTimeout as sleep } from 'node:timers/promises';
import type { Context } from '../context.ts';
import { FREE_MIN } from '../files/disk-space.ts';
import { getFreeBytes } from '../files/free-bytes.ts';
import { writeHeartbeat } from './heartbeat.repository.ts';

/** Milliseconds for which a result is reused, so that frequent checks cause no extra writes. */
const RESULT_LIFETIME = 1_000;
/** Milliseconds after which writing one row counts as failed. */
const WRITE_TIMEOUT = 5_000;

/** The states of the database and the disk. */
export interface DependencyStates {
  readonly database: 'ok' | 'failed';
  readonly disk: 'ok' | 'full';
}

/** Creates a check that writes a row and reads the free disk space, at most once per second. */
export function createReadinessCheck(
  ctx: Pick<Context, 'config' | 'storage' | 'log'>,
): () => Promise<DependencyStates> {
  let latest: Promise<DependencyStates> | undefined;
  let startedAt = -Infinity;
  return () => {
    const now = performance.now();
    if (latest === undefined || now - startedAt >= RESULT_LIFETIME) {
      startedAt = now;
      latest = check(ctx);
    }
    return latest;
  };
}

async function check(ctx: Pick<Context, 'config' | 'storage' | 'log'>): Promise<DependencyStates> {
  const [database, disk] = await Promise.all([
    canWrite(ctx).catch((error: unknown) => {
      ctx.log.error({ err: error }, 'not ready: the database cannot be written');
      return false;
    }),
    getFreeBytes(ctx.config.dataDir),
  ]);
  return { database: database ? 'ok' : 'failed', disk: disk >= FREE_MIN ? 'ok' : 'full' };
}

async function canWrite({ storage }: Pick<Context, 'storage'>): Promise<boolean> {
  const at = Date.now();
  const written = storage.write(async ({ trx }) => {
    await writeHeartbeat(trx, at);
    return true;
  });
  const end = new AbortController();
  try {
    return await Promise.race([written, sleep(WRITE_TIMEOUT, false, { signal: end.signal })]);
  } finally {
    end.abort();
  }
}
