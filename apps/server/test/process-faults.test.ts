import { randomInt, randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Message } from '@parley/contract';
import { findFreePort } from '@parley/testing';
import { describe, expect, onTestFinished, test } from 'vitest';
import { createRoom } from './chatting.ts';
import { createTestClient, startServer, type TestUser } from './harness.ts';
import { dial } from './live.ts';
import { RoomMirror } from './room-mirror.ts';
import { spawnServer, type SpawnedServer } from './spawn-server.ts';
import { acquireTestDatabase, runOn } from './test-database.ts';
import { until } from './until.ts';

/** Duration of the faults in seconds; `PARLEY_TEST_CRASH_SECONDS=60` for a long run. */
const SECONDS = Number(process.env['PARLEY_TEST_CRASH_SECONDS'] ?? 8);
const PROCESSES = Number(process.env['PARLEY_TEST_PROCESSES'] ?? 2);
const CHATROOMS = 4;

const isOnPostgres = process.env['PARLEY_TEST_CLUSTER'] !== undefined;

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

/** A user with a live connection whose chatroom is kept current by events and resyncs. */
class Participant {
  readonly user: TestUser;
  readonly #chatroomId: string;
  readonly #mirror = new RoomMirror();
  #resyncing: Promise<void> = Promise.resolve();

  constructor(
    server: { url: string },
    { id, username, sessionId, cookie }: TestUser,
    room: string,
  ) {
    this.user = { ...createTestClient(server.url, cookie), id, username, sessionId };
    this.#chatroomId = room;
    const { socket } = dial(server, this.user, { reconnectionDelay: 100 });
    socket.on('connect', () => this.resync());
    socket.on('message', (message) => this.#receive(message));
    socket.on('message-delete', ({ deletedMessage }) => {
      if (this.#advance(deletedMessage.rev)) this.#mirror.messages.delete(deletedMessage._id);
      else this.resync();
    });
  }

  messages(): Message[] {
    return this.#mirror.room(this.#chatroomId);
  }

  resync(): void {
    this.#resyncing = this.#resyncAfter(this.#resyncing);
  }

  async #resyncAfter(earlier: Promise<void>): Promise<void> {
    await earlier;
    // If the server is down, the next connection resyncs.
    await this.#mirror.resync(this.user, [this.#chatroomId], 1_000).catch(() => 0);
  }

  #receive(message: Message): void {
    if (this.#advance(message.rev)) this.#mirror.messages.set(message._id, message);
    else this.resync();
  }

  /** Returns whether no earlier revision is missing. */
  #advance(rev: number): boolean {
    const known = this.#mirror.revs[this.#chatroomId] ?? 0;
    if (rev !== known + 1) return rev <= known;
    this.#mirror.revs[this.#chatroomId] = rev;
    return true;
  }
}

describe.skipIf(!isOnPostgres)('several processes under faults', () => {
  test(
    'no acknowledged message is lost or doubled, and all clients show the same chatrooms',
    async () => {
      const database = await acquireTestDatabase();
      if (database === undefined) throw new Error('this test needs PostgreSQL');
      const folder = await mkdtemp(join(tmpdir(), 'parley-faults-'));
      onTestFinished(() => rm(folder, { recursive: true }));

      const setup = await startServer({ PARLEY_DATABASE_URL: database.url });
      const rooms: { users: [TestUser, TestUser]; id: string }[] = [];
      for (let i = 0; i < CHATROOMS; i++) {
        const users: [TestUser, TestUser] = [
          await setup.signIn(`a${i}`),
          await setup.signIn(`b${i}`),
        ];
        rooms.push({ users, id: await createRoom(...users) });
      }
      await setup.close();

      const processes: RestartedProcess[] = [];
      for (let i = 0; i < PROCESSES; i++) {
        const port = await findFreePort();
        processes.push(new RestartedProcess(join(folder, String(i)), port, database.url));
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

      let kills = 0;
      let cuts = 0;
      async function injectFaults(): Promise<void> {
        while (Date.now() < end || kills === 0 || cuts === 0) {
          await sleep(randomInt(300, 1_500));
          if (randomInt(2) === 0 || cuts > kills) {
            const victim = processes[randomInt(PROCESSES)];
            await victim?.killAndRestart();
            kills += 1;
          } else {
            await runOn(database?.url ?? '', TERMINATE_CONNECTIONS);
            cuts += 1;
          }
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
        `${PROCESSES} processes, ${kills} kills, ${cuts} cuts, ${acknowledged.size} messages\n`,
      );
    },
    (SECONDS + 120) * 1_000,
  );
});

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
