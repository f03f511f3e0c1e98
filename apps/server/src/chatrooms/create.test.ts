import { randomUUID } from 'node:crypto';
import { NEW_CHATROOM } from '@parley/contract';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { beginChat, openChatList, readChatroom, recordEvents, send } from '../../test/chatting.ts';
import { startServer, type TestServer, type TestUser } from '../../test/harness.ts';
import { join } from '../../test/joining.ts';

let server: TestServer;
let alice: TestUser;
let bob: TestUser;
beforeEach(async () => {
  server = await startServer();
  alice = await server.signIn('Alice');
  bob = await server.signIn('Bob');
});
afterEach(() => server.close());

const find = (username: unknown) => alice.request('POST', '/api/chatrooms/exist', { username });
const create = (user: TestUser, partnerName: unknown, content: unknown, clientId?: string) =>
  user.request('POST', '/api/chatrooms/create', {
    partnerName,
    content,
    ...(clientId !== undefined && { clientId }),
  });

describe('finding a user', () => {
  test('returns new-chatroom or the id of the existing chatroom, and ignores the case of the username', async () => {
    const fresh = await find('  bOB ');
    expect(fresh).toMatchObject({
      status: 200,
      body: { chatroom: NEW_CHATROOM, partnerName: 'Bob' },
    });

    const chatroomId = await beginChat(bob, alice);

    const known = await find('bob');
    expect(known).toMatchObject({
      status: 200,
      body: { chatroom: chatroomId, partnerName: 'Bob' },
    });
  });

  test('sends 401 for oneself and 404 for an unknown username or an unverified account', async () => {
    expect(await find('ALICE')).toMatchObject({ status: 401, body: { code: 'self_search' } });
    expect(await find('Nobody')).toMatchObject({ status: 404, body: { code: 'user_not_found' } });
    expect(await find('deletedUser')).toMatchObject({ status: 404 });
    expect(await find('   ')).toMatchObject({ status: 404, body: { code: 'user_not_found' } });
    await join(server, 'Carl', 'registered');
    expect(await find('Carl')).toMatchObject({ status: 404, body: { code: 'user_not_found' } });
  });

  test.each([[undefined], [null], [7], [''], [['Bob']], ['x'.repeat(65)]])(
    'rejects the username %j',
    async (username) => {
      expect(await find(username)).toMatchObject({
        status: 400,
        body: { code: 'invalid_request', errorMessage: expect.any(String) },
      });
    },
  );
});

describe('creating a chatroom', () => {
  test('sends the first message to both members', async () => {
    const events = recordEvents(server);
    const response = await create(alice, 'bob', 'Hello\n\n  \nBob');
    expect(response.status).toBe(201);
    expect(Object.keys(response.body)).toEqual(['chatroomId']);

    const page = await readChatroom(bob, response.body.chatroomId);
    expect(page.chatroomMessages).toMatchObject([
      { content: 'Hello\nBob', sender: { username: 'Alice' }, seq: 1, rev: 1, kind: 'text' },
    ]);
    expect(page).toMatchObject({
      partnerName: 'Alice',
      unreadMessagesCount: 1,
      chat: { rev: 1, unreadMessagesCount: 1 },
    });
    expect(events).toMatchObject([{ type: 'message-sent', members: [alice.id, bob.id] }]);
  });

  test('sends the message to an existing chatroom', async () => {
    const first = await create(alice, 'Bob', 'one');
    const second = await create(bob, 'Alice', 'two');
    expect(second.body).toEqual(first.body);
    const page = await readChatroom(alice, first.body.chatroomId);
    expect(page.chatroomMessages.map(({ content }) => content)).toEqual(['one', 'two']);
  });

  test('creates one chatroom with all messages if both users create it concurrently', async () => {
    const responses = await Promise.all(
      Array.from({ length: 20 }, (_, i) =>
        i % 2 === 0 ? create(alice, 'Bob', `a${i}`) : create(bob, 'Alice', `b${i}`),
      ),
    );
    expect(responses.map(({ status }) => status)).toEqual(Array.from({ length: 20 }, () => 201));
    const ids = new Set(responses.map(({ body }) => body.chatroomId));
    expect(ids.size).toBe(1);
    expect(await openChatList(alice)).toHaveLength(1);
    const page = await readChatroom(alice, [...ids][0]);
    expect(page.chatroomMessages.map(({ seq }) => seq)).toEqual(
      Array.from({ length: 20 }, (_, i) => i + 1),
    );
  });

  test('sends one message and one event for repeated requests with the same clientId', async () => {
    const events = recordEvents(server);
    const clientId = randomUUID();
    const responses = await Promise.all([1, 2, 3].map(() => create(alice, 'Bob', 'Hi', clientId)));
    responses.push(await create(alice, 'Bob', 'Hi', clientId));
    expect(new Set(responses.map(({ body }) => body.chatroomId)).size).toBe(1);
    expect(responses.every(({ status }) => status === 201)).toBe(true);
    const page = await readChatroom(bob, responses[0]?.body.chatroomId);
    expect(page.chatroomMessages).toHaveLength(1);
    expect(events).toHaveLength(1);
  });

  test('does not send a deleted message again if its request is retried', async () => {
    const clientId = randomUUID();
    const chatroomId = await beginChat(alice, bob);
    const message = await send(alice, chatroomId, 'gone', clientId);
    await alice.request('DELETE', '/api/messages/delete', { messageId: message._id });
    expect(await create(alice, 'Bob', 'gone', clientId)).toMatchObject({
      status: 404,
      body: { code: 'message_not_found' },
    });
  });

  test('sends a first message with the URL of an unknown upload as text', async () => {
    const content = `${server.url.replace(/:\d+$/, ':0')}/media/${randomUUID()}.png`;
    const { status, body } = await create(alice, 'Bob', content);
    expect(status).toBe(201);
    const { chatroomMessages } = await readChatroom(bob, body.chatroomId);
    expect(chatroomMessages).toMatchObject([{ kind: 'text', content }]);
    expect(await create(alice, 'nobody', content)).toMatchObject({ status: 404 });
  });

  test('creates no chatroom if the first message is rejected', async () => {
    expect(await create(alice, 'Bob', ' \n ')).toMatchObject({
      status: 400,
      body: { code: 'invalid_request' },
    });
    expect(await openChatList(alice)).toEqual([]);
  });

  test('sends 400 for oneself and 404 for an unknown or unverified partner', async () => {
    expect(await create(alice, 'alice', 'Hi')).toMatchObject({
      status: 400,
      body: { code: 'self_chat' },
    });
    expect(await create(alice, 'Nobody', 'Hi')).toMatchObject({
      status: 404,
      body: { code: 'user_not_found' },
    });
    await join(server, 'Carl', 'registered');
    expect(await create(alice, 'Carl', 'Hi')).toMatchObject({ status: 404 });
  });

  test.each([
    [undefined, 'Hi'],
    ['Bob', undefined],
    ['Bob', ''],
    ['Bob', 7],
    ['Bob', 'x'.repeat(10_001)],
    [{}, 'Hi'],
  ])('rejects wrong types and lengths: %j', async (partnerName, content) => {
    expect(await create(alice, partnerName, content)).toMatchObject({
      status: 400,
      body: { code: 'invalid_request' },
    });
  });

  test('rejects a clientId that is not a UUID', async () => {
    expect(await create(alice, 'Bob', 'Hi', 'x')).toMatchObject({ status: 400 });
  });
});

test('sends 400 for malformed JSON, 415 for another content type and 401 without a session', async () => {
  for (const path of ['exist', 'create', 'changes']) {
    const url = `/api/chatrooms/${path}`;
    expect(await alice.request('POST', url, '{"a":')).toMatchObject({
      status: 400,
      body: { code: 'invalid_request' },
    });
    expect(await alice.request('POST', url, 'a=b', { 'content-type': 'text/css' })).toMatchObject({
      status: 415,
      body: { code: 'unsupported_media' },
    });
    expect(await server.client().request('POST', url, {})).toMatchObject({
      status: 401,
      body: { code: 'unauthenticated' },
    });
  }
});
