import { randomInt, randomUUID } from 'node:crypto';
import { mkdtemp, readdir, rm, utimes } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Message } from '@parley/contract';
import SQLite from 'better-sqlite3';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createRoom } from './chatting.ts';
import { createClient, startServer, type TestUser } from './harness.ts';
import { RoomMirror } from './room-mirror.ts';
import { sample } from './samples.ts';
import { startServerProcess, type ServerProcess } from './server-process.ts';
import { until } from './until.ts';
import { upload } from './uploading.ts';

/** How long the server is killed again and again; `PARLEY_TEST_CRASH_SECONDS=60` for a long run. */
const SECONDS = Number(process.env['PARLEY_TEST_CRASH_SECONDS'] ?? 8);
const ROOMS = 4;
const SENDERS_PER_PERSON = 3;

let dataDir: string;
let server: ServerProcess | undefined;
const people: { user: TestUser; roomId: string }[] = [];

beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'parley-crash-'));
  const setup = await startServer({}, dataDir);
  for (let i = 0; i < ROOMS; i++) {
    const users = [await setup.signIn(`a${i}`), await setup.signIn(`b${i}`)] as const;
    const roomId = await createRoom(...users);
    people.push(...users.map((user) => ({ user, roomId })));
  }
  await setup.close();
});
afterAll(async () => {
  await server?.kill();
  await rm(dataDir, { recursive: true, force: true });
});

/** What the server has acknowledged, by `clientId`; null once its deletion was. */
const acknowledged = new Map<string, Message | null>();
const attempted = new Set<string>();
/** `isUp` is kept once the server is there, and made anew when it is killed. */
const run = { isUp: Promise.withResolvers<void>(), isOver: false };

/** The person at the server that runs now. */
function current(user: TestUser): TestUser {
  return { ...createClient(server?.url ?? '', user.cookie), ...identity(user) };
}

function identity({ id, username, sessionId }: TestUser) {
  return { id, username, sessionId };
}

/**
 * Sends one message after the other, each until it is acknowledged: first a picture, which stays, then
 * mostly texts, of which some are deleted.
 */
async function sendUntilOver(user: TestUser, roomId: string): Promise<void> {
  for (let count = 0; !run.isOver; count++) {
    const clientId = randomUUID();
    attempted.add(clientId);
    let content: string = clientId;
    for (let isDone = false; !isDone;) {
      await run.isUp.promise;
      try {
        if (content === clientId && (count === 0 || randomInt(20) === 0)) {
          content = await uploadPicture(user);
        }
        const body = { chatroom: roomId, content, clientId };
        const answer = await current(user).request('POST', '/api/messages/send', body);
        expect([200, 201]).toContain(answer.status);
        acknowledged.set(clientId, answer.body);
        isDone = true;
        if (count > 0 && randomInt(10) === 0) await remove(user, clientId, answer.body);
      } catch (error) {
        if (!isConnectionError(error)) throw error;
        // Cut off before the next one is there: then the gate is closed, or about to be.
        await sleep(5);
      }
    }
  }
}

async function uploadPicture(user: TestUser): Promise<string> {
  const answer = await upload(current(user), 'image', sample('picture.png'));
  expect(answer.status).toBeLessThan(300);
  return answer.body.url;
}

async function remove(user: TestUser, clientId: string, message: Message): Promise<void> {
  // Without an answer nobody knows whether it is gone: then it is no longer asked for.
  acknowledged.delete(clientId);
  const body = { messageId: message._id };
  const answer = await current(user).request('DELETE', '/api/messages/delete', body);
  expect(answer.status).toBe(200);
  acknowledged.set(clientId, null);
}

function isConnectionError(error: unknown): boolean {
  return error instanceof TypeError || (error instanceof Error && error.name === 'AbortError');
}

async function start(): Promise<void> {
  server = await startServerProcess(dataDir);
}

/** Everything acknowledged is there, once and in its place; what was deleted stays deleted. */
async function check(): Promise<void> {
  const messages = new Map<string, Message>();
  for (const { user, roomId } of people) {
    const mirror = new RoomMirror();
    await mirror.catchUp(current(user), [roomId], 1_000);
    for (const message of mirror.messages.values()) messages.set(message._id, message);
  }
  for (const message of acknowledged.values()) {
    if (message !== null) expect(messages.get(message._id)).toEqual(message);
  }
  const present = [...messages.values()].flatMap(({ clientId }) => clientId ?? []);
  expect(new Set(present).size).toBe(present.length);
  for (const clientId of present) {
    expect(attempted).toContain(clientId);
    expect(acknowledged.get(clientId)).not.toBeNull();
  }
}

/** What only the database itself can tell. */
function checkDatabase(): void {
  const sqlite = new SQLite(join(dataDir, 'parley.db'), { readonly: true });
  try {
    expect(sqlite.pragma('integrity_check', { simple: true })).toBe('ok');
    expect(sqlite.pragma('foreign_key_check')).toEqual([]);
    const gaps = sqlite.prepare(
      `select room.id from chatrooms room join messages message on message.chatroom_id = room.id
       group by room.id
       having count(*) <> room.last_seq or max(seq) <> room.last_seq or min(seq) <> 1
         or count(distinct seq) <> count(*) or max(rev) <> room.last_rev`,
    );
    expect(gaps.all()).toEqual([]);
  } finally {
    sqlite.close();
  }
}

/** Files without a row are left-overs of a moment; an hour later there is none. */
async function checkMedia(): Promise<void> {
  const folder = join(dataDir, 'media');
  const sqlite = new SQLite(join(dataDir, 'parley.db'), { readonly: true });
  const rows = sqlite.prepare<[], { file: string }>('select file from media').all();
  sqlite.close();
  const expected = rows.map(({ file }) => file).toSorted();
  expect(expected.length).toBeGreaterThan(0);

  const files = async () => {
    const entries = await readdir(folder, { recursive: true, withFileTypes: true });
    return entries.filter((entry) => entry.isFile());
  };
  const past = new Date(Date.now() - 2 * 60 * 60 * 1000);
  for (const entry of await files()) await utimes(join(entry.parentPath, entry.name), past, past);
  await start();
  await until(async () => {
    const names = (await files()).map(({ name }) => name).toSorted();
    return names.join(' ') === expected.join(' ');
  });
}

test(
  'killed again and again while messages are sent, it loses and doubles none',
  async () => {
    const senders = people.flatMap(({ user, roomId }) =>
      Array.from({ length: SENDERS_PER_PERSON }, () => sendUntilOver(user, roomId)),
    );
    const end = Date.now() + SECONDS * 1_000;
    let kills = 0;
    while (Date.now() < end || kills < 2) {
      await start();
      await check();
      run.isUp.resolve();
      await sleep(randomInt(200, 1_200));
      run.isUp = Promise.withResolvers();
      await server?.kill();
      checkDatabase();
      kills++;
    }
    run.isOver = true;
    await start();
    run.isUp.resolve();
    await Promise.all(senders);
    await check();
    await server?.kill();
    checkDatabase();
    await checkMedia();
    expect(acknowledged.size).toBeGreaterThan(kills);
    if (SECONDS > 30) process.stdout.write(`${kills} kills, ${attempted.size} messages\n`);
  },
  (SECONDS + 120) * 1_000,
);
