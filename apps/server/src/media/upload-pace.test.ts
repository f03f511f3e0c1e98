import type { Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { startServer, type TestServer, type TestUser } from '../../test/harness.ts';
import { sample } from '../../test/samples.ts';
import { until } from '../../test/until.ts';
import { beginUpload, jpegOfSize, mediaFiles, upload } from '../../test/uploading.ts';
import { UPLOAD_LIMITS } from './upload-limits.ts';

const { grace, bytesPerSecond } = UPLOAD_LIMITS.pace;

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

const PICTURE = jpegOfSize(sample('picture.jpg'), 400_000);
const HEAD = '--x\r\ncontent-disposition: form-data; name="image"; filename="a.jpg"\r\n\r\n';
const TAIL = '\r\n--x--\r\n';

/** Begins to send the picture by hand. */
function begin(user: TestUser): Socket {
  const length = HEAD.length + PICTURE.length + TAIL.length;
  return beginUpload(server, user, length, ['connection: close']);
}

/** The place is free again, nothing is left, and the answer says why. */
async function expectTooSlow(socket: Socket): Promise<void> {
  const answer = await text(socket);
  expect(answer).toMatch(/^HTTP\/1\.1 408 /);
  expect(answer).toContain('connection: close');
  expect(answer).toContain('"code":"too_slow"');
  await until(async () => (await mediaFiles(server)).length === 0);
  await until(() => vi.getTimerCount() === 0);
}

test('one that stands still is ended and leaves no file', async () => {
  const socket = begin(alice);
  socket.write(`${HEAD}the beginning`);
  await until(async () => (await mediaFiles(server)).length === 1);
  vi.advanceTimersByTime(grace - 1_000);
  await nextTurn();
  expect(await mediaFiles(server)).toHaveLength(1);
  vi.advanceTimersByTime(2_000);
  await expectTooSlow(socket);
});

test('one that never comes to its file is ended, too', async () => {
  const socket = begin(alice);
  socket.write(HEAD.slice(0, 20));
  await until(() => vi.getTimerCount() === 1);
  vi.advanceTimersByTime(grace + 1_000);
  await expectTooSlow(socket);
});

test('a trickle in all places of a person frees them', async () => {
  const sockets = Array.from({ length: UPLOAD_LIMITS.atOnceOfOne }, () => begin(alice));
  for (const socket of sockets) socket.write(`${HEAD}the beginning`);
  await until(async () => (await mediaFiles(server)).length === sockets.length);
  expect((await upload(alice, 'image', PICTURE)).status).toBe(429);

  const answers = sockets.map((socket) => expectTooSlow(socket));
  for (let second = 0; second <= grace / 1_000; second += 1) {
    for (const socket of sockets) socket.write('a few bytes more');
    vi.advanceTimersByTime(1_000);
    await nextTurn();
  }
  await Promise.all(answers);
  expect((await upload(alice, 'image', PICTURE)).status).toBe(201);
});

test('a phone with a bad network gets through', async () => {
  const before = (await mediaFiles(server)).length;
  const socket = begin(alice);
  socket.write(HEAD);
  await until(() => vi.getTimerCount() === 1);
  // Nothing at first, then 20 KiB a second.
  vi.advanceTimersByTime(grace - 1_000);
  const perSecond = 20 * 1024;
  expect(perSecond).toBeGreaterThan(2 * bytesPerSecond);
  for (let sent = 0; sent < PICTURE.length; sent += perSecond) {
    socket.write(PICTURE.subarray(sent, sent + perSecond));
    await until(() => socket.writableLength === 0);
    await nextTurn();
    vi.advanceTimersByTime(1_000);
  }
  socket.write(TAIL);
  expect(await text(socket)).toMatch(/^HTTP\/1\.1 201 /);
  expect(await mediaFiles(server)).toHaveLength(before + 1);
  expect(vi.getTimerCount()).toBe(0);
});
