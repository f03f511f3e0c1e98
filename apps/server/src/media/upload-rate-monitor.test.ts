import type { Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { startServer, type TestServer, type TestUser } from '../../test/harness.ts';
import { sample } from '../../test/samples.ts';
import { until } from '../../test/until.ts';
import { beginUpload, jpegOfSize, listUploadedFiles, upload } from '../../test/uploading.ts';
import { UPLOAD_LIMITS } from './upload-limits.ts';

const { gracePeriod, bytesPerSecond } = UPLOAD_LIMITS.minRate;

let server: TestServer;
let alice: TestUser;
beforeAll(async () => {
  server = await startServer();
  alice = await server.signIn('Alice');
});
afterAll(() => server.close());
beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'performance'] });
});
afterEach(() => {
  vi.useRealTimers();
});

const IMAGE = jpegOfSize(sample('picture.jpg'), 400_000);
const HEAD = '--x\r\ncontent-disposition: form-data; name="image"; filename="a.jpg"\r\n\r\n';
const TAIL = '\r\n--x--\r\n';

/** Begins to upload the image over a raw socket. */
function begin(user: TestUser): Socket {
  const length = HEAD.length + IMAGE.length + TAIL.length;
  return beginUpload(server, user, length, ['connection: close']);
}

/** Expects a 408 response, no file left, and no timer left. */
async function expectTooSlow(socket: Socket): Promise<void> {
  const response = await text(socket);
  expect(response).toMatch(/^HTTP\/1\.1 408 /);
  expect(response).toContain('connection: close');
  expect(response).toContain('"code":"too_slow"');
  await until(async () => (await listUploadedFiles(server)).length === 0);
  await until(() => vi.getTimerCount() === 0);
}

test('ends an upload that stalls and leaves no file', async () => {
  const socket = begin(alice);
  socket.write(`${HEAD}the beginning`);
  await until(async () => (await listUploadedFiles(server)).length === 1);
  vi.advanceTimersByTime(gracePeriod - 1_000);
  await nextTurn();
  expect(await listUploadedFiles(server)).toHaveLength(1);
  vi.advanceTimersByTime(2_000);
  await expectTooSlow(socket);
});

test('ends an upload that stalls before its file', async () => {
  const socket = begin(alice);
  socket.write(HEAD.slice(0, 20));
  await until(() => vi.getTimerCount() === 1);
  vi.advanceTimersByTime(gracePeriod + 1_000);
  await expectTooSlow(socket);
});

test('ends uploads that are too slow and lets the user upload again', async () => {
  const sockets = Array.from({ length: UPLOAD_LIMITS.maxPerUser }, () => begin(alice));
  for (const socket of sockets) socket.write(`${HEAD}the beginning`);
  await until(async () => (await listUploadedFiles(server)).length === sockets.length);
  expect((await upload(alice, 'image', IMAGE)).status).toBe(429);

  const responses = sockets.map((socket) => expectTooSlow(socket));
  for (let second = 0; second <= gracePeriod / 1_000; second += 1) {
    for (const socket of sockets) socket.write('a few bytes more');
    vi.advanceTimersByTime(1_000);
    await nextTurn();
  }
  await Promise.all(responses);
  expect((await upload(alice, 'image', IMAGE)).status).toBe(201);
});

test('accepts an upload over a slow mobile connection', async () => {
  const before = (await listUploadedFiles(server)).length;
  const socket = begin(alice);
  socket.write(HEAD);
  await until(() => vi.getTimerCount() === 1);
  // Send nothing at first, then 20 KiB per second.
  vi.advanceTimersByTime(gracePeriod - 1_000);
  const perSecond = 20 * 1024;
  expect(perSecond).toBeGreaterThan(2 * bytesPerSecond);
  for (let sent = 0; sent < IMAGE.length; sent += perSecond) {
    socket.write(IMAGE.subarray(sent, sent + perSecond));
    await until(() => socket.writableLength === 0);
    await nextTurn();
    vi.advanceTimersByTime(1_000);
  }
  socket.write(TAIL);
  expect(await text(socket)).toMatch(/^HTTP\/1\.1 201 /);
  expect(await listUploadedFiles(server)).toHaveLength(before + 1);
  expect(vi.getTimerCount()).toBe(0);
});
