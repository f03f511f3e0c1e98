import { randomUUID } from 'node:crypto';
import { LIMITS } from '@parley/contract';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createRoom, listChats, openRoom, recordEvents, send } from '../../test/chatting.ts';
import { startServer, type TestServer, type TestUser } from '../../test/harness.ts';
import { addUpload, leave } from '../../test/arrange.ts';

let server: TestServer;
let alice: TestUser;
let bob: TestUser;
let chatroomId: string;
beforeEach(async () => {
  server = await startServer();
  alice = await server.signIn('Alice');
  bob = await server.signIn('Bob');
  chatroomId = await createRoom(alice, bob);
});
afterEach(() => server.close());

const post = (user: TestUser, body: unknown, headers?: Record<string, string>) =>
  user.request('POST', '/api/messages/send', body, headers);

describe('send', () => {
  test('answers 201 with the message and tells both members', async () => {
    const events = recordEvents(server);
    const clientId = randomUUID();
    const answer = await post(bob, { chatroom: chatroomId, content: 'Hi 👋', clientId });
    expect(answer.status).toBe(201);
    expect(answer.body).toEqual({
      _id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      chatroom: chatroomId,
      content: 'Hi 👋',
      sender: { username: 'Bob' },
      createdAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
      updatedAt: answer.body.createdAt,
      seq: 2,
      rev: 2,
      kind: 'text',
      clientId,
    });
    expect(events).toEqual([
      { type: 'message-sent', message: answer.body, members: [bob.id, alice.id] },
    ]);
    const page = await openRoom(alice, chatroomId);
    expect(page.chatroomMessages[1]).toEqual(answer.body);
  });

  test('blank lines are dropped, the rest stays as typed', async () => {
    const message = await send(alice, chatroomId, '\r\n  a  \r\n\r\n\t\nb\n');
    expect(message.content).toBe('  a  \nb');
  });

  test('10,000 code points fit, also as 20,000 UTF-16 units; one more does not', async () => {
    const longest = '👋'.repeat(LIMITS.messageMax);
    expect((await send(alice, chatroomId, longest)).content).toBe(longest);
    const { chatroomMessages } = await openRoom(bob, chatroomId);
    expect(chatroomMessages.at(-1)?.content).toBe(longest);
    for (const content of ['x'.repeat(LIMITS.messageMax + 1), `${longest}x`]) {
      expect(await post(alice, { chatroom: chatroomId, content })).toMatchObject({
        status: 400,
        body: { code: 'invalid_request' },
      });
    }
  });

  test('what is answered is what is stored, whatever the characters', async () => {
    for (const content of ['a\u0000b', 'half \ud83d pair', '\u202eright to left', '\u0007']) {
      const message = await send(alice, chatroomId, content);
      const { chatroomMessages } = await openRoom(bob, chatroomId);
      expect(chatroomMessages.at(-1)?.content).toBe(message.content);
    }
  });

  test('an empty message, wrong types, malformed JSON and too much are refused', async () => {
    const refused: [unknown, number][] = [
      [{ chatroom: chatroomId, content: ' \n\t\n ' }, 400],
      [{ chatroom: chatroomId, content: '' }, 400],
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
    expect((await openRoom(alice, chatroomId)).chatroomMessages).toHaveLength(1);
  });

  test('a room of others and one that does not exist give the same 404', async () => {
    const carol = await server.signIn('Carol');
    const foreign = await post(carol, { chatroom: chatroomId, content: 'Hi' });
    const missing = await post(carol, { chatroom: randomUUID(), content: 'Hi' });
    expect(foreign).toMatchObject({ status: 404, body: { code: 'room_not_found' } });
    expect(missing.body).toEqual(foreign.body);
  });

  test('without a session 401, from a foreign origin 403', async () => {
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

  test('to a deleted partner 403', async () => {
    await leave(server, bob);
    expect(await post(alice, { chatroom: chatroomId, content: 'Hi' })).toMatchObject({
      status: 403,
      body: { code: 'partner_deleted' },
    });
  });
});

describe('the same clientId', () => {
  test('gives the same message with 200 and no second event', async () => {
    const events = recordEvents(server);
    const clientId = randomUUID();
    const first = await post(alice, { chatroom: chatroomId, content: 'once', clientId });
    const second = await post(alice, { chatroom: chatroomId, content: 'once', clientId });
    expect([first.status, second.status]).toEqual([201, 200]);
    expect(second.body).toEqual(first.body);
    expect(events).toHaveLength(1);
  });

  test('at the same moment makes one message', async () => {
    const events = recordEvents(server);
    const clientId = randomUUID();
    const body = { chatroom: chatroomId, content: 'once', clientId };
    const answers = await Promise.all(Array.from({ length: 10 }, () => post(alice, body)));
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(1);
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(9);
    expect(new Set(answers.map(({ body }) => body._id)).size).toBe(1);
    expect(events).toHaveLength(1);
    expect((await openRoom(bob, chatroomId)).chatroomMessages).toHaveLength(2);
  });

  test('takes no place and no revision, as anything that is refused or changes nothing', async () => {
    const clientId = randomUUID();
    const body = { chatroom: chatroomId, content: 'once', clientId };
    const { _id, seq } = (await post(alice, body)).body;
    const { rev } = await openRoom(alice, chatroomId);

    await Promise.all([post(alice, body), post(alice, body)]);
    const change = (user: TestUser, method: string, path: string, content?: string) =>
      user.request(method, `/api/messages/${path}`, { messageId: _id, content });
    expect((await change(alice, 'PATCH', 'edit', 'once')).status).toBe(200);
    expect((await change(bob, 'PATCH', 'edit', 'twice')).status).toBe(403);
    expect((await change(bob, 'DELETE', 'delete')).status).toBe(403);

    expect(await openRoom(alice, chatroomId)).toMatchObject({ rev });
    expect(await send(bob, chatroomId, 'next')).toMatchObject({ seq: seq + 1 });
    expect(await openRoom(alice, chatroomId)).toMatchObject({ rev: rev + 1 });
  });

  test('of another sender is another message', async () => {
    const clientId = randomUUID();
    const a = await send(alice, chatroomId, 'from Alice', clientId);
    const b = await send(bob, chatroomId, 'from Bob', clientId);
    expect(a._id).not.toBe(b._id);
  });

  test('is answered with the message as it is now, even if the partner has left since', async () => {
    const clientId = randomUUID();
    const { _id } = await send(alice, chatroomId, 'before', clientId);
    await alice.request('PATCH', '/api/messages/edit', { messageId: _id, content: 'after' });
    await leave(server, bob);
    expect(await post(alice, { chatroom: chatroomId, content: 'before', clientId })).toMatchObject({
      status: 200,
      body: { _id, content: 'after' },
    });
  });

  test('of a message that was deleted is 404', async () => {
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
  test('is sent by its URL, with its kind and size, and shows in the chat list', async () => {
    const { url } = await addUpload(server, alice, { width: 640, height: 480 });
    const message = await send(alice, chatroomId, url);
    expect(message).toMatchObject({
      content: url,
      kind: 'image',
      media: { width: 640, height: 480 },
    });
    expect((await openRoom(bob, chatroomId)).chatroomMessages.at(-1)).toEqual(message);
    const [chat] = await listChats(bob);
    expect(chat?.lastMessage).toEqual({ content: url, sender: alice.id, kind: 'image' });
  });

  test('a recording has no size', async () => {
    const { url } = await addUpload(server, alice, { kind: 'audio', ending: 'webm' });
    expect(await send(alice, chatroomId, url)).toMatchObject({ kind: 'audio', content: url });
  });

  test('that is used, of another user, or does not exist is sent as the text that it is', async () => {
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

  test('its URL with anything more is text, as clients show it', async () => {
    const { url } = await addUpload(server, alice);
    for (const content of [`look: ${url}`, `${url}?x`, `${url} !`, `${url}\nyes`]) {
      expect(await send(alice, chatroomId, content)).toMatchObject({ kind: 'text', content });
    }
  });
});
