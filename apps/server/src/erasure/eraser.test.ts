import { basename } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { addUpload, fillChat } from '../../test/fixtures.ts';
import {
  changesSince,
  beginChat,
  openChatList,
  readChatroom,
  recordEvents,
  send,
} from '../../test/chatting.ts';
import { waitForErasure } from '../../test/wait-for-erasure.ts';
import { startServer, type TestServer, type TestUser } from '../../test/harness.ts';
import { putStoredFile, readStoredFile } from '../../test/stored-media.ts';
import { until } from '../../test/until.ts';
import { endAccount } from '../accounts/account-deletion.service.ts';
import { newId } from '../storage/ids.ts';
import type { Reader } from '../storage/storage.ts';
import { createAccountEraser } from './account-eraser.ts';
import { eraseQueued } from './eraser.ts';
import { BATCH } from './batch.ts';

let server: TestServer;
let anna: TestUser;
let berta: TestUser;
beforeEach(async () => {
  server = await startServer();
  anna = await server.signIn('Anna');
  berta = await server.signIn('Berta');
});
afterEach(() => server.close());

/** Marks an account as deleted without queueing its data, which the server would erase at any time. */
async function markAsDeleted({ id }: TestUser): Promise<void> {
  await server.ctx.storage.write(async (write) => {
    const emit: typeof write.emit = (event) => {
      if (event.type !== 'erasure-queued') write.emit(event);
    };
    await endAccount({ ...write, emit }, id);
    await write.trx.deleteFrom('erasures').where('subject', '=', id).execute();
  });
}

/** Queues the data of deleted accounts without waking the eraser. */
async function queueErasure(...users: readonly TestUser[]): Promise<void> {
  const queued = users.map(({ id }) => ({ kind: 'account' as const, subject: id }));
  await server.ctx.storage.write(({ trx }) => trx.insertInto('erasures').values(queued).execute());
}

const messagesOf = (user: TestUser) =>
  server.ctx.storage.read((db) =>
    db.selectFrom('messages').selectAll().where('sender_id', '=', user.id).execute(),
  );

test('skips what is not the file of an upload in a restored queue', async () => {
  const file = `${newId()}.png`;
  await putStoredFile(server, file, 'x');
  const queued = ['../parley.db', file].map((subject) => ({ kind: 'file' as const, subject }));
  await server.ctx.storage.write(({ trx }) => trx.insertInto('erasures').values(queued).execute());
  await eraseQueued(server.ctx, new AbortController().signal);
  expect(await readStoredFile(server, file)).toBeUndefined();
  await waitForErasure(server);
});

test('hides a deleted account everywhere before its data is erased', async () => {
  const chatroom = await beginChat(anna, berta, 'from Anna');
  const own = await send(berta, chatroom, 'from Berta');
  const upload = await addUpload(server, anna);
  const file = basename(upload.url);
  await putStoredFile(server, file, 'x');
  const picture = await send(anna, chatroom, upload.url);
  expect((await berta.request('GET', `/media/${file}`)).status).toBe(200);
  const before = (await readChatroom(berta, chatroom)).chat.rev;
  const events = recordEvents(server);

  await markAsDeleted(anna);
  expect(await messagesOf(anna)).toHaveLength(2);

  expect(events.map(({ type }) => type)).toEqual(['sessions-ended']);
  expect((await anna.request('GET', '/api/users/current')).status).toBe(401);
  const shown = await readChatroom(berta, chatroom);
  expect(shown).toMatchObject({ partnerName: 'deletedUser', unreadMessagesCount: 0 });
  expect(shown.chatroomMessages.map(({ _id }) => _id)).toEqual([own._id]);
  const [listed] = await openChatList(berta);
  expect(listed).toMatchObject({ isDeletedAccount: true, unreadMessagesCount: 0 });
  expect(listed?.lastMessage?.content).toBe('from Berta');
  const all = (await changesSince(berta, { [chatroom]: 0 })).rooms[0];
  expect(all?.updated.map(({ _id }) => _id)).toEqual([own._id]);
  expect(all?.deleted).toHaveLength(2);
  expect((await changesSince(berta, { [chatroom]: before })).rooms[0]?.chat).toEqual(listed);
  expect((await berta.request('GET', `/media/${file}`)).status).toBe(404);
  const change = await berta.request('PATCH', '/api/messages/edit', {
    messageId: picture._id,
    content: 'x',
  });
  expect(change.status).toBe(404);
  for (const [path, body, status] of [
    ['/api/messages/send', { chatroom, content: 'x' }, 403],
    ['/api/chatrooms/exist', { username: 'Anna' }, 404],
    ['/api/chatrooms/create', { partnerName: 'Anna', content: 'x' }, 404],
  ] as const) {
    expect((await berta.request('POST', path, body)).status).toBe(status);
  }
  const again = await server.signIn('Anna');
  expect(await openChatList(again)).toEqual([]);
});

test('erases a bounded number of messages and bytes of a deleted account per batch', async () => {
  const chatroom = await beginChat(anna, berta, 'first');
  await fillChat(server, chatroom, anna, 350);
  await fillChat(server, chatroom, berta, 10);
  await fillChat(server, chatroom, anna, 60, () => '😀'.repeat(10_000));
  await markAsDeleted(anna);

  const eraser = createAccountEraser(anna.id);
  const counts: number[] = [];
  for (let hasMore = true; hasMore;) {
    const before = await messagesOf(anna);
    hasMore = await server.ctx.storage.write(({ trx }) => eraser.eraseBatch(trx));
    const after = new Set((await messagesOf(anna)).map(({ id }) => id));
    const gone = before.filter(({ id }) => !after.has(id));
    expect(gone.length).toBeLessThanOrEqual(BATCH.rows);
    const bytes = gone.reduce((sum, { content }) => sum + Buffer.byteLength(content), 0);
    expect(bytes).toBeLessThanOrEqual(BATCH.bytes + 40_000);
    counts.push(gone.length);
  }
  expect(counts.length).toBeGreaterThan(4 + 8);
  expect(counts.reduce((sum, count) => sum + count, 0)).toBe(411);
  const left = await readChatroom(berta, chatroom);
  expect(left.chatroomMessages).toHaveLength(10);
  expect(left.chat.rev).toBe(421 + 411);
  const rows = await server.ctx.storage.read((db) =>
    db.selectFrom('users').select('username').execute(),
  );
  expect(rows).toEqual([{ username: 'Berta' }]);
});

test('continues erasing after a restart', async () => {
  const chatroom = await beginChat(anna, berta, 'first');
  await fillChat(server, chatroom, anna, 500);
  await send(berta, chatroom, 'mine');
  const upload = await addUpload(server, anna);
  const file = basename(upload.url);
  await putStoredFile(server, file, 'x');
  await markAsDeleted(anna);
  const eraser = createAccountEraser(anna.id);
  for (let i = 0; i < 2; i++) {
    await server.ctx.storage.write(({ trx }) => eraser.eraseBatch(trx));
  }
  expect(await messagesOf(anna)).toHaveLength(301);
  await queueErasure(anna);

  server = await server.restart();
  await waitForErasure(server);
  expect(await messagesOf(anna)).toEqual([]);
  const users = await server.ctx.storage.read((db) =>
    db.selectFrom('users').select('username').execute(),
  );
  expect(users).toEqual([{ username: 'Berta' }]);
  expect(await readStoredFile(server, file)).toBeUndefined();
  const revs = await server.ctx.storage.read((db) =>
    db
      .selectFrom('messages')
      .select('rev')
      .distinct()
      .where('chatroom_id', '=', chatroom)
      .execute(),
  );
  expect(revs).toHaveLength(502);
});

test('deletes the file of an upload after a restart if it could not be deleted before', async () => {
  const upload = await addUpload(server, anna);
  const file = basename(upload.url);
  await putStoredFile(server, file, 'x');
  await server.ctx.storage.write(({ trx }) =>
    trx.deleteFrom('media').where('id', '=', upload.id).execute(),
  );
  server = await server.restart();
  await until(async () => (await readStoredFile(server, file)) === undefined);
  await waitForErasure(server);
});

/** Returns an eraser, and the users whom each of its writes has told the state of a chat. */
function watchWrites(onWrite: (index: number) => Promise<void> = async () => undefined) {
  const told: string[][] = [];
  const storage: Pick<typeof server.ctx.storage, 'read' | 'write'> = {
    read: (work) => server.ctx.storage.read(work),
    write: async (work, options) => {
      await onWrite(told.length);
      return server.ctx.storage.write(async (context) => {
        const userIds: string[] = [];
        const emit: typeof context.emit = (event) => {
          context.emit(event);
          if (event.type === 'chat-changed') userIds.push(event.userId);
        };
        const result = await work({ ...context, emit });
        told.push(userIds);
        return result;
      }, options);
    },
  };
  return {
    told,
    erase: () => eraseQueued({ ...server.ctx, storage }, new AbortController().signal),
  };
}

test('tells each partner of many chatrooms first, in writes of at most 10', async () => {
  const partners = [berta];
  for (let i = 0; i < 22; i += 1) partners.push(await server.signIn(`Partner${i}`));
  for (const partner of partners) await beginChat(anna, partner);
  await markAsDeleted(anna);
  await queueErasure(anna);
  const { told, erase } = watchWrites();
  await erase();

  expect(told.slice(0, 3).map(({ length }) => length)).toEqual([10, 10, 3]);
  expect(told.flat().toSorted()).toEqual(partners.map(({ id }) => id).toSorted());
  for (const partner of partners) {
    const [chat] = await openChatList(partner);
    expect(chat).toMatchObject({ isDeletedAccount: true, usernames: [], lastMessage: null });
  }
});

test('tells the partners of an account that ends while another one is erased', async () => {
  await fillChat(server, await beginChat(anna, berta), anna, 2 * BATCH.rows);
  const carla = await server.signIn('Carla');
  await beginChat(carla, berta);
  await markAsDeleted(anna);
  await queueErasure(anna);
  const { told, erase } = watchWrites(async (index) => {
    if (index !== 1) return;
    await markAsDeleted(carla);
    await queueErasure(carla);
  });
  await erase();
  // The first batch of the first account, then the partner of the second one.
  expect(told.slice(0, 3)).toEqual([[berta.id], [], [berta.id]]);
  expect(await messagesOf(anna)).toEqual([]);
});

test('tells the partners later if it could not do so before', async () => {
  await beginChat(anna, berta);
  await markAsDeleted(anna);
  await queueErasure(anna);
  const failing = watchWrites(() => Promise.reject(new Error('The disk is full')));
  await expect(failing.erase()).rejects.toThrow('The disk is full');
  const { told, erase } = watchWrites();
  await erase();
  expect(told[0]).toEqual([berta.id]);
});

test('deletes a chatroom without members and its messages in batches', async () => {
  const chatroom = await beginChat(anna, berta, 'first');
  await fillChat(server, chatroom, anna, 250);
  await fillChat(server, chatroom, berta, 250);
  await markAsDeleted(anna);
  await markAsDeleted(berta);
  await queueErasure(anna, berta);
  const countMessages = async (db: Reader) => {
    const { count } = await db
      .selectFrom('messages')
      .select((eb) => eb.fn.countAll<number>().as('count'))
      .executeTakeFirstOrThrow();
    return count;
  };
  const batches: number[] = [];
  const storage: Pick<typeof server.ctx.storage, 'read' | 'write'> = {
    read: (work) => server.ctx.storage.read(work),
    // Counted in the same transaction, as the server may erase at the same time.
    write: (job) =>
      server.ctx.storage.write(async (context) => {
        const before = await countMessages(context.trx);
        const result = await job(context);
        batches.push(before - (await countMessages(context.trx)));
        return result;
      }),
  };
  await eraseQueued({ ...server.ctx, storage }, new AbortController().signal);
  expect(Math.max(...batches)).toBe(BATCH.rows);
  for (const table of ['messages', 'chatrooms', 'chatroom_members', 'users', 'erasures'] as const) {
    expect(
      await server.ctx.storage.read((db) => db.selectFrom(table).selectAll().execute()),
    ).toEqual([]);
  }
});
