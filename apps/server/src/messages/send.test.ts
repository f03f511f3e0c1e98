import { randomUUID } from 'node:crypto';
import { LIMITS } from '@parley/contract';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import {
  beginChat,
  openChat,
  openChatList,
  readChatroom,
  recordEvents,
  send,
} from '../../test/chatting.ts';
import { startServer, type TestServer, type TestUser } from '../../test/harness.ts';
import { addUpload, eraseAccount } from '../../test/fixtures.ts';

let server: TestServer;
let alice: TestUser;
let bob: TestUser;
let chatroomId: string;
beforeEach(async () => {
  server = await startServer();
  alice = await server.signIn('Alice');
  bob = await server.signIn('Bob');
  chatroomId = await beginChat(alice, bob);
});
afterEach(() => server.close());

const post = (user: TestUser, body: unknown, headers?: Record<string, string>) =>
  user.request('POST', '/api/messages/send', body, headers);

describe('sending a message', () => {
  test('responds with 201 and the message, and notifies both members', async () => {
    const events = recordEvents(server);
    const clientId = randomUUID();
    const response = await post(bob, { chatroom: chatroomId, content: 'Hi 👋', clientId });
    expect(response.status).toBe(201);
    expect(response.body).toEqual({
      _id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      chatroom: chatroomId,
      content: 'Hi 👋',
      sender: { username: 'Bob' },
      createdAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
      updatedAt: response.body.createdAt,
      seq: 2,
      rev: 2,
      kind: 'text',
      clientId,
    });
    expect(events).toEqual([
      { type: 'message-sent', message: response.body, members: [bob.id, alice.id] },
    ]);
    const page = await readChatroom(alice, chatroomId);
    expect(page.chatroomMessages[1]).toEqual(response.body);
  });

  test('stores the album and the mark of a forwarded message, which an edit removes', async () => {
    const albumId = randomUUID();
    const fields = { albumId, isForwarded: true };
    const { status, body } = await post(bob, { chatroom: chatroomId, content: 'Hi', ...fields });
    expect(status).toBe(201);
    expect(body).toMatchObject(fields);
    const plain = await post(bob, { chatroom: chatroomId, content: 'Hi', isForwarded: false });
    expect(Object.keys(plain.body)).not.toContain('isForwarded');
    expect(Object.keys(plain.body)).not.toContain('albumId');
    const edited = await bob.request('PATCH', '/api/messages/edit', {
      messageId: body._id,
      content: 'Hello',
    });
    expect(edited.body).toMatchObject({ albumId, content: 'Hello' });
    expect(Object.keys(edited.body)).not.toContain('isForwarded');
    const page = await readChatroom(alice, chatroomId);
    expect(page.chatroomMessages.slice(1)).toEqual([edited.body, plain.body]);
  });

  test.each([{ albumId: 'x' }, { albumId: null }, { isForwarded: 'true' }])(
    'rejects a message with %j',
    async (fields) => {
      const response = await post(bob, { chatroom: chatroomId, content: 'Hi', ...fields });
      expect(response).toMatchObject({ status: 400, body: { code: 'invalid_request' } });
    },
  );

  test('removes blank lines and keeps the rest unchanged', async () => {
    const message = await send(alice, chatroomId, '\r\n  a  \r\n\r\n\t\nb\n');
    expect(message.content).toBe('  a  \nb');
  });

  test('accepts 10,000 code points, even as 20,000 UTF-16 units, and rejects one more', async () => {
    const longest = '👋'.repeat(LIMITS.messageMax);
    expect((await send(alice, chatroomId, longest)).content).toBe(longest);
    const { chatroomMessages } = await readChatroom(bob, chatroomId);
    expect(chatroomMessages.at(-1)?.content).toBe(longest);
    for (const content of ['x'.repeat(LIMITS.messageMax + 1), `${longest}x`]) {
      expect(await post(alice, { chatroom: chatroomId, content })).toMatchObject({
        status: 400,
        body: { code: 'invalid_request' },
      });
    }
  });

  test('responds with exactly the stored text for any characters', async () => {
    for (const content of ['a\u0000b', 'half \ud83d pair', '\u202eright to left', '\u0007a']) {
      const message = await send(alice, chatroomId, content);
      const { chatroomMessages } = await readChatroom(bob, chatroomId);
      expect(chatroomMessages.at(-1)?.content).toBe(message.content);
    }
  });

  test('rejects empty messages, wrong types, malformed JSON and large bodies', async () => {
    const refused: [unknown, number][] = [
      [{ chatroom: chatroomId, content: ' \n\t\n ' }, 400],
      [{ chatroom: chatroomId, content: '' }, 400],
      [{ chatroom: chatroomId, content: '\u200b\n\u2800' }, 400],
      [{ chatroom: chatroomId, content: 1 }, 400],
      [{ chatroom: chatroomId, content: null }, 400],
      [{ chatroom: chatroomId }, 400],
      [{ content: 'Hi' }, 400],
      [{ chatroom: [chatroomId], content: 'Hi' }, 400],
      [{ chatroom: 'no-id', content: 'Hi' }, 400],
      [{ chatroom: chatroomId, content: 'Hi', clientId: 'no-id' }, 400],
      ['{"chatroom":', 400],
      ['[]', 400],
      ['null', 400],
      [{ chatroom: chatroomId, content: 'x'.repeat(300_000) }, 413],
    ];
    for (const [body, status] of refused) {
      expect((await post(alice, body, { 'content-type': 'application/json' })).status).toBe(status);
    }
    expect((await readChatroom(alice, chatroomId)).chatroomMessages).toHaveLength(1);
  });

  test('sends the same 404 for chatrooms of others and chatrooms that do not exist', async () => {
    const carol = await server.signIn('Carol');
    const foreign = await post(carol, { chatroom: chatroomId, content: 'Hi' });
    const missing = await post(carol, { chatroom: randomUUID(), content: 'Hi' });
    expect(foreign).toMatchObject({ status: 404, body: { code: 'room_not_found' } });
    expect(missing.body).toEqual(foreign.body);
  });

  test('sends 401 without a session and 403 to a foreign origin', async () => {
    const body = { chatroom: chatroomId, content: 'Hi' };
    expect(await server.client().request('POST', '/api/messages/send', body)).toMatchObject({
      status: 401,
      body: { code: 'unauthenticated' },
    });
    expect(await post(alice, body, { origin: 'https://evil.example' })).toMatchObject({
      status: 403,
      body: { code: 'foreign_origin' },
    });
  });

  test('sends 403 if the partner was deleted', async () => {
    await eraseAccount(server, bob);
    expect(await post(alice, { chatroom: chatroomId, content: 'Hi' })).toMatchObject({
      status: 403,
      body: { code: 'partner_deleted' },
    });
  });
});

describe('the same clientId', () => {
  test('returns the same message with 200 and emits no second event', async () => {
    const events = recordEvents(server);
    const clientId = randomUUID();
    const first = await post(alice, { chatroom: chatroomId, content: 'once', clientId });
    const second = await post(alice, { chatroom: chatroomId, content: 'once', clientId });
    expect([first.status, second.status]).toEqual([201, 200]);
    expect(second.body).toEqual(first.body);
    expect(events).toHaveLength(1);
  });

  test('creates one message for concurrent requests', async () => {
    const events = recordEvents(server);
    const clientId = randomUUID();
    const body = { chatroom: chatroomId, content: 'once', clientId };
    const responses = await Promise.all(Array.from({ length: 10 }, () => post(alice, body)));
    expect(responses.filter(({ status }) => status === 201)).toHaveLength(1);
    expect(responses.filter(({ status }) => status === 200)).toHaveLength(9);
    expect(new Set(responses.map(({ body }) => body._id)).size).toBe(1);
    expect(events).toHaveLength(1);
    expect((await readChatroom(bob, chatroomId)).chatroomMessages).toHaveLength(2);
  });

  test('tells how the message arrived, whatever the partner has set since', async () => {
    const carla = await server.signIn('Carla');
    const room = await beginChat(alice, carla, 'Hi', { isRequest: true });
    const body = { chatroom: room, content: 'once', clientId: randomUUID() };
    const first = await post(alice, body);
    expect(first.body).toMatchObject({ isSentAsRequest: true });
    await carla.request('PATCH', '/api/users/settings', { whoMayWrite: 'everyone' });
    expect((await post(alice, body)).body).toEqual(first.body);
    expect(await openChat(alice, room)).toMatchObject({ isSentAsRequest: true });
    await eraseAccount(server, carla);
    expect((await post(alice, body)).body).not.toHaveProperty('isSentAsRequest');
  });

  test('allocates no seq or rev, like requests that are rejected or change nothing', async () => {
    const clientId = randomUUID();
    const body = { chatroom: chatroomId, content: 'once', clientId };
    const { _id, seq } = (await post(alice, body)).body;
    const { rev } = await openChat(alice, chatroomId);

    await Promise.all([post(alice, body), post(alice, body)]);
    const change = (user: TestUser, method: string, path: string, content?: string) =>
      user.request(method, `/api/messages/${path}`, { messageId: _id, content });
    expect((await change(alice, 'PATCH', 'edit', 'once')).status).toBe(200);
    expect((await change(bob, 'PATCH', 'edit', 'twice')).status).toBe(403);
    expect((await change(bob, 'DELETE', 'delete')).status).toBe(403);

    expect(await openChat(alice, chatroomId)).toMatchObject({ rev });
    expect(await send(bob, chatroomId, 'next')).toMatchObject({ seq: seq + 1 });
    expect(await openChat(alice, chatroomId)).toMatchObject({ rev: rev + 1 });
  });

  test('creates another message for another sender', async () => {
    const clientId = randomUUID();
    const a = await send(alice, chatroomId, 'from Alice', clientId);
    const b = await send(bob, chatroomId, 'from Bob', clientId);
    expect(a._id).not.toBe(b._id);
  });

  test('returns the current state of the message, even if the partner was deleted', async () => {
    const clientId = randomUUID();
    const { _id } = await send(alice, chatroomId, 'before', clientId);
    await alice.request('PATCH', '/api/messages/edit', { messageId: _id, content: 'after' });
    await eraseAccount(server, bob);
    expect(await post(alice, { chatroom: chatroomId, content: 'before', clientId })).toMatchObject({
      status: 200,
      body: { _id, content: 'after' },
    });
  });

  test('sends 404 if the message was deleted', async () => {
    const clientId = randomUUID();
    const { _id } = await send(alice, chatroomId, 'gone', clientId);
    await alice.request('DELETE', '/api/messages/delete', { messageId: _id });
    expect(await post(alice, { chatroom: chatroomId, content: 'gone', clientId })).toMatchObject({
      status: 404,
      body: { code: 'message_not_found' },
    });
  });
});

describe('an upload', () => {
  test('is sent by its URL, with its kind and size, and appears in the chat list', async () => {
    const { url } = await addUpload(server, alice, { width: 640, height: 480 });
    const message = await send(alice, chatroomId, url);
    expect(message).toMatchObject({
      content: url,
      kind: 'image',
      media: { width: 640, height: 480 },
    });
    expect((await readChatroom(bob, chatroomId)).chatroomMessages.at(-1)).toEqual(message);
    const [chat] = await openChatList(bob);
    expect(chat?.lastMessage).toEqual({
      content: url,
      sender: alice.id,
      kind: 'image',
      seq: message.seq,
    });
  });

  test.each([
    ['is sent by its id', (id: string) => id],
    ['is sent by its id in upper case', (id: string) => id.toUpperCase()],
  ])('%s, and also as the first message to a user', async (_, write) => {
    const [first, second] = [await addUpload(server, alice), await addUpload(server, alice)];
    const sent = await post(alice, { chatroom: chatroomId, uploadId: write(first.id) });
    expect(sent).toMatchObject({ status: 201, body: { content: first.url, kind: 'image' } });
    const eve = await server.signIn('Eve');
    const body = { partnerName: 'Eve', uploadId: write(second.id) };
    const created = await alice.request('POST', '/api/chatrooms/create', body);
    expect(created.status).toBe(201);
    const { chatroomMessages } = await readChatroom(eve, created.body.chatroomId);
    expect(chatroomMessages).toMatchObject([{ content: second.url, kind: 'image' }]);
  });

  test('is rejected by its id if it was already sent, is not of the sender or not of the kind', async () => {
    const { id, url } = await addUpload(server, alice);
    const foreign = await addUpload(server, bob);
    const clientId = randomUUID();
    const body = { chatroom: chatroomId, uploadId: id, clientId };
    expect(await post(alice, { ...body, kind: 'audio' })).toMatchObject({
      status: 404,
      body: { code: 'media_not_found' },
    });
    expect((await post(alice, body)).status).toBe(201);
    expect(await post(alice, body)).toMatchObject({ status: 200, body: { content: url } });
    for (const uploadId of [id, foreign.id, randomUUID()]) {
      expect(await post(alice, { chatroom: chatroomId, uploadId })).toMatchObject({
        status: 404,
        body: { code: 'media_not_found' },
      });
      expect(
        await alice.request('POST', '/api/chatrooms/create', { partnerName: 'Bob', uploadId }),
      ).toMatchObject({ status: 404, body: { code: 'media_not_found' } });
    }
  });

  test('is rejected together with a text, like a message with neither', async () => {
    const { id: uploadId } = await addUpload(server, alice);
    for (const body of [{ content: 'look', uploadId }, {}, { uploadId: 'x' }]) {
      expect(await post(alice, { chatroom: chatroomId, ...body })).toMatchObject({
        status: 400,
        body: { code: 'invalid_request' },
      });
    }
  });

  test('has no dimensions if it is a recording', async () => {
    const { url } = await addUpload(server, alice, { kind: 'audio', extension: 'webm' });
    expect(await send(alice, chatroomId, url)).toMatchObject({ kind: 'audio', content: url });
  });

  test('is sent as text if it was already sent, belongs to another user or does not exist', async () => {
    const { url } = await addUpload(server, alice);
    const foreign = await addUpload(server, bob);
    const missing = url.replace(/[^/]+$/, `${randomUUID()}.png`);
    const malformed = url.replace(/[^/]+$/, '../secret.png');
    await send(alice, chatroomId, url);
    for (const content of [url, foreign.url, missing, malformed]) {
      const message = await send(alice, chatroomId, content);
      expect(message).toMatchObject({ kind: 'text', content });
      expect(message).not.toHaveProperty('media');
    }
  });

  test('is rejected if the requested kind does not match the content', async () => {
    const { url } = await addUpload(server, alice);
    const missing = url.replace(/[^/]+$/, `${randomUUID()}.png`);
    const { chatroomMessages: before } = await readChatroom(bob, chatroomId);
    for (const [content, kind] of [
      [url, 'audio'],
      [missing, 'image'],
      ['look', 'image'],
    ]) {
      const body = { chatroom: chatroomId, content, kind, clientId: randomUUID() };
      expect(await post(alice, body)).toMatchObject({
        status: 404,
        body: { code: 'media_not_found' },
      });
    }
    expect(await post(alice, { chatroom: chatroomId, content: url, kind: 'text' })).toMatchObject({
      status: 400,
      body: { code: 'invalid_request' },
    });
    expect((await readChatroom(bob, chatroomId)).chatroomMessages).toEqual(before);

    const clientId = randomUUID();
    const body = { chatroom: chatroomId, content: url, kind: 'image', clientId };
    expect(await post(alice, body)).toMatchObject({ status: 201, body: { kind: 'image' } });
    // A retry finds the message, although the upload is no longer unsent.
    expect(await post(alice, body)).toMatchObject({ status: 200, body: { kind: 'image' } });
  });

  test('is sent as text if the content contains more than its URL', async () => {
    const { url } = await addUpload(server, alice);
    for (const content of [`look: ${url}`, `${url}?x`, `${url} !`, `${url}\nyes`]) {
      expect(await send(alice, chatroomId, content)).toMatchObject({ kind: 'text', content });
    }
  });
});
