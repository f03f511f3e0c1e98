import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startServer } from '@parley/server/test-server';
import { findFreePort } from '@parley/testing';
import fc from 'fast-check';
import { afterAll, beforeAll, test } from 'vitest';
import { History, type Site } from './histories/history.ts';
import { plans } from './histories/steps.ts';

/** Number of histories. A higher number finds rarer faults. */
const HISTORIES = Number(process.env['PARLEY_TEST_HISTORIES'] ?? 1_000);
/** Number of concurrent histories without restarts, which mostly wait. */
const LANES = 7;
/** The share of histories in which the server is restarted. */
const WITH_RESTART = 0.06;
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
/** The server of the histories without a restart, and one that is restarted. */
let sites: Record<'shared' | 'restarted', Site>;

beforeAll(async () => {
  folder = await mkdtemp(join(existsSync(MEMORY) ? MEMORY : tmpdir(), 'parley-histories-'));
  // The URLs of uploads contain the configured port, so it must be the same before and after a restart.
  const start = async (name: string): Promise<Site> => ({
    server: await startServer({ PARLEY_PORT: String(await findFreePort()) }, join(folder, name)),
  });
  sites = { shared: await start('shared'), restarted: await start('restarted') };
});

afterAll(async () => {
  await sites.shared.server.close();
  await sites.restarted.server.close();
  await rm(folder, { recursive: true, force: true });
});

async function runHistories(
  site: Site,
  share: number,
  hasRestarts: boolean,
  lane = 0,
): Promise<void> {
  let failedAt: number | undefined;
  const property = fc.asyncProperty(plans(hasRestarts), async (plan) => {
    // Passes without running, so that fast-check reports the shortest failing history so far.
    if (failedAt !== undefined && Date.now() - failedAt > SHRINKING_MS) return;
    try {
      await new History(site, plan).run();
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

test.concurrent.each(Array.from({ length: LANES }, (_, lane) => lane))(
  'after any history, all clients equal the server, and each message exists once and in order (%i)',
  (lane) => runHistories(sites.shared, (1 - WITH_RESTART) / LANES, false, lane),
  TIMEOUT_MS,
);

test.concurrent(
  'after any history in which the server restarts, all clients equal the server',
  () => runHistories(sites.restarted, WITH_RESTART, true),
  TIMEOUT_MS,
);
