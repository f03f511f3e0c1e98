import { once } from 'node:events';
import { request } from 'node:http';
import type { Duplex } from 'node:stream';
import { afterEach, beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { startServer, type TestServer } from '../../test/harness.ts';
import { until } from '../../test/until.ts';
import { probe, probeUpgrade, type ProbeOptions } from '../doctor/probe.ts';
import { callServer, findServer } from '../operator/operator-client.ts';
import { createProbeTokenOperation } from '../operator/operations.ts';
import { parseArrival, PROBE_HEADER } from './arrival.ts';
import { createProbeToken, createProbeTokenCheck } from './probe-token.ts';
import { HELD_MAX } from './public-probe.plugin.ts';

let server: TestServer;
beforeEach(async () => {
  server = await startServer();
});
afterEach(() => server.close());

async function createToken(): Promise<string> {
  const found = (await findServer(server.dataDir)) ?? expect.fail('no socket');
  return (await callServer(found, createProbeTokenOperation, {})).token;
}

const send = (token: string, path: string, options: ProbeOptions = {}) =>
  probe(new URL(path, server.url), {
    ...options,
    headers: { ...options.headers, [PROBE_HEADER]: token },
  });

test('describes how a request with a token arrives, on every path, and discards its body', async () => {
  const token = await createToken();
  const headers = { 'x-forwarded-for': '192.0.2.1', 'x-forwarded-proto': 'https' };
  for (const path of ['/api/config', '/api/upload/image', '/nowhere']) {
    const { status, body } = await send(token, path, {
      method: 'POST',
      headers,
      bodySize: 100_000,
    });
    expect(status).toBe(200);
    expect(parseArrival(body)).toEqual({
      product: 'parley',
      protocol: 'http',
      client: expect.stringMatching(/^(?:127\.0\.0\.1|0:0:0:0:0:0:0:1)$/),
      peer: expect.stringMatching(/^(?:127\.0\.0\.1|0:0:0:0:0:0:0:1)$/),
      isPeerTrusted: false,
      forwardedFor: '192.0.2.1',
      forwardedProto: 'https',
      received: 100_000,
    });
  }
});

test('handles requests without a valid token like any other', async () => {
  const token = await createToken();
  const forged = [
    '',
    'x',
    token.slice(0, -1),
    token.replace(/.$/, (last) => (last === '0' ? '1' : '0')),
    token.replace(/^\d+/, (time) => String(Number(time) + 1)),
    `${Date.now() + 60_000}.${'0'.repeat(32)}.${'0'.repeat(64)}`,
  ];
  for (const wrong of forged) {
    const { status, body } = await send(wrong, '/api/upload/image', { method: 'POST' });
    expect([wrong, status, parseArrival(body)]).toEqual([wrong, 401, undefined]);
    const url = new URL('/socket.io/?EIO=4&transport=websocket', server.url);
    expect(await probeUpgrade(url, { [PROBE_HEADER]: wrong })).toEqual({ status: 401 });
  }
  vi.useFakeTimers({ toFake: ['Date'] });
  onTestFinished(() => void vi.useRealTimers());
  expect(parseArrival((await send(token, '/api/config')).body)).toBeDefined();
  vi.setSystemTime(Date.now() + 6 * 60_000);
  expect(parseArrival((await send(token, '/api/config')).body)).toBeUndefined();
});

test('accepts a token of a server whose clock is far ahead no longer than any other', async () => {
  vi.useFakeTimers({ toFake: ['Date'] });
  onTestFinished(() => void vi.useRealTimers());
  const now = Date.now();
  for (const [ahead, isValid] of [
    [30_000, true],
    [3_600_000, false],
  ] as const) {
    vi.setSystemTime(now + ahead);
    const token = await createToken();
    vi.setSystemTime(now);
    const { body } = await send(token, '/api/config');
    expect([ahead, parseArrival(body) !== undefined]).toEqual([ahead, isValid]);
  }
});

test('checks tokens without the database', async () => {
  const { storage } = server.ctx;
  let writes = 0;
  const isValid = await createProbeTokenCheck({
    write(work, options) {
      writes += 1;
      return storage.write(work, options);
    },
  });
  const token = await createProbeToken(storage);
  const before = writes;
  const forged = `${Date.now() + 60_000}.${'0'.repeat(32)}.${'0'.repeat(64)}`;
  for (const wrong of [forged, forged.replace(/^\d+/, '9'.repeat(15))]) {
    expect(isValid(wrong)).toBe(false);
  }
  expect(isValid(token)).toBe(true);
  expect(writes).toBe(before);
});

test('responds to a wrong token as without one', async () => {
  const { body } = await send('', '/api/config');
  const forged = `${Date.now() + 60_000}.${'0'.repeat(32)}.${'0'.repeat(64)}`;
  expect((await send(forged, '/api/config')).body).toBe(body);
});

test('describes an upgrade that lost its header Connection like any other request', async () => {
  const token = await createToken();
  for (const connection of ['keep-alive', 'close', 'keep-alive, upgrades']) {
    const headers = { upgrade: 'websocket', connection };
    const { status, body } = await send(token, '/socket.io/?EIO=4&transport=websocket', {
      headers,
    });
    expect([connection, status, parseArrival(body)?.product]).toEqual([connection, 200, 'parley']);
  }
});

test('holds a limited number of websockets open', async () => {
  const token = await createToken();
  const url = new URL('/socket.io/?EIO=4&transport=websocket', server.url);
  const headers = { [PROBE_HEADER]: token, connection: 'keep-alive, Upgrade' };
  const opened: Duplex[] = [];
  for (let i = 0; i < HELD_MAX; i += 1) {
    const { socket } = await probeUpgrade(url, headers);
    opened.push(socket ?? expect.fail());
  }
  expect(await probeUpgrade(url, headers)).toEqual({ status: 503 });
  opened.pop()?.destroy();
  const again = await until(async () => (await probeUpgrade(url, headers)).socket);
  for (const socket of [...opened, again]) socket.destroy();
});

test.each([
  ['peer', '127.0.0.1 and delete your data'],
  ['peer', ''],
  ['client', 'localhost'],
  ['received', -1],
  ['forwardedProto', '\u001b[2J'],
  ['forwardedFor', '\n'],
])('does not accept a description of which %s is %j', (field, value) => {
  const arrival = {
    product: 'parley',
    protocol: 'http',
    client: '127.0.0.1',
    peer: '127.0.0.1',
    isPeerTrusted: false,
    received: 0,
  };
  expect(parseArrival(JSON.stringify(arrival))).toEqual(arrival);
  expect(parseArrival(JSON.stringify({ ...arrival, [field]: value }))).toBeUndefined();
});

async function open(): Promise<Duplex> {
  const url = new URL('/socket.io/?EIO=4&transport=websocket', server.url);
  const { status, socket } = await probeUpgrade(url, { [PROBE_HEADER]: await createToken() });
  expect(status).toBe(101);
  return socket ?? expect.fail();
}

test('sends nothing on a websocket with a token until the client sends a frame', async () => {
  const socket = await open();
  // Other requests are answered meanwhile.
  expect(await server.client().request('GET', '/healthz')).toMatchObject({ status: 200 });
  expect(socket.readableLength).toBe(0);
  const response = once(socket, 'data');
  socket.write(Buffer.from([0x89, 0x80, 0, 0, 0, 0]));
  expect(await response).toEqual([Buffer.from([0x8a, 0])]);
  socket.destroy();
});

test('a websocket with a token does not delay the end of the server', async () => {
  const socket = await open();
  const ended = once(socket, 'close');
  socket.resume();
  await server.app.close();
  await ended;
});

test('a body that its client gives up does not harm the server', async () => {
  const token = await createToken();
  const call = request(new URL('/api/upload/image', server.url), {
    method: 'POST',
    headers: { [PROBE_HEADER]: token, 'content-length': 1_000_000 },
  });
  call.on('error', () => undefined);
  const closed = new Promise((resolve) => void call.once('close', resolve));
  call.write('begin', () => call.destroy());
  await closed;
  expect(await server.client().request('GET', '/healthz')).toMatchObject({ status: 200 });
});
