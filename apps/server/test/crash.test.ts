import { randomInt, randomUUID } from 'node:crypto';
import { mkdtemp, readdir, rm, utimes } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Message } from '@parley/contract';
import SQLite from 'better-sqlite3';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { beginChat } from './chatting.ts';
import { createTestClient, startServer, type TestUser } from './harness.ts';
import { ChatroomMirror } from './chatroom-mirror.ts';
import { sample } from './samples.ts';
import { spawnServer, type SpawnedServer } from './spawn-server.ts';
import { until } from './until.ts';
import { upload } from './uploading.ts';

/**
 * How long the server is killed repeatedly, in seconds; `PARLEY_TEST_CRASH_SECONDS=60` for a long
 * run.
 */
const SECONDS = Number(process.env['PARLEY_TEST_CRASH_SECONDS'] ?? 8);
const CHATROOMS = 4;
const SENDERS_PER_USER = 3;

let dataDir: string;
let server: SpawnedServer | undefined;
const chatters: { user: TestUser; chatroomId: string }[] = [];

beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'parley-crash-'));
  const setup = await startServer({}, dataDir);
  for (let i = 0; i < CHATROOMS; i++) {
    const users = [await setup.signIn(`a${i}`), await setup.signIn(`b${i}`)] as const;
    const chatroomId = await beginChat(...users);
    chatters.push(...users.map((user) => ({ user, chatroomId })));
  }
  await setup.close();
});
afterAll(async () => {
  await server?.kill();
  await rm(dataDir, { recursive: true, force: true });
});

/**
 * Messages that the server has acknowledged, by `clientId`; null once their deletion is
 * acknowledged.
 */
const acknowledged = new Map<string, Message | null>();
const attempted = new Set<string>();
/** `isUp` resolves when the server is ready. Each kill replaces it with a new promise. */
const run = { isUp: Promise.withResolvers<void>(), isFinished: false };

/** Returns the user with a client for the currently running server. */
function withCurrentServer(user: TestUser): TestUser {
  return { ...createTestClient(server?.url ?? '', user.cookie), ...identity(user) };
}

function identity({ id, username, sessionId }: TestUser) {
  return { id, username, sessionId };
}

/**
 * Sends messages one after another, each until it is acknowledged: first an image, then mostly
 * texts. Deletes some of the texts.
 */
async function sendUntilFinished(user: TestUser, chatroomId: string): Promise<void> {
  for (let count = 0; !run.isFinished; count++) {
    const clientId = randomUUID();
    attempted.add(clientId);
    let content: string = clientId;
    for (let isDone = false; !isDone;) {
      await run.isUp.promise;
      try {
        if (content === clientId && (count === 0 || randomInt(20) === 0)) {
          content = await uploadImage(user);
        }
        const body = { chatroom: chatroomId, content, clientId };
        const response = await withCurrentServer(user).request('POST', '/api/messages/send', body);
        expect([200, 201]).toContain(response.status);
        acknowledged.set(clientId, response.body);
        isDone = true;
        if (count > 0 && randomInt(10) === 0) await remove(user, clientId, response.body);
      } catch (error) {
        if (!isConnectionError(error)) throw error;
        // The server was killed. Waits until `isUp` is replaced.
        await sleep(5);
      }
    }
  }
}

async function uploadImage(user: TestUser): Promise<string> {
  const response = await upload(withCurrentServer(user), 'image', sample('picture.png'));
  expect(response.status).toBeLessThan(300);
  return response.body.url;
}

async function remove(user: TestUser, clientId: string, message: Message): Promise<void> {
  // Without a response the outcome is unknown, so the message is no longer checked.
  acknowledged.delete(clientId);
  const body = { messageId: message._id };
  const response = await withCurrentServer(user).request('DELETE', '/api/messages/delete', body);
  expect(response.status).toBe(200);
  acknowledged.set(clientId, null);
}

function isConnectionError(error: unknown): boolean {
  return error instanceof TypeError || (error instanceof Error && error.name === 'AbortError');
}

async function start(): Promise<void> {
  server = await spawnServer(dataDir);
}

/** Checks that acknowledged messages exist exactly once and that deleted ones stay deleted. */
async function check(): Promise<void> {
  const messages = new Map<string, Message>();
  for (const { user, chatroomId } of chatters) {
    const mirror = new ChatroomMirror();
    await mirror.resync(withCurrentServer(user), [chatroomId], 1_000);
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

/** Checks the integrity of the database. */
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

/** Checks that the sweep removes files without a row once they are old enough. */
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
  'neither loses nor duplicates messages when the server is killed repeatedly',
  async () => {
    const senders = chatters.flatMap(({ user, chatroomId }) =>
      Array.from({ length: SENDERS_PER_USER }, () => sendUntilFinished(user, chatroomId)),
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
    run.isFinished = true;
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
