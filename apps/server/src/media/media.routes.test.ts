import { unlink } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createRoom, send } from '../../test/chatting.ts';
import { startServer, type TestServer, type TestUser } from '../../test/harness.ts';
import * as samples from '../../test/samples.ts';
import { mediaFiles, upload } from '../../test/uploading.ts';
import { until } from '../../test/until.ts';

let server: TestServer;
let alice: TestUser;
let bob: TestUser;
let eve: TestUser;
let roomId: string;
beforeAll(async () => {
  server = await startServer();
  alice = await server.signIn('Alice');
  bob = await server.signIn('Bob');
  eve = await server.signIn('Eve');
  roomId = await createRoom(alice, bob);
  await createRoom(eve, bob);
});
afterAll(() => server.close());

/** Uploads a file of Alice's. `path` is where it can be fetched. */
async function uploaded(kind: 'image' | 'audio', bytes: Buffer) {
  const { body } = await upload(alice, kind, bytes);
  const { pathname } = new URL(body.url);
  return { url: body.url, path: pathname };
}

/** Fetches bytes; the harness reads text. */
async function get(path: string, headers: Record<string, string> = {}, method = 'GET') {
  const response = await fetch(server.url + path, {
    method,
    headers: { cookie: alice.cookie, 'accept-encoding': 'identity', ...headers },
  });
  return {
    status: response.status,
    headers: response.headers,
    bytes: Buffer.from(await response.arrayBuffer()),
  };
}

describe('who may see it', () => {
  test('before it is sent, the one who uploaded it; then both members; then nobody', async () => {
    const { url, path } = await uploaded('image', samples.sample('picture.png'));
    const statuses = async () =>
      Promise.all([alice, bob, eve].map(async (user) => (await user.request('GET', path)).status));

    expect(await statuses()).toEqual([200, 404, 404]);
    const message = await send(alice, roomId, url);
    expect(message).toMatchObject({
      kind: 'image',
      content: url,
      media: { width: 24, height: 12 },
    });
    expect(await statuses()).toEqual([200, 200, 404]);

    const deleted = await alice.request('DELETE', '/api/messages/delete', {
      messageId: message._id,
    });
    expect(deleted.status).toBe(200);
    expect(await statuses()).toEqual([404, 404, 404]);
    const file = path.slice('/media/'.length);
    await until(async () => !(await mediaFiles(server)).includes(file));
  });

  test('nobody without a session', async () => {
    const { path } = await uploaded('image', samples.sample('picture.png'));
    const answer = await server.client().request('GET', path);
    expect(answer).toMatchObject({ status: 401, body: { code: 'unauthenticated' } });
  });

  test('what does not exist looks the same as what is not for them', async () => {
    const { path } = await uploaded('image', samples.sample('picture.png'));
    const hidden = await eve.request('GET', path);
    const missing = await eve.request('GET', path.replace(/[0-9a-f]{12}(?=\.)/, '000000000000'));
    expect(hidden.status).toBe(404);
    expect(missing.body).toEqual(hidden.body);
  });

  test.each([
    '/media/',
    '/media/..%2fparley.db',
    '/media/%2e%2e%2fparley.db',
    '/media/..%5cparley.db',
    '/media/incoming',
    '/media/incoming%2fx',
    '/media/parley.db',
    '/media/%00',
    `/media/${'a'.repeat(3000)}`,
  ])('%s is no upload', async (path) => {
    const answer = await alice.request('GET', path);
    expect([400, 404]).toContain(answer.status);
    expect(answer.body).toHaveProperty('code');
  });

  test('a row whose file is gone is not found', async () => {
    const { path } = await uploaded('image', samples.sample('picture.png'));
    await unlink(join(server.dataDir, path));
    expect(await alice.request('GET', path)).toMatchObject({
      status: 404,
      body: { code: 'media_not_found' },
    });
  });
});

describe('how it is sent', () => {
  test.each([
    ['image', samples.sample('picture.jpg'), 'image/jpeg'],
    ['image', samples.sample('picture.png'), 'image/png'],
    ['image', samples.sample('picture.webp'), 'image/webp'],
    ['image', samples.gifWithMetadata(), 'image/gif'],
    ['audio', samples.sample('voice.webm'), 'audio/webm'],
    ['audio', samples.sample('voice.mp4'), 'audio/mp4'],
    ['audio', samples.mp3WithTags(), 'audio/mpeg'],
    ['audio', samples.aacWithTag(), 'audio/aac'],
    ['audio', samples.wavWithMetadata(), 'audio/wav'],
  ] as const)('%s as what it is: %#', async (kind, bytes, mime) => {
    const { path } = await uploaded(kind, bytes);
    const { headers } = await get(path);
    expect(headers.get('content-type')).toBe(mime);
    expect(headers.get('x-content-type-options')).toBe('nosniff');
    expect(headers.get('content-security-policy')).toMatch(/^sandbox; default-src 'none'/);
    expect(headers.get('cache-control')).toBe('private, no-cache');
    expect(headers.get('content-disposition')).toMatch(/^inline; filename="[\w.-]+"$/);
    expect(headers.get('accept-ranges')).toBe('bytes');
  });

  test('an SVG can run nothing and is not opened as a page', async () => {
    const { path } = await uploaded('image', samples.svgWithScript());
    const { headers } = await get(path);
    expect(headers.get('content-type')).toBe('image/svg+xml');
    expect(headers.get('content-security-policy')).toMatch(/^sandbox; default-src 'none'/);
    expect(headers.get('content-security-policy')).not.toContain('allow-scripts');
    expect(headers.get('content-disposition')).toMatch(/^attachment/);
  });
});

describe('parts', () => {
  const whole = samples.wavWithMetadata(5_000);
  let path: string;
  let stored: Buffer;
  let etag: string;
  beforeAll(async () => {
    ({ path } = await uploaded('audio', whole));
    const answer = await get(path);
    stored = answer.bytes;
    etag = answer.headers.get('etag') ?? '';
  });

  test.each([
    ['bytes=0-', 0, undefined],
    ['bytes=0-0', 0, 1],
    ['bytes=100-199', 100, 200],
    ['bytes=4000-99999', 4000, undefined],
    ['bytes=-10', -10, undefined],
    ['bytes=-99999', 0, undefined],
  ])('%s', async (range, from, to) => {
    const answer = await get(path, { range });
    const expected = stored.subarray(from, to);
    expect(answer.status).toBe(206);
    expect(answer.bytes).toEqual(expected);
    const first = from < 0 ? stored.length + from : from;
    expect(answer.headers.get('content-range')).toBe(
      `bytes ${first}-${first + expected.length - 1}/${stored.length}`,
    );
    expect(answer.headers.get('content-length')).toBe(String(expected.length));
  });

  test.each(['bytes=99999-', 'bytes=-0'])('%s is beyond it', async (range) => {
    const answer = await get(path, { range });
    expect(answer.status).toBe(416);
    expect(answer.headers.get('content-range')).toBe(`bytes */${stored.length}`);
    expect(answer.bytes).toHaveLength(0);
  });

  test.each(['bytes=5-2', 'bytes=a-b', 'bytes=-', 'chunks=0-1', 'bytes=0-1,3-4'])(
    'for %s comes the whole',
    async (range) => {
      const answer = await get(path, { range });
      expect(answer.status).toBe(200);
      expect(answer.bytes).toEqual(stored);
    },
  );

  test('If-Range: a part of what they have, else the whole', async () => {
    const range = 'bytes=1-2';
    expect((await get(path, { range, 'if-range': etag })).status).toBe(206);
    expect((await get(path, { range, 'if-range': '"other"' })).status).toBe(200);
    expect((await get(path, { range, 'if-range': `W/${etag}` })).status).toBe(200);
  });

  test('304 for whoever has it', async () => {
    const answer = await get(path, { 'if-none-match': etag });
    expect(answer.status).toBe(304);
    expect(answer.bytes).toHaveLength(0);
    const bobs = await bob.request('GET', path, undefined, { 'if-none-match': etag });
    expect(bobs.status).toBe(404);
  });

  test('HEAD tells the same without the bytes', async () => {
    const answer = await get(path, {}, 'HEAD');
    expect(answer.status).toBe(200);
    expect(answer.headers.get('content-length')).toBe(String(stored.length));
    expect(answer.headers.get('content-type')).toBe('audio/wav');
    const part = await get(path, { range: 'bytes=0-9' }, 'HEAD');
    expect(part.status).toBe(206);
    expect(part.headers.get('content-length')).toBe('10');
  });
});
