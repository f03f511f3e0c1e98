import { randomUUID } from 'node:crypto';
import type { Message } from '@parley/contract';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { addUpload, leave } from '../../test/arrange.ts';
import { createRoom, listChats, openRoom, recordEvents, send } from '../../test/chatting.ts';
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
  chatroomId = await createRoom(alice, bob);
  message = await send(alice, chatroomId, 'first');
});
afterEach(() => server.close());

const edit = (user: TestUser, messageId: unknown, content: unknown = 'changed') =>
  user.request('PATCH', '/api/messages/edit', { messageId, content });
const remove = (user: TestUser, messageId: unknown, more: object = {}) =>
  user.request('DELETE', '/api/messages/delete', { messageId, ...more });

/** What anybody gets who may not touch a message, for both calls. */
async function expectRefusal(user: TestUser, id: unknown, status: number, code: string) {
  for (const answer of [await edit(user, id), await remove(user, id)]) {
    expect(answer).toMatchObject({ status, body: { code, errorMessage: expect.any(String) } });
  }
}

describe('edit', () => {
  test('changes the text, its revision and its time, and tells both', async () => {
    const events = recordEvents(server);
    const answer = await edit(alice, message._id, 'second\n\n');
    expect(answer).toMatchObject({
      status: 200,
      body: { ...message, content: 'second', rev: 3, updatedAt: expect.any(String) },
    });
    expect(Date.parse(answer.body.updatedAt)).toBeGreaterThan(Date.parse(message.createdAt));
    expect(events).toEqual([
      { type: 'message-edited', message: answer.body, members: [alice.id, bob.id] },
    ]);
    const page = await openRoom(bob, chatroomId);
    expect(page.chatroomMessages[1]).toEqual(answer.body);
    expect(page.rev).toBe(3);
    expect((await listChats(bob))[0]?.lastMessage?.content).toBe('second');
  });

  test('twice in the same moment gives two times', async () => {
    const answers = await Promise.all([
      edit(alice, message._id, 'a'),
      edit(alice, message._id, 'b'),
    ]);
    const times = answers.map(({ body }) => Date.parse(body.updatedAt));
    expect(new Set(times).size).toBe(2);
    expect(new Set(answers.map(({ body }) => body.rev))).toEqual(new Set([3, 4]));
  });

  test('to the same text changes nothing', async () => {
    const events = recordEvents(server);
    expect(await edit(alice, message._id, 'first\n')).toMatchObject({ status: 200, body: message });
    expect(events).toEqual([]);
    expect((await openRoom(alice, chatroomId)).rev).toBe(2);
  });

  test('a text that becomes the URL of an upload stays a text, and leaves the upload unused', async () => {
    const { url } = await addUpload(server, alice);
    expect(await edit(alice, message._id, url)).toMatchObject({
      status: 200,
      body: { kind: 'text', content: url },
    });
    expect(await send(alice, chatroomId, url)).toMatchObject({ kind: 'image' });
  });

  test('media is 400', async () => {
    const { url } = await addUpload(server, alice);
    const picture = await send(alice, chatroomId, url);
    expect(await edit(alice, picture._id)).toMatchObject({
      status: 400,
      body: { code: 'media_not_editable' },
    });
  });

  test('after the partner has left is 403', async () => {
    await leave(server, bob);
    expect(await edit(alice, message._id)).toMatchObject({
      status: 403,
      body: { code: 'partner_deleted' },
    });
  });

  test.each([[''], [' \n'], [undefined], [null], [1], ['x'.repeat(10_001)]])(
    'to %j is 400',
    async (content) => {
      const body = { messageId: message._id, content };
      expect(await alice.request('PATCH', '/api/messages/edit', body)).toMatchObject({
        status: 400,
        body: { code: 'invalid_request' },
      });
    },
  );
});

describe('delete', () => {
  test('takes the message from both and tells both', async () => {
    const events = recordEvents(server);
    const answer = await remove(alice, message._id, { content: 'ignored' });
    expect(answer).toMatchObject({ status: 200, body: { ok: true } });
    const deleted = { _id: message._id, chatroom: chatroomId, seq: 2, rev: 3 };
    expect(events).toEqual([{ type: 'message-deleted', deleted, members: [alice.id, bob.id] }]);
    for (const user of [alice, bob]) {
      const page = await openRoom(user, chatroomId);
      expect(page.chatroomMessages.map(({ seq }) => seq)).toEqual([1]);
      expect(page.rev).toBe(3);
    }
    expect((await listChats(bob))[0]).toMatchObject({
      lastMessage: { content: 'Hello' },
      unreadMessagesCount: 1,
    });
  });

  test('leaves no text behind', async () => {
    await remove(alice, message._id);
    const row = await server.ctx.storage.read((db) =>
      db.selectFrom('messages').selectAll().where('id', '=', message._id).executeTakeFirstOrThrow(),
    );
    expect(row).toMatchObject({ content: '', media_id: null, deleted_at: expect.any(Number) });
  });

  test('takes the upload with it', async () => {
    const { id, url } = await addUpload(server, alice);
    const picture = await send(alice, chatroomId, url);
    await remove(alice, picture._id);
    const rows = await server.ctx.storage.read((db) =>
      db.selectFrom('media').select('id').execute(),
    );
    expect(rows).not.toContainEqual({ id });
  });

  test('keeps the places of the others: the next message goes on counting', async () => {
    await remove(alice, message._id);
    expect(await send(bob, chatroomId, 'next')).toMatchObject({ seq: 3, rev: 4 });
  });

  test('of the last message leaves an empty room at its old place in the list', async () => {
    const { chatroomMessages } = await openRoom(alice, chatroomId);
    for (const { _id } of chatroomMessages) await remove(alice, _id);
    expect(await listChats(bob)).toMatchObject([
      { lastMessage: null, timestamps: [], unreadMessagesCount: 0, rev: 4 },
    ]);
  });

  test('still works after the partner has left', async () => {
    await leave(server, bob);
    const events = recordEvents(server);
    expect((await remove(alice, message._id)).status).toBe(200);
    expect(events).toMatchObject([{ type: 'message-deleted', members: [alice.id] }]);
  });
});

test("a partner's message is 403, one that is gone, unknown or of others the same 404", async () => {
  const carol = await server.signIn('Carol');
  await expectRefusal(bob, message._id, 403, 'not_sender');
  await expectRefusal(carol, message._id, 404, 'message_not_found');
  await expectRefusal(alice, randomUUID(), 404, 'message_not_found');
  await remove(alice, message._id);
  await expectRefusal(alice, message._id, 404, 'message_not_found');
  await expectRefusal(bob, message._id, 404, 'message_not_found');
});

test('ids of wrong type or shape are 400, no session 401', async () => {
  for (const id of [undefined, null, 1, '', 'x', [message._id]]) {
    await expectRefusal(alice, id, 400, 'invalid_request');
  }
  const stranger = Object.assign(server.client(), { id: '', username: '', sessionId: '' });
  await expectRefusal(stranger, message._id, 401, 'unauthenticated');
});
