import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { beginChat, send } from '../../test/chatting.ts';
import { startServer, type TestServer, type TestUser } from '../../test/harness.ts';
import * as samples from '../../test/samples.ts';
import { turnIntoSvg } from '../../test/stored-media.ts';
import { listUploadedFiles, upload } from '../../test/uploading.ts';
import { until } from '../../test/until.ts';

let server: TestServer;
let alice: TestUser;
let bob: TestUser;
let eve: TestUser;
let chatroomId: string;
beforeAll(async () => {
  server = await startServer();
  alice = await server.signIn('Alice');
  bob = await server.signIn('Bob');
  eve = await server.signIn('Eve');
  chatroomId = await beginChat(alice, bob);
  await beginChat(eve, bob);
});
afterAll(() => server.close());

/** Uploads a file as Alice. `path` is the path of the returned URL. */
async function uploadAsAlice(kind: 'image' | 'audio', bytes: Buffer) {
  const { body } = await upload(alice, kind, bytes);
  const { pathname } = new URL(body.url);
  return { url: body.url, path: pathname };
}

/** Fetches a response as bytes, unlike the test client, which reads it as text. */
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

describe('access to an upload', () => {
  test('serves an unsent upload to its owner, a sent one to both members, and a deleted one to neither', async () => {
    const { url, path } = await uploadAsAlice('image', samples.sample('picture.png'));
    const statuses = async () =>
      Promise.all([alice, bob, eve].map(async (user) => (await user.request('GET', path)).status));

    expect(await statuses()).toEqual([200, 404, 404]);
    const message = await send(alice, chatroomId, url);
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
    await until(async () => !(await listUploadedFiles(server)).includes(file));
  });

  test('ends with the account of the sender, before its files are erased', async () => {
    const carl = await server.signIn('Carl');
    const { body } = await upload(carl, 'image', samples.sample('picture.png'));
    await send(carl, await beginChat(carl, bob), body.url);
    const { pathname } = new URL(body.url);
    expect((await bob.request('GET', pathname)).status).toBe(200);
    await server.ctx.storage.write(({ trx }) =>
      trx.updateTable('users').set({ ended_at: Date.now() }).where('id', '=', carl.id).execute(),
    );
    expect((await bob.request('GET', pathname)).status).toBe(404);
  });

  test('rejects a request without a session', async () => {
    const { path } = await uploadAsAlice('image', samples.sample('picture.png'));
    const response = await server.client().request('GET', path);
    expect(response).toMatchObject({ status: 401, body: { code: 'unauthenticated' } });
  });

  test('sends the same response for a hidden upload and a missing one', async () => {
    const { path } = await uploadAsAlice('image', samples.sample('picture.png'));
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
  ])('rejects the path %s', async (path) => {
    const response = await alice.request('GET', path);
    expect([400, 404]).toContain(response.status);
    expect(response.body).toHaveProperty('code');
  });

  test('responds with media_not_found if the file of a row is missing', async () => {
    const { path } = await uploadAsAlice('image', samples.sample('picture.png'));
    await server.ctx.media.remove(path.slice('/media/'.length));
    expect(await alice.request('GET', path)).toMatchObject({
      status: 404,
      body: { code: 'media_not_found' },
    });
  });
});

describe('the headers of an upload', () => {
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
  ] as const)(
    'sends the detected type and protective headers: %s %#',
    async (kind, bytes, mime) => {
      const { path } = await uploadAsAlice(kind, bytes);
      const { headers } = await get(path);
      expect(headers.get('content-type')).toBe(mime);
      expect(headers.get('x-content-type-options')).toBe('nosniff');
      expect(headers.get('content-security-policy')).toMatch(/^sandbox; default-src 'none'/);
      expect(headers.get('cache-control')).toBe('no-store');
      expect(headers.get('content-disposition')).toMatch(/^inline; filename="[\w.-]+"$/);
      expect(headers.get('accept-ranges')).toBe('bytes');
    },
  );

  test('sends an SVG of an older version as a sandboxed attachment', async () => {
    const { path } = await uploadAsAlice('image', samples.sample('picture.png'));
    const file = await turnIntoSvg(server, path, samples.svgWithScript());
    const { headers } = await get(`/media/${file}`);
    expect(headers.get('content-type')).toBe('image/svg+xml');
    expect(headers.get('content-security-policy')).toMatch(/^sandbox; default-src 'none'/);
    expect(headers.get('content-security-policy')).not.toContain('allow-scripts');
    expect(headers.get('content-disposition')).toMatch(/^attachment/);
  });
});

describe('partial requests', () => {
  const whole = samples.wavWithMetadata(5_000);
  let path: string;
  let stored: Buffer;
  let etag: string;
  beforeAll(async () => {
    ({ path } = await uploadAsAlice('audio', whole));
    const response = await get(path);
    stored = response.bytes;
    etag = response.headers.get('etag') ?? '';
  });

  test.each([
    ['bytes=0-', 0, undefined],
    ['bytes=0-0', 0, 1],
    ['bytes=100-199', 100, 200],
    ['bytes=4000-99999', 4000, undefined],
    ['bytes=-10', -10, undefined],
    ['bytes=-99999', 0, undefined],
  ])('responds to range %s with 206 and the part', async (range, from, to) => {
    const response = await get(path, { range });
    const expected = stored.subarray(from, to);
    expect(response.status).toBe(206);
    expect(response.bytes).toEqual(expected);
    const first = from < 0 ? stored.length + from : from;
    expect(response.headers.get('content-range')).toBe(
      `bytes ${first}-${first + expected.length - 1}/${stored.length}`,
    );
    expect(response.headers.get('content-length')).toBe(String(expected.length));
  });

  test.each(['bytes=99999-', 'bytes=-0'])(
    'responds to the unsatisfiable range %s with 416',
    async (range) => {
      const response = await get(path, { range });
      expect(response.status).toBe(416);
      expect(response.headers.get('content-range')).toBe(`bytes */${stored.length}`);
      expect(response.bytes).toHaveLength(0);
    },
  );

  test.each(['bytes=5-2', 'bytes=a-b', 'bytes=-', 'chunks=0-1', 'bytes=0-1,3-4'])(
    'responds to the invalid range %s with the whole file',
    async (range) => {
      const response = await get(path, { range });
      expect(response.status).toBe(200);
      expect(response.bytes).toEqual(stored);
    },
  );

  test('sends a part only if If-Range matches the entity tag', async () => {
    const range = 'bytes=1-2';
    expect((await get(path, { range, 'if-range': etag })).status).toBe(206);
    expect((await get(path, { range, 'if-range': '"other"' })).status).toBe(200);
    expect((await get(path, { range, 'if-range': `W/${etag}` })).status).toBe(200);
  });

  test('responds with 304 if If-None-Match matches, but only to users with access', async () => {
    const response = await get(path, { 'if-none-match': etag });
    expect(response.status).toBe(304);
    expect(response.bytes).toHaveLength(0);
    const bobs = await bob.request('GET', path, undefined, { 'if-none-match': etag });
    expect(bobs.status).toBe(404);
  });

  test('responds to HEAD with the headers of GET and no body', async () => {
    const response = await get(path, {}, 'HEAD');
    expect(response.status).toBe(200);
    expect(response.headers.get('content-length')).toBe(String(stored.length));
    expect(response.headers.get('content-type')).toBe('audio/wav');
    const part = await get(path, { range: 'bytes=0-9' }, 'HEAD');
    expect(part.status).toBe(206);
    expect(part.headers.get('content-length')).toBe('10');
  });
});
