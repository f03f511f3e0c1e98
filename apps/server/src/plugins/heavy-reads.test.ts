import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { connect } from 'node:net';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { beginChat } from '../../test/chatting.ts';
import { startServer, type TestServer, type TestUser } from '../../test/harness.ts';

/** More than may run at the same time, of an account or altogether. */
const REQUESTS = 12;

let server: TestServer;
let ada: TestUser;
let room: string;
beforeEach(async () => {
  server = await startServer();
  ada = await server.signIn('Ada');
  room = await beginChat(ada, await server.signIn('Bob'), 'Hello');
});
afterEach(() => server.close());

const path = (chatroomId: string) => `/api/chatrooms/chats/${chatroomId}`;

test('a request lets the next one start, whatever its response is', async () => {
  const list = await ada.request('GET', '/api/chatrooms/chats');
  const known = { 'if-none-match': list.headers.get('etag') ?? '' };
  for (let i = 0; i < REQUESTS; i += 1) {
    const responses = await Promise.all([
      ada.request('GET', '/api/chatrooms/chats', undefined, known),
      ada.request('HEAD', '/api/chatrooms/chats'),
      ada.request('GET', path(randomUUID())),
      ada.request('GET', `${path(room)}?limit=0`),
      ada.request('POST', '/api/chatrooms/changes', { since: 'none' }),
      ada.request('POST', '/api/messages/search', { query: 'Hello', chatroomId: randomUUID() }),
      server.client().request('GET', '/api/chatrooms/chats'),
    ]);
    expect(responses.map(({ status }) => status)).toEqual([304, 200, 404, 400, 400, 404, 401]);
  }
  expect(await ada.request('GET', path(room))).toMatchObject({ status: 200 });
});

test('a client that has gone lets the next request start', async () => {
  for (let i = 0; i < REQUESTS; i += 1) {
    const { hostname, port } = new URL(server.url);
    const socket = connect(Number(port), hostname);
    await once(socket, 'connect');
    socket.write(`GET ${path(room)} HTTP/1.1\r\nhost: a\r\ncookie: ${ada.cookie}\r\n\r\n`);
    socket.destroy();
  }
  expect(await ada.request('GET', path(room))).toMatchObject({ status: 200 });
});

test('more requests of an account than may run at the same time are all answered', async () => {
  const requests = Array.from({ length: 50 }, () => ada.request('GET', path(room)));
  const statuses = (await Promise.all(requests)).map(({ status }) => status);
  expect(new Set(statuses)).toEqual(new Set([200]));
});
