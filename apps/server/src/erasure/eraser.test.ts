import { access, mkdir, writeFile } from 'node:fs/promises';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { addUpload, fillRoom } from '../../test/arrange.ts';
import {
  changesSince,
  createRoom,
  listChats,
  openRoom,
  recordEvents,
  send,
} from '../../test/chatting.ts';
import { erased } from '../../test/erased.ts';
import { startServer, type TestServer, type TestUser } from '../../test/harness.ts';
import { until } from '../../test/until.ts';
import { endAccount } from '../accounts/account-deletion.service.ts';
import { mediaPath } from '../media/media-store.ts';
import { mediaFile } from '../media/media-url.ts';
import { createAccountTraces } from './account-traces.ts';
import { eraseQueued } from './eraser.ts';
import { SLICE } from './slice.ts';

let server: TestServer;
let anna: TestUser;
let berta: TestUser;
beforeEach(async () => {
  server = await startServer();
  anna = await server.signIn('Anna');
  berta = await server.signIn('Berta');
});
afterEach(() => server.close());

/** Ends an account as its deletion does, without waking the eraser. */
async function endUnnoticed(user: TestUser): Promise<void> {
  await server.ctx.storage.write((write) =>
    endAccount(
      {
        ...write,
        emit: (event) => {
          if (event.type !== 'erasure-queued') write.emit(event);
        },
      },
      user.id,
    ),
  );
}

const messagesOf = (user: TestUser) =>
  server.ctx.storage.read((db) =>
    db.selectFrom('messages').selectAll().where('sender_id', '=', user.id).execute(),
  );

test('an ended account is hidden everywhere before anything of it is erased', async () => {
  const room = await createRoom(anna, berta, 'from Anna');
  const own = await send(berta, room, 'from Berta');
  const upload = await addUpload(server, anna);
  const file = mediaFile(server.ctx.config, upload.url) ?? '';
  await writeFile(mediaPath(server.ctx.config, file), 'x');
  const picture = await send(anna, room, upload.url);
  expect((await berta.request('GET', `/media/${file}`)).status).toBe(200);
  const before = (await openRoom(berta, room)).rev;
  const events = recordEvents(server);

  await endUnnoticed(anna);
  expect(await messagesOf(anna)).toHaveLength(2);

  expect(events.map(({ type }) => type)).toEqual(['sessions-ended', 'partner-deleted']);
  expect((await anna.request('GET', '/api/users/current')).status).toBe(401);
  const shown = await openRoom(berta, room);
  expect(shown).toMatchObject({ partnerName: 'deletedUser', unreadMessagesCount: 0 });
  expect(shown.chatroomMessages.map(({ _id }) => _id)).toEqual([own._id]);
  const [listed] = await listChats(berta);
  expect(listed).toMatchObject({ isDeletedAccount: true, unreadMessagesCount: 0 });
  expect(listed?.lastMessage?.content).toBe('from Berta');
  const all = (await changesSince(berta, { [room]: 0 })).rooms[0];
  expect(all?.updated.map(({ _id }) => _id)).toEqual([own._id]);
  expect(all?.deleted).toHaveLength(2);
  expect((await changesSince(berta, { [room]: before })).rooms[0]?.partnerName).toBe('deletedUser');
  expect((await berta.request('GET', `/media/${file}`)).status).toBe(404);
  const change = await berta.request('PATCH', '/api/messages/edit', {
    messageId: picture._id,
    content: 'x',
  });
  expect(change.status).toBe(404);
  for (const [path, body, status] of [
    ['/api/messages/send', { chatroom: room, content: 'x' }, 403],
    ['/api/chatrooms/exist', { username: 'Anna' }, 404],
    ['/api/chatrooms/create', { partnerName: 'Anna', content: 'x' }, 404],
  ] as const) {
    expect((await berta.request('POST', path, body)).status).toBe(status);
  }
  const again = await server.signIn('Anna');
  expect(await listChats(again)).toEqual([]);
});

test('a slice of an ended account changes a bounded number of messages and bytes', async () => {
  const room = await createRoom(anna, berta, 'first');
  await fillRoom(server, room, anna, 350);
  await fillRoom(server, room, berta, 10);
  await fillRoom(server, room, anna, 60, () => '😀'.repeat(10_000));
  await endUnnoticed(anna);

  const traces = createAccountTraces(anna.id);
  const counts: number[] = [];
  for (let isLeft = true; isLeft;) {
    const before = await messagesOf(anna);
    isLeft = await server.ctx.storage.write(({ trx }) => traces.eraseSlice(trx));
    const after = new Set((await messagesOf(anna)).map(({ id }) => id));
    const gone = before.filter(({ id }) => !after.has(id));
    expect(gone.length).toBeLessThanOrEqual(SLICE.rows);
    const bytes = gone.reduce((sum, { content }) => sum + Buffer.byteLength(content), 0);
    expect(bytes).toBeLessThanOrEqual(SLICE.bytes + 40_000);
    counts.push(gone.length);
  }
  expect(counts.length).toBeGreaterThan(4 + 8);
  expect(counts.reduce((sum, count) => sum + count, 0)).toBe(411);
  const left = await openRoom(berta, room);
  expect(left.chatroomMessages).toHaveLength(10);
  expect(left.rev).toBe(421 + 411);
  const rows = await server.ctx.storage.read((db) =>
    db.selectFrom('users').select('username').execute(),
  );
  expect(rows).toEqual([{ username: 'Berta' }]);
});

test('erasing goes on after the server was ended in the middle', async () => {
  const room = await createRoom(anna, berta, 'first');
  await fillRoom(server, room, anna, 500);
  await send(berta, room, 'mine');
  const upload = await addUpload(server, anna);
  const path = mediaPath(server.ctx.config, mediaFile(server.ctx.config, upload.url) ?? '');
  await mkdir(`${server.dataDir}/media`, { recursive: true });
  await writeFile(path, 'x');
  await endUnnoticed(anna);
  const traces = createAccountTraces(anna.id);
  for (let i = 0; i < 2; i++) {
    await server.ctx.storage.write(({ trx }) => traces.eraseSlice(trx));
  }
  expect(await messagesOf(anna)).toHaveLength(301);

  server = await server.restart();
  await erased(server);
  expect(await messagesOf(anna)).toEqual([]);
  const users = await server.ctx.storage.read((db) =>
    db.selectFrom('users').select('username').execute(),
  );
  expect(users).toEqual([{ username: 'Berta' }]);
  await expect(access(path)).rejects.toThrow('ENOENT');
  const revs = await server.ctx.storage.read((db) =>
    db.selectFrom('messages').select('rev').distinct().where('chatroom_id', '=', room).execute(),
  );
  expect(revs).toHaveLength(502);
});

test('the file of an upload goes also if the server ended before it could be deleted', async () => {
  const upload = await addUpload(server, anna);
  const path = mediaPath(server.ctx.config, mediaFile(server.ctx.config, upload.url) ?? '');
  await writeFile(path, 'x');
  await server.ctx.storage.write(({ trx }) =>
    trx.deleteFrom('media').where('id', '=', upload.id).execute(),
  );
  server = await server.restart();
  await until(() =>
    access(path).then(
      () => false,
      () => true,
    ),
  );
  await erased(server);
});

test('a chatroom that both members left goes in slices, with all of its messages', async () => {
  const room = await createRoom(anna, berta, 'first');
  await fillRoom(server, room, anna, 250);
  await fillRoom(server, room, berta, 250);
  await endUnnoticed(anna);
  await endUnnoticed(berta);
  let changed = 0;
  const slices: number[] = [];
  const storage: Pick<typeof server.ctx.storage, 'read' | 'write'> = {
    read: (work) => server.ctx.storage.read(work),
    write: async (job) => {
      const result = await server.ctx.storage.write(job);
      const count = await server.ctx.storage.read((db) =>
        db
          .selectFrom('messages')
          .select((eb) => eb.fn.countAll<number>().as('n'))
          .executeTakeFirstOrThrow(),
      );
      slices.push(changed - count.n);
      changed = count.n;
      return result;
    },
  };
  changed = 501;
  await eraseQueued({ ...server.ctx, storage }, new AbortController().signal);
  expect(Math.max(...slices)).toBe(SLICE.rows);
  for (const table of ['messages', 'chatrooms', 'chatroom_members', 'users', 'erasures'] as const) {
    expect(
      await server.ctx.storage.read((db) => db.selectFrom(table).selectAll().execute()),
    ).toEqual([]);
  }
});
