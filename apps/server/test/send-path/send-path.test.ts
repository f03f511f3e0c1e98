import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { getHeapStatistics } from 'node:v8';
import { Worker } from 'node:worker_threads';
import { pino } from 'pino';
import { expect, onTestFinished, test, vi } from 'vitest';
import { readConfig } from '../../src/config.ts';
import { createServer, listeningPort } from '../../src/server.ts';
import { PostgresConnection } from '../../src/storage/postgres/postgres-connection.ts';
import { SqliteConnection } from '../../src/storage/sqlite/sqlite-connection.ts';
import { beginChat } from '../chatting.ts';
import { startServer } from '../harness.ts';
import { IS_ON_POSTGRES } from '../server-group.ts';
import { variablesOf } from '../test-database.ts';
import type { SenderData } from './measured-sender.ts';

const FILE = join(import.meta.dirname, 'costs.json');

/** What a message may cost. Unlike times, it hardly depends on the machine. */
const COSTS = JSON.parse(readFileSync(FILE, 'utf8')) as {
  readonly sqlite: { readonly statements: number; readonly bytes: number };
  readonly postgres: { readonly statements: number };
};

/** Number of messages that are sent before the statements or bytes are read. */
const BATCH = 300;
/** Number of batches until all code is compiled. */
const WARM_UP = 8;
const MEASURED = 4;
/** Runs differ by about one percent. */
const TOLERANCE = 1.1;

/** Starts a server that logs as in production, with two users, and a thread that sends messages. */
async function startSender(): Promise<(count: number) => Promise<void>> {
  const dataDir = await mkdtemp(join(tmpdir(), 'parley-send-'));
  const prepared = await startServer({}, dataDir);
  const [ada, bob] = [await prepared.signIn('Ada'), await prepared.signIn('Bob')];
  const chatroom = await beginChat(ada, bob);
  await prepared.close();

  const config = readConfig({
    ...(await variablesOf(dataDir)),
    PARLEY_PORT: '0',
    PARLEY_RATE_LIMITS: 'false',
  });
  const server = await createServer(
    config,
    pino({ level: 'info' }, { write: () => undefined }),
    new Map(),
  );
  await server.app.listen({ host: config.host, port: config.port });
  const workerData: SenderData = {
    url: `http://localhost:${listeningPort(server.app)}`,
    chatroom,
    sender: ada.cookie,
    recipient: bob.cookie,
  };
  const worker = new Worker(new URL('measured-sender.ts', import.meta.url), { workerData });
  onTestFinished(async () => {
    await worker.terminate();
    await server.close();
    await rm(dataDir, { recursive: true });
  });
  await once(worker, 'message');
  return async (count) => {
    worker.postMessage(count);
    await once(worker, 'message');
  };
}

test('sends a message with no more statements than before', async () => {
  const sendAll = await startSender();
  const spies = [SqliteConnection, PostgresConnection].map((connection) =>
    vi.spyOn(connection.prototype, 'executeQuery'),
  );
  onTestFinished(() => void vi.restoreAllMocks());
  await sendAll(BATCH);
  const statements = spies.reduce((sum, { mock }) => sum + mock.calls.length, 0) / BATCH;
  const { statements: before } = IS_ON_POSTGRES ? COSTS.postgres : COSTS.sqlite;
  // Background jobs add some.
  expect(statements, `statements per message; update ${FILE} if that is intended`).toBeLessThan(
    before + 0.5,
  );
});

// Nearly all of the code is the same on PostgreSQL.
test.skipIf(IS_ON_POSTGRES)('sends a message with no more memory than before', async () => {
  const sendAll = await startSender();
  for (let i = 0; i < WARM_UP; i++) await sendAll(BATCH);
  const measured: number[] = [];
  for (let i = 0; i < MEASURED; i++) {
    const before = getHeapStatistics().total_allocated_bytes;
    await sendAll(BATCH);
    measured.push((getHeapStatistics().total_allocated_bytes - before) / BATCH);
  }
  // The compiler and background jobs only add to it.
  const bytes = Math.round(Math.min(...measured));
  expect(bytes, `bytes per message; update ${FILE} if that is intended`).toBeLessThan(
    COSTS.sqlite.bytes * TOLERANCE,
  );
});
