import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { startServer, type TestServer } from '../../test/harness.ts';
import { connectLive, connectRaw, dial, openRaw, refusal, upgrade } from '../../test/live.ts';
import { until } from '../../test/until.ts';
import { LIVE_LIMITS } from './live-limits.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startServer();
});
afterAll(() => server.close());

describe('opening a live connection', () => {
  test('succeeds with a session', async () => {
    const { socket } = await connectLive(server, await server.signIn('ada'));
    expect(socket.connected).toBe(true);
    expect(socket.id).toMatch(/^[0-9a-f-]{36}$/);
  });

  test('succeeds from the same origin', async () => {
    const user = await server.signIn('bob');
    const { socket } = dial(server, user, { extraHeaders: { origin: server.url } });
    await until(() => socket.connected);
  });

  test('sends the limits of the connection in the handshake', async () => {
    const raw = await openRaw(server, await server.signIn('cleo'));
    const open = await raw.next();
    expect(open[0]).toBe('0');
    expect(JSON.parse(open.slice(1))).toEqual({
      sid: expect.any(String),
      upgrades: [],
      pingInterval: 25_000,
      pingTimeout: 20_000,
      maxPayload: LIVE_LIMITS.maxPayload,
    });
    raw.socket.send('40{"token":"ignored"}');
    expect(await raw.next()).toMatch(/^40\{"sid":"[0-9a-f-]{36}"\}$/);
    raw.socket.terminate();
  });

  test('disables compression to save memory', async () => {
    const user = await server.signIn('dan');
    const socket = upgrade(server, user, undefined, { perMessageDeflate: true });
    await new Promise((resolve) => socket.once('open', resolve));
    expect(socket.extensions).toBe('');
  });
});

describe('refusing an upgrade', () => {
  test('sends 401 without a session', async () => {
    expect(await refusal(upgrade(server, server.client()))).toMatchObject({
      status: 401,
      body: { code: 'unauthenticated' },
    });
  });

  test('sends 401 for an invalid session cookie', async () => {
    const cookie = 'parley.sid=abc.def';
    expect(await refusal(upgrade(server, { cookie }))).toMatchObject({ status: 401 });
  });

  test.each(['https://evil.example', 'null', 'http://localhost:1', 'not a url'])(
    'sends 403 for the foreign origin %s',
    async (origin) => {
      const user = await server.signIn(`origin-${origin.length}`);
      expect(
        await refusal(upgrade(server, user, undefined, { headers: { origin } })),
      ).toMatchObject({ status: 403, body: { code: 'foreign_origin' } });
    },
  );

  test('sends 503 while events of other servers are not received', async () => {
    const alone = await startServer();
    onTestFinished(() => alone.close());
    const user = await alone.signIn('ada');
    Object.defineProperty(alone.ctx.cluster, 'isReceivingEvents', { value: false });
    expect(await refusal(upgrade(alone, user))).toMatchObject({ status: 503 });
  });

  test('makes the client library retry', async () => {
    const { socket } = dial(server, server.client(), { reconnectionDelay: 10 });
    let refusals = 0;
    socket.on('connect_error', () => {
      refusals += 1;
    });
    await until(() => refusals >= 3);
  });

  test.each([
    ['/socket.io/', 5],
    ['/socket.io/?transport=websocket', 5],
    ['/socket.io/?EIO=3&transport=websocket', 5],
    ['/socket.io/?EIO=4&EIO=4&transport=websocket', 5],
    ['/socket.io/?EIO=4', 0],
    ['/socket.io/?EIO=4&transport=polling', 0],
    ['/socket.io/?EIO=4&transport=constructor', 0],
    ['/socket.io/?EIO=4&transport=websocket&sid=abc', 1],
  ])('responds to %s with the Engine.IO error %i', async (path, code) => {
    const user = await server.signIn(`query-${Math.random().toString(36).slice(2, 10)}`);
    const response = await refusal(upgrade(server, user, path));
    expect(response).toMatchObject({ status: 400, body: { code } });
  });

  test('sends 429 beyond 20 connections of one user, until one of them closes', async () => {
    const user = await server.signIn('many');
    const other = await server.signIn('other');
    const open = await Promise.all(
      Array.from({ length: LIVE_LIMITS.maxConnectionsPerUser }, () => connectRaw(server, user)),
    );
    expect(await refusal(upgrade(server, user))).toMatchObject({
      status: 429,
      retryAfter: expect.stringMatching(/^\d+$/),
      body: { code: 'rate_limited' },
    });
    open.push(await connectRaw(server, other));
    open[0]?.socket.close();
    await open[0]?.closed;
    open.push(await connectRaw(server, user));
  });
});

describe('other requests', () => {
  test('a handshake without an upgrade is rejected', async () => {
    const user = await server.signIn('polling');
    const path = '/socket.io/?EIO=4&transport=';
    expect(await user.request('GET', `${path}polling`)).toMatchObject({
      status: 400,
      body: { code: 0, message: 'Transport unknown' },
    });
    expect(await user.request('GET', `${path}websocket`)).toMatchObject({
      status: 400,
      body: { code: 3, message: 'Bad request' },
    });
    expect(await server.client().request('GET', `${path}polling`)).toMatchObject({ status: 401 });
  });

  test('an upgrade of another path is handled as an ordinary request', async () => {
    const socket = upgrade(server, server.client(), '/api/config');
    expect(await refusal(socket)).toMatchObject({ status: 200, body: { product: 'parley' } });
  });
});

describe('a session that ends while its connection opens', () => {
  test('is detected at the CONNECT', async () => {
    const user = await server.signIn('late');
    const raw = await openRaw(server, user);
    await raw.next();
    await server.ctx.storage.write(({ trx }) =>
      trx.deleteFrom('sessions').where('id', '=', user.sessionId).execute(),
    );
    raw.socket.send('40');
    expect(await raw.next()).toBe('44{"message":"unauthenticated"}');
    expect(await raw.closed).toEqual({ code: 1008, reason: 'session ended' });
  });

  test('closes the connection before the CONNECT', async () => {
    const user = await server.signIn('early');
    const raw = await openRaw(server, user);
    await raw.next();
    const sessionIds = [user.sessionId];
    server.ctx.events.publish({ type: 'sessions-ended', sessionIds, reason: 'revoked' });
    expect(await raw.next()).toBe('44{"message":"unauthenticated"}');
    expect(await raw.closed).toEqual({ code: 1008, reason: 'session ended' });
  });
});
