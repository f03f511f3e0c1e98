import { mkdtempSync, rmSync } from 'node:fs';
import { spawnSync } from 'node:child_process';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { BUILT_SERVER, startPostgresCluster } from '@parley/testing';
import type { LoadResult } from '../load.ts';
import type { SeededPair } from '../seed.ts';
import { sendThrough, sendThroughBaseline, sendThroughSeveral, type LoadSize } from './messages.ts';

/** The measurements of one round. */
export interface PostgresRound {
  readonly sqlite: LoadResult;
  /** The baseline over the driver of PostgreSQL. */
  readonly baseline: LoadResult;
  /** The product with one server, two servers and so on. */
  readonly servers: readonly LoadResult[];
}

/**
 * Sends messages through servers on a PostgreSQL database, which has the rows of a data folder, and
 * beside it through one on SQLite. Each round measures everything once, so that changes of the
 * machine's speed affect all alike.
 */
export async function measurePostgres(
  env: Record<string, string>,
  pairs: readonly SeededPair[],
  size: LoadSize,
  { rounds, serversMax }: { rounds: number; serversMax: number },
): Promise<PostgresRound[]> {
  return withPostgres(env, serversMax, async (envs) => {
    const [first = env] = envs;
    const results: PostgresRound[] = [];
    for (let round = 0; round < rounds; round++) {
      const servers: LoadResult[] = [];
      for (let count = 1; count <= serversMax; count++) {
        servers.push(await sendThroughSeveral(BUILT_SERVER, envs.slice(0, count), pairs, size));
      }
      results.push({
        sqlite: await sendThrough(BUILT_SERVER, env, pairs, size),
        baseline: await sendThroughBaseline(first, pairs, size),
        servers,
      });
    }
    return results;
  });
}

/**
 * Copies the rows of a data folder to a new PostgreSQL database and calls `work` with environments of servers
 * on it.
 */
export async function withPostgres<T>(
  env: Record<string, string>,
  serversMax: number,
  work: (envs: readonly Record<string, string>[], databaseUrl: string) => Promise<T>,
): Promise<T> {
  const cluster = await startPostgresCluster({ isDurable: true });
  const folder = mkdtempSync(join(tmpdir(), 'parley-bench-postgres-'));
  const databaseUrl = cluster.urlOf('postgres');
  const envs = Array.from({ length: serversMax }, (_, index) => ({
    ...env,
    PARLEY_DATA: join(folder, String(index)),
    PARLEY_DATABASE_URL: databaseUrl,
  }));
  try {
    const archive = join(folder, 'parley.tar');
    runCommand(env, 'backup', archive);
    runCommand(envs[0] ?? env, 'restore', archive);
    rmSync(archive);
    return await work(envs, databaseUrl);
  } finally {
    rmSync(folder, { recursive: true, force: true });
    await cluster.stop();
  }
}

function runCommand(env: Record<string, string>, ...args: string[]): void {
  const { status, stderr } = spawnSync(process.execPath, [BUILT_SERVER, ...args], {
    env: { PATH: process.env['PATH'], ...env },
    encoding: 'utf8',
  });
  if (status !== 0) throw new Error(`${args.join(' ')} failed: ${stderr}`);
}
