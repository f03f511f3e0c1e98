import { connect } from 'node:net';
import { clientSignals } from '@parley/contract/schemas';
import { casesOf } from '@parley/testing/scope';
import fc from 'fast-check';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { startServer, type TestServer } from './harness.ts';
import { bodyOf, headers, pathOf, signalPayloadOf } from './hostile.ts';
import { connectRaw } from './live.ts';
import { sendRaw, type RawResponse } from './raw-request.ts';
import { tableRoutes } from './routes.ts';
import { until } from './until.ts';
import { listUploadedFiles } from './uploading.ts';
import { createWorld, type World } from './world.ts';

/** Test runs per route. */
const RUNS = casesOf(60);
/** Milliseconds after which a request without a response counts as hanging. */
const TIMEOUT = 20_000;

const server: TestServer = await startServer();
let world: World;
const connectionsAtStart = connectionCount();
beforeAll(async () => {
  world = await createWorld(server);
});
beforeEach(async () => {
  // A previous request may have ended the session.
  const { status } = await world.sender.request('GET', `/api/chatrooms/chats/${world.chatroomId}`);
  if (status !== 200) world = await createWorld(server);
});
afterAll(() => server.close());

/** Returns the number of TCP connections of this process. */
function connectionCount(): number {
  return process.getActiveResourcesInfo().filter((name) => name === 'TCPSocketWrap').length;
}

function expectValidResponse({ status, headers, text }: RawResponse) {
  expect(status).toBeGreaterThanOrEqual(200);
  expect(status, text).toBeLessThan(500);
  const isJson = String(headers['content-type']).startsWith('application/json');
  if (status >= 400 && status !== 416 && text !== '') {
    expect(isJson).toBe(true);
    expect(JSON.parse(text)).toMatchObject({ code: expect.anything() });
  }
  expect(headers['x-powered-by']).toBeUndefined();
  expect(text).not.toMatch(/SQLITE|SqliteError|node_modules|\.ts:\d/);
}

function isConnectionReset(error: unknown): boolean {
  return error instanceof Error && /ECONNRESET|EPIPE|hang up/.test(error.message);
}

async function expectHealthy() {
  const { status } = await world.other.request('GET', '/api/chatrooms/chats');
  expect(status).toBe(200);
}

describe.each(tableRoutes())('the route $route', ({ name, route }) => {
  test('handles arbitrary requests', async () => {
    const [method = '', pattern = ''] = route.split(' ');
    const hasBody = !['GET', 'HEAD'].includes(method);
    const request = fc.record({
      path: pathOf(pattern, world, name),
      headers,
      body: fc.option(bodyOf(world, name), { nil: undefined, freq: hasBody ? 10 : 2 }),
      isSignedIn: fc.constantFrom(true, true, false),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(request, { minLength: 1, maxLength: 6 }), async (requests) => {
        const responses = await Promise.all(
          requests.map(({ path, headers, body, isSignedIn }) => {
            const cookie = isSignedIn ? { cookie: world.sender.cookie } : {};
            const sent = { method, path, headers: { ...headers, ...cookie }, body };
            return sendRaw(server.url, sent, TIMEOUT).catch((error: unknown) => {
              // The server may close the connection before it has received a large body that it
              // rejects.
              if ((body?.length ?? 0) < 250_000 || !isConnectionReset(error)) throw error;
              return undefined;
            });
          }),
        );
        for (const response of responses) if (response !== undefined) expectValidResponse(response);
      }),
      { numRuns: RUNS },
    );
    await expectHealthy();
  });
});

describe('a request without a route', () => {
  test('gets a response for any method', async () => {
    const path = fc.oneof(
      fc.webPath(),
      fc.constantFrom('//', '/..', '/%', '/api', '/api/', '/media/', '/socket.io', '/api/users/'),
    );
    const method = fc.constantFrom(
      'GET',
      'POST',
      'PUT',
      'PATCH',
      'DELETE',
      'OPTIONS',
      'TRACE',
      'MKCOL',
    );
    await fc.assert(
      fc.asyncProperty(method, path, headers, async (method, path, headers) => {
        const sent = { method, path: path === '' ? '/' : path, headers, body: undefined };
        const response = await sendRaw(server.url, sent, TIMEOUT);
        expect(response.status).toBeGreaterThanOrEqual(200);
        expect(response.status).toBeLessThan(500);
      }),
      { numRuns: casesOf(300) },
    );
  });
});

const SIGNALS = Object.keys(clientSignals) as (keyof typeof clientSignals)[];

describe.each(SIGNALS)('the signal %s', (name) => {
  test('may have any payload', async () => {
    const payloads = fc.array(signalPayloadOf(world, name), { minLength: 1, maxLength: 20 });
    await fc.assert(
      fc.asyncProperty(payloads, async (sent) => {
        const raw = await connectRaw(server, world.sender);
        for (const payload of sent) raw.socket.send(`42["${name}",${payload}]`);
        // It is acknowledged after all signals.
        raw.socket.send('421["unknown"]');
        while (!(await raw.next()).startsWith('431['));
        raw.socket.close();
        await raw.closed;
      }),
      { numRuns: RUNS },
    );
    await expectHealthy();
  });
});

describe('invalid bytes on a websocket', () => {
  test('end only their own connection', async () => {
    const { hostname, port } = new URL(server.url);
    const witness = await connectRaw(server, world.other);
    await fc.assert(
      fc.asyncProperty(fc.uint8Array({ minLength: 1, maxLength: 300 }), async (bytes) => {
        const socket = connect(Number(port), hostname);
        socket.write(
          [
            'GET /socket.io/?EIO=4&transport=websocket HTTP/1.1',
            `host: ${hostname}:${port}`,
            'connection: upgrade',
            'upgrade: websocket',
            'sec-websocket-version: 13',
            'sec-websocket-key: AAAAAAAAAAAAAAAAAAAAAA==',
            `cookie: ${world.other.cookie}`,
            '\r\n',
          ].join('\r\n'),
        );
        socket.end(bytes);
        socket.resume();
        await new Promise((resolve) => {
          socket.on('close', resolve);
          socket.on('error', resolve);
        });
      }),
      { numRuns: casesOf(200) },
    );
    expect(witness.socket.readyState).toBe(witness.socket.OPEN);
    await expectHealthy();
  });
});

test('leaves no orphaned files or open connections and logs no errors after all requests', async () => {
  const rows = await server.ctx.storage.read((db) =>
    db.selectFrom('media').select('file').execute(),
  );
  expect((await listUploadedFiles(server)).toSorted()).toEqual(
    rows.map(({ file }) => file).toSorted(),
  );
  await until(() => server.ctx.maintenance.writeQueueDepth === 0);
  server.app.server.closeIdleConnections();
  // The test's own client keeps one connection open, which counts once for each end.
  await until(() => connectionCount() <= connectionsAtStart + 2);
  expect(server.log.filter((line) => /"level":[56]0/.test(line))).toEqual([]);
});
