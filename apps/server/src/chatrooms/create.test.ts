import { randomUUID } from 'node:crypto';
import { NEW_CHATROOM } from '@parley/contract';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createRoom, listChats, openRoom, recordEvents, send } from '../../test/chatting.ts';
import { startServer, type TestServer, type TestUser } from '../../test/harness.ts';

let server: TestServer;
let alice: TestUser;
let bob: TestUser;
beforeEach(async () => {
  server = await startServer();
  alice = await server.signIn('Alice');
  bob = await server.signIn('Bob');
});
afterEach(() => server.close());

async function unverify(user: TestUser): Promise<void> {
  await server.ctx.storage.write(({ trx }) =>
    trx.updateTable('users').set({ verified_at: null }).where('id', '=', user.id).execute(),
  );
}

const find = (username: unknown) => alice.request('POST', '/api/chatrooms/exist', { username });
const create = (user: TestUser, partnerName: unknown, content: unknown, clientId?: string) =>
  user.request('POST', '/api/chatrooms/create', {
    partnerName,
    content,
    ...(clientId !== undefined && { clientId }),
  });

describe('find a person', () => {
  test('without a room the answer is new-chatroom, with one its id; the name is found in any case', async () => {
    const fresh = await find('  bOB ');
    expect(fresh).toMatchObject({
      status: 200,
      body: { chatroom: NEW_CHATROOM, partnerName: 'Bob' },
    });

    const chatroomId = await createRoom(bob, alice);

    const known = await find('bob');
    expect(known).toMatchObject({
      status: 200,
      body: { chatroom: chatroomId, partnerName: 'Bob' },
    });
  });

  test('oneself is 401, nobody 404, an unverified account likewise', async () => {
    expect(await find('ALICE')).toMatchObject({ status: 401, body: { code: 'self_search' } });
    expect(await find('Nobody')).toMatchObject({ status: 404, body: { code: 'user_not_found' } });
    expect(await find('deletedUser')).toMatchObject({ status: 404 });
    expect(await find('   ')).toMatchObject({ status: 404, body: { code: 'user_not_found' } });
    await unverify(bob);
    expect(await find('Bob')).toMatchObject({ status: 404, body: { code: 'user_not_found' } });
  });

  test.each([[undefined], [null], [7], [''], [['Bob']], ['x'.repeat(65)]])(
    '%j for a name is 400',
    async (username) => {
      expect(await find(username)).toMatchObject({
        status: 400,
        body: { code: 'invalid_request', errorMessage: expect.any(String) },
      });
    },
  );
});

describe('create a room', () => {
  test('the first message is sent with it, to both', async () => {
    const events = recordEvents(server);
    const answer = await create(alice, 'bob', 'Hello\n\n  \nBob');
    expect(answer.status).toBe(201);
    expect(Object.keys(answer.body)).toEqual(['chatroomId']);

    const page = await openRoom(bob, answer.body.chatroomId);
    expect(page.chatroomMessages).toMatchObject([
      { content: 'Hello\nBob', sender: { username: 'Alice' }, seq: 1, rev: 1, kind: 'text' },
    ]);
    expect(page).toMatchObject({ partnerName: 'Alice', unreadMessagesCount: 1, rev: 1 });
    expect(events).toMatchObject([{ type: 'message-sent', members: [alice.id, bob.id] }]);
  });

  test('where the room exists the message goes there', async () => {
    const first = await create(alice, 'Bob', 'one');
    const second = await create(bob, 'Alice', 'two');
    expect(second.body).toEqual(first.body);
    const page = await openRoom(alice, first.body.chatroomId);
    expect(page.chatroomMessages.map(({ content }) => content)).toEqual(['one', 'two']);
  });

  test('both sides at the same moment get one room with both messages', async () => {
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, i) =>
        i % 2 === 0 ? create(alice, 'Bob', `a${i}`) : create(bob, 'Alice', `b${i}`),
      ),
    );
    expect(answers.map(({ status }) => status)).toEqual(Array.from({ length: 20 }, () => 201));
    const ids = new Set(answers.map(({ body }) => body.chatroomId));
    expect(ids.size).toBe(1);
    expect(await listChats(alice)).toHaveLength(1);
    const page = await openRoom(alice, [...ids][0]);
    expect(page.chatroomMessages.map(({ seq }) => seq)).toEqual(
      Array.from({ length: 20 }, (_, i) => i + 1),
    );
  });

  test('the same clientId, at once and again, makes one message and one event', async () => {
    const events = recordEvents(server);
    const clientId = randomUUID();
    const answers = await Promise.all([1, 2, 3].map(() => create(alice, 'Bob', 'Hi', clientId)));
    answers.push(await create(alice, 'Bob', 'Hi', clientId));
    expect(new Set(answers.map(({ body }) => body.chatroomId)).size).toBe(1);
    expect(answers.every(({ status }) => status === 201)).toBe(true);
    const page = await openRoom(bob, answers[0]?.body.chatroomId);
    expect(page.chatroomMessages).toHaveLength(1);
    expect(events).toHaveLength(1);
  });

  test('a message that was deleted meanwhile is not sent anew by its clientId', async () => {
    const clientId = randomUUID();
    const chatroomId = await createRoom(alice, bob);
    const message = await send(alice, chatroomId, 'gone', clientId);
    await alice.request('DELETE', '/api/messages/delete', { messageId: message._id });
    expect(await create(alice, 'Bob', 'gone', clientId)).toMatchObject({
      status: 404,
      body: { code: 'message_not_found' },
    });
  });

  test('a first message that looks like an upload and is none is sent as text', async () => {
    const content = `${server.url.replace(/:\d+$/, ':0')}/media/${randomUUID()}.png`;
    const { status, body } = await create(alice, 'Bob', content);
    expect(status).toBe(201);
    const { chatroomMessages } = await openRoom(bob, body.chatroomId);
    expect(chatroomMessages).toMatchObject([{ kind: 'text', content }]);
    expect(await create(alice, 'nobody', content)).toMatchObject({ status: 404 });
  });

  test('a refused first message leaves no room', async () => {
    expect(await create(alice, 'Bob', ' \n ')).toMatchObject({
      status: 400,
      body: { code: 'invalid_request' },
    });
    expect(await listChats(alice)).toEqual([]);
  });

  test('oneself is 400, an unknown or unverified partner 404', async () => {
    expect(await create(alice, 'alice', 'Hi')).toMatchObject({
      status: 400,
      body: { code: 'self_chat' },
    });
    expect(await create(alice, 'Nobody', 'Hi')).toMatchObject({
      status: 404,
      body: { code: 'user_not_found' },
    });
    await unverify(bob);
    expect(await create(alice, 'Bob', 'Hi')).toMatchObject({ status: 404 });
  });

  test.each([
    [undefined, 'Hi'],
    ['Bob', undefined],
    ['Bob', ''],
    ['Bob', 7],
    ['Bob', 'x'.repeat(10_001)],
    [{}, 'Hi'],
  ])('wrong types and lengths are 400: %j', async (partnerName, content) => {
    expect(await create(alice, partnerName, content)).toMatchObject({
      status: 400,
      body: { code: 'invalid_request' },
    });
  });

  test('a clientId that is no UUID is 400', async () => {
    expect(await create(alice, 'Bob', 'Hi', 'x')).toMatchObject({ status: 400 });
  });
});

test('malformed JSON is 400, another type 415, without a session 401', async () => {
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
