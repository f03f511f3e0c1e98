import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import type { ChatState } from '@parley/contract';
import { afterAll, afterEach, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { PROCESS_LOCK } from '../src/storage/postgres/event-broadcast.ts';
import { changeConsent, beginChat, readChatroom, send } from './chatting.ts';
import { addUpload } from './fixtures.ts';
import { createTestClient, startServer, type TestServer, type TestUser } from './harness.ts';
import { connectLive, connectRaw, type LiveClient } from './live.ts';
import { pickPositions } from './chatroom-mirror.ts';
import { runCommand } from './run-command.ts';
import { IS_ON_POSTGRES, startServerGroup, type ServerGroup } from './server-group.ts';
import { spawnServer } from './spawn-server.ts';
import { until } from './until.ts';

/** Longer than the interval in which processes look for those that have ended. Milliseconds. */
const MORE_THAN_A_CHECK = 2_500;

/** Returns the user as a client of another server. */
function at(server: Pick<TestServer, 'url'>, user: TestUser): TestUser {
  const { id, username, sessionId } = user;
  return { ...createTestClient(server.url, user.cookie), id, username, sessionId };
}

/** Returns how many messages a server has stored since its start. */
async function countSent(server: TestServer): Promise<number> {
  const { body } = await server.client().request('GET', '/metrics');
  return Number(/^parley_messages_total\{change="sent"\} (\d+)$/mu.exec(body)?.[1] ?? 0);
}

describe.skipIf(!IS_ON_POSTGRES)('several processes on one database', () => {
  let group: ServerGroup;
  let first: TestServer;
  let second: TestServer;
  let databaseUrl: string;

  beforeAll(async () => {
    group = await startServerGroup();
    [first, second] = group.servers;
    databaseUrl = first.variables['PARLEY_DATABASE_URL'] ?? expect.fail();
  });
  afterEach(() => group.empty());
  afterAll(() => group.closeAll());

  test('sent, edited and deleted messages reach clients of the other process', async () => {
    const [ada, bob] = [await first.signIn('ada'), await first.signIn('bob')];
    const room = await beginChat(ada, bob);
    const live = await connectLive(second, bob);
    const sentBefore = [await countSent(first), await countSent(second)];

    // Longer than one notification, with characters that are longer in bytes.
    const sent = await send(ada, room, '€'.repeat(4_000));
    // The first message of the chatroom may arrive late, too.
    const events = () => live.events.filter((each) => JSON.stringify(each).includes(sent._id));
    await until(() => events().length > 0);
    expect(events()).toEqual([['message', sent]]);

    const edit = { messageId: sent._id, content: 'short' };
    const edited = await ada.request('PATCH', '/api/messages/edit', edit);
    expect(edited.status).toBe(200);
    await ada.request('DELETE', '/api/messages/delete', { messageId: sent._id });
    await until(() => events().length > 2);
    expect(events().map(([name]) => name)).toEqual(['message', 'message-update', 'message-delete']);
    // Each process counts its own messages.
    const sentSince = [await countSent(first), await countSent(second)];
    expect(sentSince.map((count, i) => count - (sentBefore[i] ?? 0))).toEqual([1, 0]);
  });

  test('an upload reaches clients of another process with the URL that this process gives it', async () => {
    const variables = {
      PARLEY_DATABASE_URL: databaseUrl,
      PARLEY_MEDIA_URL: 'https://media.example.org',
    };
    const other = await startServer(variables);
    onTestFinished(() => other.close());
    const [ada, bob] = [await first.signIn('ada'), await first.signIn('bob')];
    const room = await beginChat(ada, bob);
    const live = await connectLive(other, bob);
    const { id, url } = await addUpload(first, ada);
    const sent = await send(ada, room, url);
    expect(sent.content).toBe(url);
    await until(() => live.events.some((each) => JSON.stringify(each).includes(sent._id)));
    const content = `https://media.example.org/${id}.png`;
    expect(live.events.at(-1)).toEqual(['message', { ...sent, content }]);
    const { chatroomMessages } = await readChatroom(at(other, bob), room);
    expect(chatroomMessages.at(-1)).toEqual({ ...sent, content });
  });

  test('a server that keeps media in its folder warns of another one at its start, and the doctor does', async () => {
    const warnsOfOther = (server: TestServer) =>
      server.log.some((line) => line.includes('another server uses the database'));
    expect([first, second].map(warnsOfOther)).toEqual([false, true]);
    const { json } = await runCommand(
      { ...second.variables, PARLEY_PORT: '1' },
      'doctor',
      '--json',
    );
    expect(json).toContainEqual({
      check: 'media store',
      outcome: 'failed',
      message: expect.stringMatching(
        /^2 servers use the database, but each keeps media in a folder/,
      ),
      advice: expect.stringContaining('Set PARLEY_MEDIA_STORE to the same object storage'),
    });
  });

  test('both users receive each message once while both write at the same time', async () => {
    const [ada, bob] = [await first.signIn('ada'), await first.signIn('bob')];
    const room = await beginChat(ada, bob);
    const lives = [await connectLive(first, ada), await connectLive(second, bob)];
    const bobAtSecond = at(second, bob);
    await Promise.all(
      Array.from({ length: 40 }, async (_, i) => {
        await send(ada, room, `a${i}`);
        await send(bobAtSecond, room, `b${i}`);
      }),
    );
    for (const live of lives) {
      // The event of the first message, which created the chatroom, may arrive before or after.
      const listRevs = () =>
        live.events.map(([, message]) => (message as { rev: number }).rev).filter((rev) => rev > 1);
      await until(() => listRevs().length >= 80);
      expect(listRevs().toSorted((a, b) => a - b)).toEqual(
        Array.from({ length: 80 }, (_, i) => i + 2),
      );
    }
    const { chatroomMessages } = await readChatroom(ada, room, '?limit=100');
    expect(chatroomMessages.map(({ seq }) => seq)).toEqual(
      Array.from({ length: 81 }, (_, i) => i + 1),
    );
  });

  test('a message that both processes receive with one id is sent once', async () => {
    const [ada, bob] = [await first.signIn('ada'), await first.signIn('bob')];
    const room = await beginChat(ada, bob);
    const clientId = '019a0000-0000-7000-8000-000000000001';
    const results = await Promise.all(
      [ada, at(second, ada), ada, at(second, ada)].map((user) =>
        send(user, room, 'once', clientId),
      ),
    );
    expect(new Set(results.map(({ _id }) => _id)).size).toBe(1);
    const { chatroomMessages } = await readChatroom(ada, room);
    expect(chatroomMessages).toHaveLength(2);
  });

  test('a block at one process withholds what is sent through the other one', async () => {
    const [ada, bob] = [await first.signIn('ada'), await first.signIn('bob')];
    const room = await beginChat(ada, bob);
    const lives = [await connectLive(first, bob), await connectLive(second, bob)];
    await changeConsent(at(second, bob), room, 'block');
    await send(ada, room, 'withheld');
    await changeConsent(at(second, bob), room, 'unblock');
    const sent = await send(ada, room, 'delivered');
    const expected = [
      ['chat', { chatId: room, status: 'blocked' }],
      ['chat', { chatId: room, status: 'accepted' }],
      ['message', sent],
    ];
    const pickStatus = (event: LiveClient['events'][number]): unknown => {
      const [name, payload] = event;
      if (name !== 'chat') return event;
      const { chatId, status } = payload as ChatState;
      return [name, { chatId, status }];
    };
    for (const { events } of lives) {
      // Events of different processes may arrive in any order, and those of the first message and
      // its acceptance may arrive at the other process after the connection.
      await until(() =>
        expected.every((event) =>
          events.some((other) => isDeepStrictEqual(event, pickStatus(other))),
        ),
      );
      const texts = events.flatMap(([, event]) => (event as { content?: string }).content ?? []);
      expect(texts.filter((text) => text !== 'Hello')).toEqual(['delivered']);
    }
    const contents = (await readChatroom(bob, room)).chatroomMessages.map(({ content }) => content);
    expect(contents).toEqual(['Hello', 'delivered']);
  });

  test('receipts and typing at one process reach the partner at the other one', async () => {
    const [ada, bob] = [await first.signIn('ada'), await first.signIn('bob')];
    const room = await beginChat(ada, bob);
    const live = await connectLive(first, ada);
    const bobAtSecond = at(second, bob);
    await bobAtSecond.request('POST', '/api/chatrooms/delivered', { rooms: { [room]: 1 } });
    await bobAtSecond.request('POST', `/api/chatrooms/chats/${room}/mark-as-read`);
    const { socket } = await connectLive(second, bob);
    socket.emit('typing', { chatroom: room });
    // The event of the acceptance may arrive before or after the connection.
    const listReceived = () =>
      live.events.filter(
        ([name, chat]) =>
          name !== 'chat' || Object.keys(pickPositions(chat as ChatState)).length > 0,
      );
    await until(() => listReceived().length === 3);
    expect(listReceived()).toMatchObject([
      ['chat', { chatId: room, partnerDeliveredSeq: 1, partnerReadSeq: 0 }],
      ['chat', { chatId: room, partnerDeliveredSeq: 1, partnerReadSeq: 1 }],
      ['typing', { chatroom: room }],
    ]);
  });

  test('a session that ends at one process ends at the other one', async () => {
    const ada = await first.signIn('ada');
    const atSecond = at(second, ada);
    expect((await atSecond.request('GET', '/api/chatrooms/chats')).status).toBe(200);
    const raw = await connectRaw(second, atSecond);
    expect((await ada.request('GET', '/api/users/logout')).status).toBeLessThan(300);
    expect((await raw.closed).reason).toBe('session ended');
    expect((await atSecond.request('GET', '/api/chatrooms/chats')).status).toBe(401);
  });

  test('an account that is suspended at one process loses its sessions at the other one', async () => {
    const ada = await first.signIn('ada');
    const atSecond = at(second, ada);
    const raw = await connectRaw(second, atSecond);
    const { code } = await runCommand(first.variables, 'user', 'suspend', 'ada', '--yes');
    expect(code).toBe(0);
    expect((await raw.closed).reason).toBe('session ended');
    expect((await atSecond.request('GET', '/api/chatrooms/chats')).status).toBe(401);
    const credentials = { email: `${ada.id}@example.org`, password: 'password' };
    expect(await atSecond.request('POST', '/api/users/login', credentials)).toMatchObject({
      status: 403,
      body: { code: 'account_suspended' },
    });
  });

  test('clients resync when the connection that receives events was lost', async () => {
    const [ada, bob] = [await first.signIn('ada'), await first.signIn('bob')];
    const room = await beginChat(ada, bob);
    const raw = await connectRaw(second, at(second, bob));
    await group.run(TERMINATE_LISTENERS);
    expect((await raw.closed).reason).toBe('reconnect to resync');
    const live = await connectLive(second, at(second, bob));
    await until(() => first.ctx.cluster.isReceivingEvents);
    const sent = await send(ada, room, 'after the cut');
    await until(() => live.events.length > 0);
    expect(live.events).toContainEqual(['message', sent]);
  });

  test('a load balancer that checks a process notices that it stops before its connections close', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'parley-processes-'));
    onTestFinished(() => rm(folder, { recursive: true }));
    const ada = await first.signIn('ada');
    const stopped = await spawnServer(folder, { databaseUrl });
    const raw = await connectRaw(stopped, ada);
    expect((await fetch(`${stopped.url}/readyz`)).status).toBe(200);
    const startedAt = performance.now();
    const exited = stopped.stop();
    expect(await raw.closed).toEqual({ code: 1001, reason: 'server shutting down' });
    expect(performance.now() - startedAt).toBeGreaterThan(2_900);
    expect(await exited).toBe(0);
  });

  test('clients resync when another process is killed, but not when it stops', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'parley-processes-'));
    onTestFinished(() => rm(folder, { recursive: true }));
    const ada = await first.signIn('ada');
    const stopped = await spawnServer(join(folder, 'stopped'), { databaseUrl });
    const killed = await spawnServer(join(folder, 'killed'), { databaseUrl });
    const raw = await connectRaw(first, ada);
    let isClosed = false;
    void raw.closed.then(() => (isClosed = true));
    // Both processes are known once they are heard.
    const live = await connectLive(first, ada);
    for (const [process, volume] of [
      [stopped, 'silent'],
      [killed, 'full'],
    ] as const) {
      await at(process, ada).request('PATCH', '/api/users/volume', { volume });
      await until(() => live.events.some(([, event]) => isDeepStrictEqual(event, { volume })));
    }
    expect(await stopped.stop()).toBe(0);
    await sleep(MORE_THAN_A_CHECK);
    expect(isClosed).toBe(false);
    await killed.kill();
    expect((await raw.closed).reason).toBe('reconnect to resync');
  });
});

const TERMINATE_LISTENERS = `
  select pg_terminate_backend(pid) from pg_locks
  where locktype = 'advisory' and classid = ${PROCESS_LOCK}
    and database = (select oid from pg_database where datname = current_database())`;
