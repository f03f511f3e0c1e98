import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { BUILT_SERVER } from '@parley/testing';
import type { ChangeCosts, ChangeJob, ConnectionJob } from '../changing-clients.ts';
import { runChild } from '../child.ts';
import { startMeasuredServer } from '../measured-server.ts';
import { openSeeder, type SeededPair } from '../seed.ts';

/** Number of pairs of connected users, and of chats of each of them. */
const PAIRS = 100;
const CHATS = 500;
/** Messages of the chatroom of a pair. */
const MESSAGES = 100;
/** Milliseconds after its start in which the server tells users a second time who is online. */
const SETTLED_AFTER = 15_000;

/** Per chatroom 8 edits, 8 reactions and 2 deletions. Fewer with offline copies, which take much longer. */
const JOB: ChangeJob = { changesPerRoom: 18, perSecond: 100, hasOfflineCopy: false };
const COPY_JOB: ChangeJob = { changesPerRoom: 3, perSecond: 25, hasOfflineCopy: true };

/** The measurements of changes in open chatrooms. CPU times are in milliseconds per change. */
export interface ChangingFigures {
  readonly users: number;
  readonly chats: number;
  readonly server: number;
  /** Of all clients together, without and with offline copies. */
  readonly clients: number;
  readonly copyingClients: number;
  /** Number of requests for the chat list. */
  readonly listRequests: number;
}

/**
 * Measures edits, reactions and deletions of users with many chats. Undefined on systems without `/proc`.
 * Uses its own data folder, as so many chatrooms would affect what is measured later.
 */
export async function measureChanging(
  env: Record<string, string>,
): Promise<ChangingFigures | undefined> {
  const dataDir = mkdtempSync(join(tmpdir(), 'parley-bench-'));
  const serverEnv = { ...env, PARLEY_DATA: dataDir };
  try {
    // Creates the database.
    await (await startMeasuredServer(BUILT_SERVER, serverEnv)).stop();
    return await measure(serverEnv, seed(dataDir));
  } finally {
    rmSync(dataDir, { recursive: true, force: true });
  }
}

/** Creates pairs of users with a chatroom each, and their other chats with users who are not connected. */
function seed(dataDir: string): SeededPair[] {
  const seeder = openSeeder(dataDir);
  const pairs = seeder.transaction(() => {
    const created = Array.from({ length: PAIRS }, () => seeder.createPair(MESSAGES));
    const others = Array.from({ length: CHATS - 1 }, () => seeder.createUser());
    for (const user of created.flatMap(({ users }) => users)) {
      for (const other of others) {
        seeder.excludeFromSearch(seeder.createChatroom(user, other, 1));
      }
    }
    return created;
  });
  seeder.close();
  return pairs;
}

async function measure(
  env: Record<string, string>,
  pairs: readonly SeededPair[],
): Promise<ChangingFigures | undefined> {
  const server = await startMeasuredServer(BUILT_SERVER, env);
  try {
    const settled = sleep(SETTLED_AFTER);
    const connection: ConnectionJob = { url: server.url, pairs };
    const clients = await runChild('changing-clients.ts', connection);
    const perChange = (seconds: number, { changesPerRoom }: ChangeJob) =>
      (seconds * 1_000) / (changesPerRoom * PAIRS);
    const run = async (job: ChangeJob) => (await clients.run(job)) as ChangeCosts;

    // Warms up the JIT compiler.
    await run({ ...JOB, changesPerRoom: 4 });
    await settled;
    const before = await server.cpuTime();
    const costs = await run(JOB);
    const after = await server.cpuTime();
    // Creates the copies.
    await run({ ...COPY_JOB, changesPerRoom: 1 });
    const copyCosts = await run(COPY_JOB);
    clients.end();
    if (before === undefined || after === undefined) return undefined;
    return {
      users: PAIRS * 2,
      chats: CHATS,
      server: perChange(after - before, JOB),
      clients: perChange(costs.cpuTime, JOB),
      copyingClients: perChange(copyCosts.cpuTime, COPY_JOB),
      listRequests: costs.listRequests + copyCosts.listRequests,
    };
  } finally {
    await server.stop();
  }
}
