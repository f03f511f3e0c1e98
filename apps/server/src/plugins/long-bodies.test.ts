import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import {
  endpointSchemas,
  LONG_BODY_MAX,
  SHORT_BODY_MAX,
  type EndpointSchema,
} from '@parley/contract/schemas';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { beginChat } from '../../test/chatting.ts';
import { startServer, type TestServer, type TestUser } from '../../test/harness.ts';
import { until } from '../../test/until.ts';

let server: TestServer;
let ada: TestUser;
let sockets: Socket[];
beforeEach(async () => {
  server = await startServer();
  ada = await server.signIn('Ada');
  sockets = [];
  rejected = 0;
});
afterEach(async () => {
  for (const socket of sockets) socket.destroy();
  await server.close();
});

const PATH = '/api/chatrooms/changes';
const longest = { since: {}, more: 'x'.repeat(LONG_BODY_MAX - 100) };

let rejected: number;
/** Announces one of the longest bodies, and sends none of it. */
async function announce(): Promise<void> {
  const { hostname, port } = new URL(server.url);
  const socket = connect(Number(port), hostname);
  sockets.push(socket);
  socket.once('data', (data) => {
    if (data.toString().startsWith('HTTP/1.1 503')) rejected += 1;
  });
  await once(socket, 'connect');
  socket.write(
    `POST ${PATH} HTTP/1.1\r\nhost: a\r\ncookie: ${ada.cookie}\r\ncontent-type: application/json\r\n` +
      `content-length: ${LONG_BODY_MAX}\r\n\r\n`,
  );
}

test('rejects long bodies of an account with too many in progress, but short ones and those of others not', async () => {
  const room = await beginChat(ada, await server.signIn('Bob'), 'Hello');
  for (let i = 0; i < 17; i += 1) await announce();
  await until(() => rejected === 1);
  expect(await ada.request('POST', PATH, longest)).toMatchObject({ status: 503 });
  const short = { chatroom: room, content: 'Hello', clientId: randomUUID() };
  expect(await ada.request('POST', '/api/messages/send', short)).toMatchObject({ status: 201 });
  const eve = await server.signIn('Eve');
  expect(await eve.request('POST', PATH, longest)).toMatchObject({ status: 200 });
  for (const socket of sockets) socket.destroy();
  await until(async () => (await ada.request('POST', PATH, longest)).status === 200);
});

test('accepts any number of long bodies one after another', async () => {
  for (let i = 0; i < 20; i += 1) {
    expect(await ada.request('POST', PATH, longest)).toMatchObject({ status: 200 });
  }
});

test('accepts a message of the longest text with every character escaped', async () => {
  const room = await beginChat(ada, await server.signIn('Bob'), 'Hello');
  const body = `{"chatroom":"${room}","content":"${'\\ud83d\\ude00'.repeat(10_000)}"}`;
  const response = await fetch(`${server.url}/api/messages/send`, {
    method: 'POST',
    body,
    headers: { cookie: ada.cookie, 'content-type': 'application/json' },
  });
  expect(response.status).toBe(201);
});

test('rejects long bodies for other endpoints', async () => {
  const login = { email: 'a@b.de', password: '123456', more: 'x'.repeat(SHORT_BODY_MAX) };
  expect(await server.client().request('POST', '/api/users/login', login)).toMatchObject({
    status: 413,
    body: { code: 'too_large' },
  });
  expect(await ada.request('PATCH', '/api/users/settings', login)).toMatchObject({ status: 413 });
});

test('all bodies without long ones fit, even if every character is escaped', () => {
  for (const [name, endpoint] of Object.entries<EndpointSchema>(endpointSchemas)) {
    const { body, consumes, hasLongBody } = endpoint;
    if (body === undefined || consumes !== undefined || hasLongBody) continue;
    expect(longestJson(body), name).toBeLessThanOrEqual(SHORT_BODY_MAX);
  }
});

/** Bytes of a code point as two escaped code units. */
const ESCAPED = '\\ud83d\\ude00'.length;
/** More than any text that matches a pattern or is one of several has. */
const PATTERN_MAX = 100;

/** Returns an upper bound of the bytes of valid JSON without unknown fields. */
function longestJson(schema: object): number {
  const { anyOf, properties, items, ...rest } = schema as {
    type?: string;
    const?: unknown;
    pattern?: string;
    maxLength?: number;
    maxItems?: number;
    anyOf?: object[];
    properties?: Record<string, object>;
    items?: object;
  };
  if (anyOf !== undefined) return Math.max(...anyOf.map(longestJson));
  if (properties !== undefined) {
    const fields = Object.entries(properties);
    return fields.reduce((sum, [name, each]) => sum + name.length + 4 + longestJson(each), 2);
  }
  if (items !== undefined) return (rest.maxItems ?? Infinity) * (longestJson(items) + 1);
  if (rest.type !== 'string') return PATTERN_MAX;
  if (rest.pattern !== undefined || rest.const !== undefined) return PATTERN_MAX;
  return (rest.maxLength ?? Infinity) * ESCAPED + 2;
}
