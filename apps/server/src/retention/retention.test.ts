import { mkdir, readdir, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { changesSince, beginChat, readChatroom, recordEvents, send } from '../../test/chatting.ts';
import { startServer, type TestServer, type TestUser } from '../../test/harness.ts';
import { sample } from '../../test/samples.ts';
import { until } from '../../test/until.ts';
import { waitForErasure } from '../../test/wait-for-erasure.ts';
import { listUploadedFiles, upload } from '../../test/uploading.ts';
import { createClockTrust } from '../scheduling/clock-trust.ts';
import type { Job } from '../storage/cluster.ts';
import { idFloor } from '../storage/ids.ts';
import { createRetentionJob } from './retention.job.ts';
import { createRetention } from './retention.service.ts';

const DAY = 24 * 60 * 60 * 1000;
let server: TestServer;
let ada: TestUser;
let bob: TestUser;
beforeEach(async () => {
  server = await startServer();
  ada = await server.signIn('Ada');
  bob = await server.signIn('Bob');
});
afterEach(async () => {
  vi.useRealTimers();
  await server.close();
});

/** Makes the messages of a chatroom look as if they had been sent `days` days ago. */
async function age(chatroom: string, days: number): Promise<void> {
  const prefix = idFloor(Date.now() - days * DAY).slice(0, 18);
  await server.ctx.storage.write(async ({ trx }) => {
    const rows = await trx
      .selectFrom('messages')
      .select('id')
      .where('chatroom_id', '=', chatroom)
      .execute();
    for (const { id } of rows) {
      await trx
        .updateTable('messages')
        .set({ id: prefix + id.slice(18) })
        .where('id', '=', id)
        .execute();
    }
  });
}

const apply = (days: number) =>
  createRetention(server.ctx, days).apply(new AbortController().signal);

test(
  'tells nothing of expired messages to a sender who has deleted the chat',
  { tags: ['postgres'] },
  async () => {
    const chatroom = await beginChat(ada, bob, 'old');
    const seen = await send(ada, chatroom, 'seen by Bob');
    await age(chatroom, 31);
    const { rev } = await send(bob, chatroom, 'young');
    const deleteChat = (user: TestUser, seq: number) =>
      user.request('POST', `/api/chatrooms/chats/${chatroom}/delete`, { seq });
    expect((await deleteChat(ada, seen.seq)).status).toBe(200);
    expect((await deleteChat(bob, seen.seq - 1)).status).toBe(200);
    await waitForErasure(server);
    const events = recordEvents(server);
    await apply(30);
    const told = events.flatMap((event) =>
      event.type === 'message-deleted' ? [event.members] : [],
    );
    // The first one was erased before, which neither notices. They expire in any order.
    expect(told.toSorted((a, b) => a.length - b.length)).toEqual([[], [bob.id]]);
    for (const user of [ada, bob]) {
      expect((await readChatroom(user, chatroom)).chat.rev).toBe(rev + 2);
    }
  },
);

test(
  'deletes expired messages and their files for both members and publishes events',
  { tags: ['postgres'] },
  async () => {
    const chatroom = await beginChat(ada, bob, 'old');
    const { body } = await upload(ada, 'image', sample('picture.png'));
    await send(ada, chatroom, body.url);
    await age(chatroom, 31);
    const young = await send(bob, chatroom, 'young');
    const { rev } = young;
    const events = recordEvents(server);

    await apply(30);
    expect((await readChatroom(ada, chatroom)).chatroomMessages).toMatchObject([
      { content: 'young' },
    ]);
    expect(await listUploadedFiles(server)).toEqual([]);
    expect(events.slice(0, 2).map((event) => event.type)).toEqual([
      'message-deleted',
      'message-deleted',
    ]);
    const told = [ada, bob].map(async (user) => {
      const { chat } = await readChatroom(user, chatroom);
      return { type: 'chat-changed', userId: user.id, chat };
    });
    const states = events.slice(2).filter((event) => event.type === 'chat-changed');
    expect(states).toHaveLength(events.length - 2);
    const byUser = Map.groupBy(states, ({ userId }) => userId);
    expect([byUser.get(ada.id), byUser.get(bob.id)]).toEqual(
      (await Promise.all(told)).map((event) => [event]),
    );
    const { rooms } = await changesSince(bob, { [chatroom]: rev });
    expect(rooms).toMatchObject([{ deleted: [{ rev: rev + 1 }, { rev: rev + 2 }] }]);

    await apply(30);
    expect(events).toHaveLength(4);
  },
);

test('deletes more messages than fit into one write', async () => {
  const chatroom = await beginChat(ada, bob, 'old');
  for (let i = 0; i < 250; i += 1) await send(ada, chatroom, `old ${i}`);
  await age(chatroom, 3);
  await apply(2);
  expect((await readChatroom(ada, chatroom)).chatroomMessages).toEqual([]);
});

test(
  'deletes nothing right after the clock was put forward by more than a day',
  { tags: ['postgres'] },
  async () => {
    const chatroom = await beginChat(ada, bob, 'recent');
    const onPutForward = vi.fn<(by: number) => void>();
    const config = { ...server.ctx.config, retentionDays: 30 };
    const createJob = () =>
      createRetentionJob({ ...server.ctx, config, clock: createClockTrust(onPutForward) });
    const runUntil = async (job: Job, check: () => boolean | Promise<boolean>) => {
      const stopping = new AbortController();
      const running = job(stopping.signal, stopping.signal);
      await until(check);
      stopping.abort();
      await running;
    };
    const count = async () => (await readChatroom(ada, chatroom)).chatroomMessages.length;

    const job = createJob();
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 300 * DAY });
    await server.renewSession(ada);
    await runUntil(job, () => onPutForward.mock.calls.length > 0);
    expect(await count()).toBe(1);
    // A process that starts then trusts the clock.
    await runUntil(createJob(), async () => (await count()) === 0);
  },
);

test('deletes expired messages when the server starts', async () => {
  const chatroom = await beginChat(ada, bob, 'old');
  await age(chatroom, 3);
  server = await server.restart({ PARLEY_RETENTION_DAYS: '2' });
  await until(async () => (await readChatroom(ada, chatroom)).chatroomMessages.length === 0);
});

test.each([
  ['30 days', 30, {}],
  ['the retention period of messages if it is shorter', 2, { PARLEY_RETENTION_DAYS: '2' }],
])('keeps mails that were written to files for %s', async (_, days, env) => {
  const folder = join(server.dataDir, 'outbox');
  await mkdir(folder);
  const put = async (name: string, age: number) => {
    await writeFile(join(folder, name), 'x');
    const then = new Date(Date.now() - age * DAY);
    await utimes(join(folder, name), then, then);
  };
  await put('old.eml', days + 0.1);
  await put('half.eml.part', days + 0.1);
  await put('young.eml', days - 0.1);
  await put('note.txt', days + 0.1);
  server = await server.restart(env);
  await until(async () => (await readdir(folder)).length === 2);
  expect((await readdir(folder)).toSorted()).toEqual(['note.txt', 'young.eml']);
});

test('deletes leftovers of interrupted backups after a week', async () => {
  const put = async (name: string, age: number) => {
    const folder = join(server.dataDir, name);
    await mkdir(folder);
    await writeFile(join(folder, 'parley.db'), 'x');
    const then = new Date(Date.now() - age * DAY);
    await utimes(folder, then, then);
  };
  await put('.backup-old', 7.1);
  await put('.restore-old', 7.1);
  await put('.backup-young', 6.9);
  await put('mine', 7.1);
  server = await server.restart();
  const left = async () =>
    (await readdir(server.dataDir)).filter((name) => /old|young|mine/.test(name));
  await until(async () => (await left()).length === 2);
  expect((await left()).toSorted()).toEqual(['.backup-young', 'mine']);
});
