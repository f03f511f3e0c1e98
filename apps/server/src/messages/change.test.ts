import { randomUUID } from 'node:crypto';
import type { Message } from '@parley/contract';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { addUpload, eraseAccount } from '../../test/fixtures.ts';
import { beginChat, openChatList, readChatroom, recordEvents, send } from '../../test/chatting.ts';
import { startServer, type TestServer, type TestUser } from '../../test/harness.ts';

let server: TestServer;
let alice: TestUser;
let bob: TestUser;
let chatroomId: string;
let message: Message;
beforeEach(async () => {
  server = await startServer();
  alice = await server.signIn('Alice');
  bob = await server.signIn('Bob');
  chatroomId = await beginChat(alice, bob);
  message = await send(alice, chatroomId, 'first');
});
afterEach(() => server.close());

const edit = (user: TestUser, messageId: unknown, content: unknown = 'changed') =>
  user.request('PATCH', '/api/messages/edit', { messageId, content });
const remove = (user: TestUser, messageId: unknown, more: object = {}) =>
  user.request('DELETE', '/api/messages/delete', { messageId, ...more });

/** Expects editing and deleting to be rejected. */
async function expectRefusal(user: TestUser, id: unknown, status: number, code: string) {
  for (const response of [await edit(user, id), await remove(user, id)]) {
    expect(response).toMatchObject({ status, body: { code, errorMessage: expect.any(String) } });
  }
}

describe('editing a message', () => {
  test('changes the text, revision and time, and notifies both members', async () => {
    const events = recordEvents(server);
    const response = await edit(alice, message._id, 'second\n\n');
    expect(response).toMatchObject({
      status: 200,
      body: { ...message, content: 'second', rev: 3, updatedAt: expect.any(String) },
    });
    expect(Date.parse(response.body.updatedAt)).toBeGreaterThan(Date.parse(message.createdAt));
    expect(events).toEqual([
      { type: 'message-edited', message: response.body, members: [alice.id, bob.id] },
    ]);
    const page = await readChatroom(bob, chatroomId);
    expect(page.chatroomMessages[1]).toEqual(response.body);
    expect(page.chat.rev).toBe(3);
    expect((await openChatList(bob))[0]?.lastMessage?.content).toBe('second');
  });

  test('gives concurrent edits different times', async () => {
    const responses = await Promise.all([
      edit(alice, message._id, 'a'),
      edit(alice, message._id, 'b'),
    ]);
    const times = responses.map(({ body }) => Date.parse(body.updatedAt));
    expect(new Set(times).size).toBe(2);
    expect(new Set(responses.map(({ body }) => body.rev))).toEqual(new Set([3, 4]));
  });

  test('does nothing if the text is the same', async () => {
    const events = recordEvents(server);
    expect(await edit(alice, message._id, 'first\n')).toMatchObject({ status: 200, body: message });
    expect(events).toEqual([]);
    expect((await readChatroom(alice, chatroomId)).chat.rev).toBe(2);
  });

  test('stores an edit that is the URL of an upload as text, without using the upload', async () => {
    const { url } = await addUpload(server, alice);
    expect(await edit(alice, message._id, url)).toMatchObject({
      status: 200,
      body: { kind: 'text', content: url },
    });
    expect(await send(alice, chatroomId, url)).toMatchObject({ kind: 'image' });
  });

  test('rejects edits of media', async () => {
    const { url } = await addUpload(server, alice);
    const picture = await send(alice, chatroomId, url);
    expect(await edit(alice, picture._id)).toMatchObject({
      status: 400,
      body: { code: 'media_not_editable' },
    });
  });

  test('sends 403 if the partner was deleted', async () => {
    await eraseAccount(server, bob);
    expect(await edit(alice, message._id)).toMatchObject({
      status: 403,
      body: { code: 'partner_deleted' },
    });
  });

  test.each([[''], [' \n'], ['\u3164'], [undefined], [null], [1], ['x'.repeat(10_001)]])(
    'rejects the content %j',
    async (content) => {
      const body = { messageId: message._id, content };
      expect(await alice.request('PATCH', '/api/messages/edit', body)).toMatchObject({
        status: 400,
        body: { code: 'invalid_request' },
      });
    },
  );
});

describe('deleting a message', () => {
  test('removes the message for both members and notifies them', async () => {
    const events = recordEvents(server);
    const response = await remove(alice, message._id, { content: 'ignored' });
    const deleted = { _id: message._id, chatroom: chatroomId, seq: 2, rev: 3 };
    expect(response).toMatchObject({ status: 200, body: deleted });
    expect(events).toEqual([
      { type: 'message-deleted', deleted, members: [alice.id, bob.id] },
      { type: 'chat-changed', userId: bob.id, chat: (await readChatroom(bob, chatroomId)).chat },
      {
        type: 'chat-changed',
        userId: alice.id,
        chat: (await readChatroom(alice, chatroomId)).chat,
      },
    ]);
    for (const user of [alice, bob]) {
      const page = await readChatroom(user, chatroomId);
      expect(page.chatroomMessages.map(({ seq }) => seq)).toEqual([1]);
      expect(page.chat.rev).toBe(3);
    }
    expect((await openChatList(bob))[0]).toMatchObject({
      lastMessage: { content: 'Hello' },
      unreadMessagesCount: 1,
    });
  });

  test('erases the text from the database', async () => {
    await remove(alice, message._id);
    const row = await server.ctx.storage.read((db) =>
      db.selectFrom('messages').selectAll().where('id', '=', message._id).executeTakeFirstOrThrow(),
    );
    expect(row).toMatchObject({ content: '', media_id: null, deleted_at: expect.any(Number) });
  });

  test('deletes the upload', async () => {
    const { id, url } = await addUpload(server, alice);
    const picture = await send(alice, chatroomId, url);
    await remove(alice, picture._id);
    const rows = await server.ctx.storage.read((db) =>
      db.selectFrom('media').select('id').execute(),
    );
    expect(rows).not.toContainEqual({ id });
  });

  test('does not change the seq of other messages or reuse its own', async () => {
    await remove(alice, message._id);
    expect(await send(bob, chatroomId, 'next')).toMatchObject({ seq: 3, rev: 4 });
  });

  test('keeps the chat list position of a chatroom whose last message is deleted', async () => {
    const { chatroomMessages } = await readChatroom(alice, chatroomId);
    for (const { _id } of chatroomMessages) await remove(alice, _id);
    expect(await openChatList(bob)).toMatchObject([
      { lastMessage: null, timestamps: [], unreadMessagesCount: 0, rev: 4 },
    ]);
  });

  test('still works after the partner was deleted', async () => {
    await eraseAccount(server, bob);
    const events = recordEvents(server);
    expect((await remove(alice, message._id)).status).toBe(200);
    expect(events).toMatchObject([
      { type: 'message-deleted', members: [alice.id] },
      { type: 'chat-changed', userId: alice.id },
    ]);
  });
});

test("sends 403 for a partner's message and 404 for deleted, unknown and others' messages", async () => {
  const carol = await server.signIn('Carol');
  await expectRefusal(bob, message._id, 403, 'not_sender');
  await expectRefusal(carol, message._id, 404, 'message_not_found');
  await expectRefusal(alice, randomUUID(), 404, 'message_not_found');
  await remove(alice, message._id);
  await expectRefusal(alice, message._id, 404, 'message_not_found');
  await expectRefusal(bob, message._id, 404, 'message_not_found');
});

test('sends 400 for invalid ids and 401 without a session', async () => {
  for (const id of [undefined, null, 1, '', 'x', [message._id]]) {
    await expectRefusal(alice, id, 400, 'invalid_request');
  }
  const guest = Object.assign(server.client(), { id: '', username: '', sessionId: '' });
  await expectRefusal(guest, message._id, 401, 'unauthenticated');
});
