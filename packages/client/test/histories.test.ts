import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startServer } from '@parley/server/test-server';
import { findFreePort, startPostgresCluster, type PostgresCluster } from '@parley/testing';
import { isLongRun } from '@parley/testing/scope';
import fc from 'fast-check';
import { afterAll, beforeAll, test } from 'vitest';
import { runHistory } from './histories/history.ts';
import { plans } from './histories/steps.ts';
import type { Site } from './histories/world/history-world.ts';

/** Number of histories. A higher number finds rarer faults. */
const HISTORIES = Number(process.env['PARLEY_TEST_HISTORIES'] ?? (isLongRun ? 1_000 : 150));
/** The share of histories in which the server is restarted. They take about six times as long. */
const WITH_RESTART = isLongRun ? 0.06 : 0.04;
/** Numbers of concurrent histories, which mostly wait, so that all lanes take about equally long. */
const LANES = 6;
const RESTART_LANES = 2;
/** How many histories run on two servers as well, in relation to the number of histories. */
const ON_PAIR = 0.2;
const PAIR_LANES = 2;
/** Maximum time for all histories on a slow machine, in milliseconds. */
const TIMEOUT_MS = 30 * 60_000;
/**
 * Maximum time to shrink a failing history, in milliseconds. Without a limit, shrinking a history
 * that hangs would take hours, as each attempt waits for its timeout.
 */
const SHRINKING_MS = 90_000;

/** A file system in memory, so that no write waits for a disk. */
const MEMORY = '/dev/shm';

let folder: string;
/** The server of the histories without a restart. */
let shared: Site;
/** The servers that are restarted, one per lane. */
let restarted: readonly Site[];
/** Two servers on one database, in the long run. */
let pair: Site | undefined;
let cluster: PostgresCluster | undefined;

beforeAll(async () => {
  folder = await mkdtemp(join(existsSync(MEMORY) ? MEMORY : tmpdir(), 'parley-histories-'));
  // The URLs of uploads contain the configured port, so it must be the same before and after a restart.
  const start = async (name: string): Promise<Site> => ({
    server: await startServer({ PARLEY_PORT: String(await findFreePort()) }, join(folder, name)),
  });
  if (isLongRun) pair = await startPair();
  shared = await start('shared');
  restarted = await Promise.all(
    numbersBelow(RESTART_LANES).map((lane) => start(`restarted-${lane}`)),
  );
});

afterAll(async () => {
  for (const { server } of [shared, ...restarted]) await server.close();
  await pair?.server.close();
  await pair?.second?.close();
  await cluster?.stop();
  await rm(folder, { recursive: true, force: true });
});

/** Starts two servers on one PostgreSQL database, with the files of the first. */
async function startPair(): Promise<Site> {
  cluster = await startPostgresCluster();
  const variables = {
    PARLEY_DATABASE_URL: cluster.urlOf('postgres'),
    PARLEY_MEDIA_URL: 'https://media.example.org',
  };
  const folders = [join(folder, 'first'), join(folder, 'second')] as const;
  const server = await startServer(variables, folders[0]);
  await mkdir(folders[1]);
  await symlink(join(folders[0], 'media'), join(folders[1], 'media'));
  return { server, second: await startServer(variables, folders[1]) };
}

async function runHistories(
  site: Site,
  share: number,
  hasRestarts: boolean,
  lane: number,
): Promise<void> {
  let failedAt: number | undefined;
  const property = fc.asyncProperty(plans(hasRestarts), async (plan) => {
    // Passes without running, so that fast-check reports the shortest failing history so far.
    if (failedAt !== undefined && Date.now() - failedAt > SHRINKING_MS) return;
    try {
      await runHistory(site, plan);
    } catch (error) {
      failedAt ??= Date.now();
      throw error;
    }
  });
  const { seed } = fc.readConfigureGlobal();
  await fc.assert(property, {
    numRuns: Math.ceil(HISTORIES * share),
    // Each lane has its own histories.
    ...(seed !== undefined && { seed: seed + lane }),
  });
}

function numbersBelow(count: number): readonly number[] {
  return Array.from({ length: count }, (_, index) => index);
}

test.concurrent.each(numbersBelow(LANES))(
  'after any history, all clients equal the server, and each message exists once and in order (%i)',
  (lane) => runHistories(shared, (1 - WITH_RESTART) / LANES, false, lane),
  TIMEOUT_MS,
);

test.concurrent.each(numbersBelow(RESTART_LANES))(
  'after any history in which the server restarts, all clients equal the server (%i)',
  (lane) => runHistories(getSite(lane), WITH_RESTART / RESTART_LANES, true, lane),
  TIMEOUT_MS,
);

test.runIf(isLongRun).concurrent.each(numbersBelow(PAIR_LANES))(
  'after any history on two servers with one database, all clients equal the servers (%i)',
  (lane) => runHistories(pair ?? shared, ON_PAIR / PAIR_LANES, false, lane),
  TIMEOUT_MS,
);

function getSite(lane: number): Site {
  const site = restarted[lane];
  if (site === undefined) throw new Error(`no server for lane ${lane}`);
  return site;
}
