import { randomInt, randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Message } from '@parley/contract';
import { findFreePort, startPostgresCluster } from '@parley/testing';
import { describe, expect, onTestFinished, test } from 'vitest';
import { beginChat } from './chatting.ts';
import { startServer, type TestUser } from './harness.ts';
import { Participant } from './participant.ts';
import { IS_ON_POSTGRES } from './server-group.ts';
import { spawnServer, type SpawnedServer } from './spawn-server.ts';
import { runOn } from './test-database.ts';
import { until } from './until.ts';

/** Duration of the faults in seconds; `PARLEY_TEST_CRASH_SECONDS=60` for a long run. */
const SECONDS = Number(process.env['PARLEY_TEST_CRASH_SECONDS'] ?? 8);
const PROCESSES = Number(process.env['PARLEY_TEST_PROCESSES'] ?? 2);
const CHATROOMS = 4;
const FAULTS = ['kills', 'cuts', 'restarts'] as const;

/** A server process that is started again on the same port after each kill. */
class RestartedProcess {
  readonly url: string;
  readonly #start: () => Promise<SpawnedServer>;
  #running: Promise<SpawnedServer>;

  constructor(folder: string, port: number, databaseUrl: string) {
    this.url = `http://localhost:${port}`;
    this.#start = () => spawnServer(folder, { databaseUrl, port });
    this.#running = this.#start();
  }

  async isReady(): Promise<void> {
    await this.#running;
  }

  async killAndRestart(): Promise<void> {
    const server = await this.#running;
    await server.kill();
    // Ends at once if its connection is cut while it starts. A supervisor restarts it.
    const restart = (attempts: number): Promise<SpawnedServer> =>
      this.#start().catch((error: unknown) => {
        if (attempts === 0) throw error;
        return restart(attempts - 1);
      });
    this.#running = restart(20);
  }

  async stop(): Promise<void> {
    const server = await this.#running;
    await server.kill();
  }
}

describe.skipIf(!IS_ON_POSTGRES)('several processes under faults', () => {
  test(
    'no acknowledged message is lost or doubled, and all clients show the same chatrooms',
    async () => {
      // Other tests need theirs without restarts.
      const cluster = await startPostgresCluster({ isDurable: true });
      onTestFinished(() => cluster.stop());
      const databaseUrl = cluster.urlOf('postgres');
      const folder = await mkdtemp(join(tmpdir(), 'parley-faults-'));
      onTestFinished(() => rm(folder, { recursive: true }));

      const setup = await startServer({ PARLEY_DATABASE_URL: databaseUrl });
      const rooms: { users: [TestUser, TestUser]; id: string }[] = [];
      for (let i = 0; i < CHATROOMS; i++) {
        const users: [TestUser, TestUser] = [
          await setup.signIn(`a${i}`),
          await setup.signIn(`b${i}`),
        ];
        rooms.push({ users, id: await beginChat(...users) });
      }
      await setup.close();

      const processes: RestartedProcess[] = [];
      for (let i = 0; i < PROCESSES; i++) {
        const port = await findFreePort();
        processes.push(new RestartedProcess(join(folder, String(i)), port, databaseUrl));
      }
      onTestFinished(async () => {
        for (const process of processes) await process.stop();
      });
      for (const process of processes) await process.isReady();
      const processAt = (i: number) => processes[i % PROCESSES] ?? { url: '' };

      const participants = rooms.flatMap(({ users, id }, i) =>
        users.map((user, side) => ({
          id,
          participant: new Participant(processAt(i + side), user, id),
        })),
      );
      const acknowledged = new Map<string, Message>();
      const end = Date.now() + SECONDS * 1_000;

      async function sendUntilEnd({ id, participant }: (typeof participants)[number]) {
        while (Date.now() < end) {
          const clientId = randomUUID();
          const body = { chatroom: id, content: clientId, clientId };
          const message = await sendUntilAcknowledged(participant.user, body);
          acknowledged.set(clientId, message);
          await sleep(randomInt(30));
        }
      }

      /** The durations in seconds until all processes were ready again after a restart. */
      const recoveries: number[] = [];
      const counts = { kills: 0, cuts: 0, restarts: 0 };
      const faults = {
        kills: async () => processes[randomInt(PROCESSES)]?.killAndRestart(),
        cuts: () => runOn(databaseUrl, TERMINATE_CONNECTIONS),
        restarts: async () => {
          await cluster.restart();
          const startedAt = performance.now();
          for (const process of processes) await process.isReady();
          for (const { url } of processes) await until(() => isReady(url), 60_000);
          recoveries.push((performance.now() - startedAt) / 1_000);
        },
      };
      async function injectFaults(): Promise<void> {
        while (Date.now() < end || Math.min(...Object.values(counts)) === 0) {
          await sleep(randomInt(300, 1_500));
          const fewest = Math.min(...Object.values(counts));
          const next = FAULTS.filter((fault) => counts[fault] <= fewest + 1);
          const fault = next[randomInt(next.length)] ?? 'kills';
          await faults[fault]();
          counts[fault] += 1;
        }
      }

      await Promise.all([...participants.map(sendUntilEnd), injectFaults()]);
      for (const process of processes) await process.isReady();

      // Service has returned, and the clients have received everything by themselves.
      for (const { id, participant } of participants) {
        const sent = [...acknowledged.values()].filter(({ chatroom }) => chatroom === id);
        await until(() => {
          const shown = new Set(participant.messages().map(({ _id }) => _id));
          return sent.every(({ _id }) => shown.has(_id));
        });
        const shown = participant.messages();
        expect(new Set(shown.map(({ clientId }) => clientId)).size).toBe(shown.length);
        expect(shown.map(({ seq }) => seq)).toEqual(shown.map((_, index) => index + 1));
        for (const message of sent) expect(shown).toContainEqual(message);
      }
      for (const { id } of rooms) {
        const [first, second] = participants.filter((entry) => entry.id === id);
        expect(first?.participant.messages()).toEqual(second?.participant.messages());
      }
      process.stdout.write(
        `${PROCESSES} processes, ${counts.kills} kills, ${counts.cuts} cuts, ${counts.restarts} restarts ` +
          `of PostgreSQL, ready again after at most ${Math.max(...recoveries).toFixed(1)} s, ` +
          `${acknowledged.size} messages\n`,
      );
    },
    (SECONDS + 120) * 1_000,
  );
});

async function isReady(url: string): Promise<boolean> {
  const response = await fetch(`${url}/readyz`).catch(() => undefined);
  return response?.ok === true;
}

/** Sends a message again and again until a response confirms it. */
async function sendUntilAcknowledged(user: TestUser, body: object): Promise<Message> {
  for (;;) {
    try {
      const response = await user.request('POST', '/api/messages/send', body);
      if (response.status === 200 || response.status === 201) return response.body;
      expect(response.status).toBe(503);
    } catch (error) {
      if (!(error instanceof TypeError)) throw error;
    }
    await sleep(50);
  }
}

const TERMINATE_CONNECTIONS = `
  select pg_terminate_backend(pid) from pg_stat_activity
  where datname = current_database() and pid <> pg_backend_pid()`;
