import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { LIMITS } from '@parley/contract';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { startServer, type TestServer, type TestUser } from '../../test/harness.ts';
import { connectLive } from '../../test/live.ts';
import { sample } from '../../test/samples.ts';
import { readStoredFile } from '../../test/stored-media.ts';
import { until } from '../../test/until.ts';
import { jpegOfSize, upload } from '../../test/uploading.ts';

let server: TestServer;
let alice: TestUser;
/** Path of an image of the maximum size. */
let path: string;
/** Its stored size in bytes: slightly less than uploaded, because its color profile is cleaned. */
let size: number;
beforeAll(async () => {
  server = await startServer();
  alice = await server.signIn('Alice');
  const { body } = await upload(
    alice,
    'image',
    jpegOfSize(sample('picture.jpg'), LIMITS.imageBytesMax),
  );
  path = new URL(body.url).pathname;
  size = (await readStoredFile(server, path.slice('/media/'.length)))?.length ?? 0;
  expect(size).toBeGreaterThan(LIMITS.imageBytesMax * 0.99);
});
afterAll(() => server.close());

/** Requests the image over a raw socket and reads nothing yet. */
function openRequest(): Socket {
  const { hostname, port } = new URL(server.url);
  const socket = connect(Number(port), hostname);
  socket.write(`GET ${path} HTTP/1.1\r\nhost: ${hostname}\r\ncookie: ${alice.cookie}\r\n\r\n`);
  return socket;
}

/** Downloads the image in at least a time in milliseconds. Returns its size in bytes. */
async function download(duration: number): Promise<number> {
  const response = await fetch(server.url + path, { headers: { cookie: alice.cookie } });
  let read = 0;
  for await (const piece of response.body ?? []) {
    await sleep((duration * piece.length) / size);
    read += piece.length;
  }
  return read;
}

test('releases the file when a client disconnects during a download', async () => {
  for (let i = 0; i < 20; i += 1) {
    const socket = openRequest();
    await once(socket, 'data');
    socket.destroy();
  }
  expect(await download(0)).toBe(size);
});

test('disconnects a client that stops reading, but neither a slow one nor a live connection', async () => {
  const { server: http } = server.app;
  const usual = http.timeout;
  expect(usual).toBe(120_000);
  // More than the pauses in which a busy machine writes nothing.
  http.timeout = 3_000;
  onTestFinished(() => {
    http.timeout = usual;
  });
  const live = await connectLive(server, alice);

  const accepted = once(http, 'connection');
  const client = openRequest();
  onTestFinished(() => void client.destroy());
  const [socket]: Socket[] = await accepted;
  await once(client, 'readable');
  await until(() => socket?.destroyed);

  expect(await download(1.3 * http.timeout)).toBe(size);
  expect(live.socket.connected).toBe(true);
});
