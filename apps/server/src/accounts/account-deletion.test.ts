import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { addUpload } from '../../test/fixtures.ts';
import {
  changeConsent,
  changesSince,
  beginChat,
  openChat,
  openChatList,
  readChatroom,
  recordEvents,
  send,
} from '../../test/chatting.ts';
import { waitForErasure } from '../../test/wait-for-erasure.ts';
import { startServer, type TestServer, type TestUser } from '../../test/harness.ts';
import { join, login } from '../../test/joining.ts';
import { putStoredFile } from '../../test/stored-media.ts';
import { listUploadedFiles } from '../../test/uploading.ts';
import type { Tables } from '../storage/tables/index.ts';

let server: TestServer;
let anna: TestUser;
let berta: TestUser;
beforeEach(async () => {
  server = await startServer();
  anna = await server.signIn('Anna');
  berta = await server.signIn('Berta');
});
afterEach(() => server.close());

const deleteAccountOf = (user: TestUser) => user.request('DELETE', '/api/users/delete');
/** Deletes the account and waits until its data is erased. */
const deleteAndErase = async (user: TestUser) => {
  expect((await deleteAccountOf(user)).status).toBe(200);
  await waitForErasure(server);
};
const count = async (table: keyof Tables) => {
  const { n } = await server.ctx.storage.read((db) =>
    db
      .selectFrom(table)
      .select((eb) => eb.fn.countAll<number>().as('n'))
      .executeTakeFirstOrThrow(),
  );
  return n;
};

/** Checks the invariants of all chatrooms. */
async function expectConsistentChatrooms() {
  const rooms = await server.ctx.storage.read((db) =>
    db.selectFrom('chatrooms').selectAll().execute(),
  );
  for (const room of rooms) {
    const messages = await server.ctx.storage.read((db) =>
      db
        .selectFrom('messages')
        .selectAll()
        .where('chatroom_id', '=', room.id)
        .orderBy('seq')
        .execute(),
    );
    expect(messages.map(({ seq }) => seq)).toEqual(messages.map((_, i) => i + 1));
    expect(room.last_seq).toBe(messages.length);
    expect(room.last_rev).toBe(Math.max(...messages.map(({ rev }) => rev)));
    for (const message of messages.filter(({ deleted_at }) => deleted_at !== null)) {
      expect(message).toMatchObject({ content: '', media_id: null });
    }
  }
}

describe('deleting an account', () => {
  test('ends the session, clears the cookie and removes all data of the user', async () => {
    const carla = await join(server, 'Carla');
    await login(server.client(), carla);
    const ids = await server.ctx.storage.read((db) =>
      db
        .selectFrom('sessions')
        .innerJoin('users', 'users.id', 'sessions.user_id')
        .select('sessions.id')
        .where('username', '=', 'Carla')
        .execute(),
    );
    await server.client().request('PATCH', '/api/users/forgot-pw', { email: carla.email });
    const events = recordEvents(server);
    const response = await carla.request('DELETE', '/api/users/delete');
    expect(response.status).toBe(200);
    expect(response.body).toEqual({ ok: true });
    expect(response.headers.getSetCookie()[0]).toMatch(/^parley\.sid=;.*Max-Age=0/);
    expect(events).toEqual([
      {
        type: 'sessions-ended',
        sessionIds: expect.arrayContaining(ids.map(({ id }) => id)),
        reason: 'account-deleted',
      },
      { type: 'erasure-queued' },
    ]);
    await waitForErasure(server);
    expect(await count('users')).toBe(2);
    expect(await count('account_keys')).toBe(0);
    expect(await count('outgoing_mails')).toBe(0);
    expect((await carla.request('GET', '/api/users/current')).status).toBe(401);
    expect((await server.client().request('POST', '/api/users/login', carla)).status).toBe(404);
    const again = await server.client().request('POST', '/api/users/register', carla);
    expect(again.status).toBe(201);
  });

  test("keeps the chatroom with the partner's own messages and notifies the partner", async () => {
    const room = await beginChat(anna, berta, 'from Anna');
    const own = await send(berta, room, 'from Berta');
    const second = await send(anna, room, 'again from Anna');
    const gone = await send(anna, room, 'deleted before');
    await anna.request('DELETE', '/api/messages/delete', { messageId: gone._id });
    const before = (await openChat(berta, room)).rev;
    const events = recordEvents(server);

    await deleteAndErase(anna);

    const told = events.filter((event) => event.type === 'chat-changed');
    expect(told).toMatchObject([
      {
        userId: berta.id,
        chat: {
          chatId: room,
          isDeletedAccount: true,
          usernames: [],
          lastMessage: { content: 'from Berta' },
          unreadMessagesCount: 0,
        },
      },
    ]);
    const page = await readChatroom(berta, room);
    expect(page.partnerName).toBe('deletedUser');
    expect(page.chatroomMessages.map(({ _id }) => _id)).toEqual([own._id]);
    expect(page.unreadMessagesCount).toBe(0);
    expect((await openChatList(berta))[0]).toMatchObject({ isDeletedAccount: true, usernames: [] });
    const { rooms } = await changesSince(berta, { [room]: before });
    expect(rooms[0]?.deleted.map(({ seq, rev }) => [seq, rev])).toEqual([
      [1, before + 1],
      [second.seq, before + 2],
    ]);
    const response = await berta.request('POST', '/api/messages/send', {
      chatroom: room,
      content: 'still there?',
    });
    expect(response.status).toBe(403);
    await expectConsistentChatrooms();
  });

  test('tells no partner who has blocked the account or declined its request', async () => {
    const blocked = await beginChat(anna, berta);
    await changeConsent(berta, blocked, 'block');
    const carla = await server.signIn('Carla');
    await changeConsent(carla, await beginChat(anna, carla, 'Hi', { isRequest: true }), 'decline');
    const before = await openChat(berta, blocked);
    const events = recordEvents(server);
    await deleteAndErase(anna);
    expect(events.filter(({ type }) => type === 'chat-changed')).toEqual([]);
    expect(await openChat(berta, blocked)).toMatchObject({
      memberRev: before.memberRev,
      status: 'blocked',
      isDeletedAccount: true,
    });
  });

  test('removes a chatroom once both members are deleted', async () => {
    const room = await beginChat(anna, berta);
    await send(berta, room, 'Hello yourself');
    await deleteAndErase(anna);
    expect(await count('chatrooms')).toBe(1);
    await deleteAndErase(berta);
    for (const table of [
      'chatrooms',
      'chatroom_members',
      'messages',
      'users',
      'sessions',
    ] as const) {
      expect(await count(table)).toBe(0);
    }
  });

  test("removes the user's uploads, sent or not, and keeps those of others", async () => {
    const room = await beginChat(anna, berta);
    const uploads = [
      await addUpload(server, anna),
      await addUpload(server, anna, { kind: 'audio', extension: 'mp3' }),
      await addUpload(server, berta),
    ];
    const files = uploads.map(({ url }) => url.split('/').at(-1) ?? '');
    for (const file of files) await putStoredFile(server, file, 'bytes');
    await send(anna, room, uploads[0]?.url ?? '');
    await send(berta, room, uploads[2]?.url ?? '');

    await deleteAndErase(anna);

    expect(await listUploadedFiles(server)).toEqual(files.slice(2));
    expect(await count('media')).toBe(1);
    expect((await readChatroom(berta, room)).chatroomMessages).toHaveLength(1);
    await expectConsistentChatrooms();
  });

  test('leaves nothing behind if both members delete their accounts concurrently', async () => {
    const room = await beginChat(anna, berta);
    await send(berta, room, 'Bye');
    const responses = await Promise.all([deleteAccountOf(anna), deleteAccountOf(berta)]);
    expect(responses.map(({ status }) => status)).toEqual([200, 200]);
    await waitForErasure(server);
    expect(await count('messages')).toBe(0);
    expect(await count('chatrooms')).toBe(0);
  });

  test('keeps all chatrooms consistent while messages arrive', async () => {
    const partners = await Promise.all(['Carl', 'Dora', 'Emil'].map((n) => server.signIn(n)));
    const rooms = await Promise.all(partners.map((partner) => beginChat(partner, anna)));
    const sending = partners.flatMap((partner, i) =>
      [anna, partner, anna, partner].map((from) =>
        from.request('POST', '/api/messages/send', { chatroom: rooms[i], content: 'Hello' }),
      ),
    );
    const deletion = deleteAccountOf(anna);
    await Promise.all([...sending, deletion]);
    expect((await deletion).status).toBe(200);
    await waitForErasure(server);
    expect(
      await server.ctx.storage.read((db) =>
        db.selectFrom('messages').select('id').where('sender_id', '=', anna.id).execute(),
      ),
    ).toEqual([]);
    await expectConsistentChatrooms();
  });
});

test('responds with 401 if the account was deleted in the meantime', async () => {
  const other = Object.assign(server.client(), { cookie: anna.cookie });
  const responses = await Promise.all([deleteAccountOf(anna), deleteAccountOf(anna)]);
  expect(responses.map(({ status }) => status)).toContain(200);
  expect((await other.request('GET', '/api/users/current')).status).toBe(401);
});
