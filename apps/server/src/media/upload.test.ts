import type { Socket } from 'node:net';
import { LIMITS } from '@parley/contract';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { bmpOfSize } from '../../test/expensive-images.ts';
import { nestedUses } from '../../test/expensive-svgs.ts';
import { startServer, type TestServer, type TestUser } from '../../test/harness.ts';
import * as samples from '../../test/samples.ts';
import { readStoredFile } from '../../test/stored-media.ts';
import { until } from '../../test/until.ts';
import { beginUpload, jpegOfSize, listUploadedFiles, upload } from '../../test/uploading.ts';

let server: TestServer;
let alice: TestUser;
beforeEach(async () => {
  server = await startServer();
  alice = await server.signIn('Alice');
});
afterEach(() => server.close());

const expectNoFiles = async () => expect(await listUploadedFiles(server)).toEqual([]);

describe('accepting an upload', () => {
  test.each([
    ['image', 'jpg', samples.jpegWithMetadata(6)],
    ['image', 'png', samples.pngWithMetadata()],
    ['image', 'gif', samples.gifWithMetadata()],
    ['image', 'webp', samples.webpWithMetadata()],
    ['image', 'png', samples.svgWithScript()],
    ['audio', 'webm', samples.webmWithTags()],
    ['audio', 'mp4', samples.mp4WithLocation()],
    ['audio', 'mp3', samples.mp3WithTags()],
    ['audio', 'aac', samples.aacWithTag()],
    ['audio', 'wav', samples.wavWithMetadata()],
  ] as const)(
    'stores an %s upload under a URL that ends in .%s, regardless of its file name: %#',
    async (kind, extension, bytes) => {
      const response = await upload(alice, kind, bytes, {
        name: '../../etc/passwd.exe',
        type: 'text/html',
      });
      expect(response.status).toBe(201);
      expect(Object.keys(response.body)).toEqual(['url', 'id']);
      expect(response.body.url).toMatch(
        new RegExp(`^http://localhost[:\\d]*/media/[0-9a-f-]{36}\\.${extension}$`),
      );
      const [file = '', ...others] = await listUploadedFiles(server);
      expect(others).toEqual([]);
      expect(response.body.url).toContain(file);
      expect(file).toBe(`${response.body.id}.${extension}`);
      const stored = (await readStoredFile(server, file)) ?? Buffer.alloc(0);
      expect(stored.includes(samples.SECRET)).toBe(false);
    },
  );

  test('stores the type and the size after rotation', async () => {
    await upload(alice, 'image', samples.jpegWithMetadata(6));
    const row = await server.ctx.storage.read((db) =>
      db.selectFrom('media').selectAll().executeTakeFirstOrThrow(),
    );
    expect(row).toMatchObject({
      owner_id: alice.id,
      kind: 'image',
      mime: 'image/jpeg',
      width: 12,
      height: 24,
    });
    const stored = (await readStoredFile(server, row.file)) ?? Buffer.alloc(0);
    expect(row.size).toBe(stored.length);
  });

  test('stores and serves a BMP as a PNG', async () => {
    const bytes = samples.bmpWithMetadata();
    const { status, body } = await upload(alice, 'image', bytes, { name: 'a.bmp' });
    expect(status).toBe(201);
    expect(body.url).toMatch(/\.png$/);
    const row = await server.ctx.storage.read((db) =>
      db.selectFrom('media').selectAll().executeTakeFirstOrThrow(),
    );
    expect(row).toMatchObject({ mime: 'image/png', width: 2, height: 2 });
    const stored = (await readStoredFile(server, row.file)) ?? Buffer.alloc(0);
    expect(row.size).toBe(stored.length);
    expect(stored.includes(samples.SECRET)).toBe(false);
    const { headers } = await alice.request('GET', new URL(body.url).pathname);
    expect(headers.get('content-type')).toBe('image/png');
    expect(headers.get('x-content-type-options')).toBe('nosniff');
  });

  test('accepts an image of exactly 10 MiB', async () => {
    const bytes = jpegOfSize(samples.sample('picture.jpg'), LIMITS.imageBytesMax);
    expect((await upload(alice, 'image', bytes)).status).toBe(201);
  });
});

describe('rejecting an upload without leaving a file', () => {
  const incompleteBmp = samples.bmpWithMetadata();
  incompleteBmp.writeInt32LE(9, 22);

  test.each([
    ['a text file', 'image', Buffer.from('no image at all, only words')],
    ['an empty file', 'image', Buffer.alloc(0)],
    ['an image as a recording', 'audio', samples.sample('picture.png')],
    ['a recording as an image', 'image', samples.sample('voice.webm')],
    ['a video', 'audio', samples.sample('film.webm')],
    ['a BMP with a missing row', 'image', incompleteBmp],
    [
      'an HTML page that ends like an image',
      'image',
      Buffer.concat([
        Buffer.from('<!doctype html><script>1</script>'),
        samples.sample('picture.jpg'),
      ]),
    ],
  ] as const)('responds with 415 to %s', async (_, kind, bytes) => {
    const response = await upload(alice, kind, bytes, { name: 'x.png', type: 'image/png' });
    expect(response).toMatchObject({ status: 415, body: { code: 'unsupported_media' } });
    expect(response.body.errorMessage).toEqual(expect.any(String));
    await expectNoFiles();
  });

  test('responds with 413 to a small SVG that would freeze the browser', async () => {
    const bytes = Buffer.from(nestedUses());
    expect(bytes.length).toBeLessThan(1_500);
    const response = await upload(alice, 'image', bytes, { name: 'x.svg', type: 'image/svg+xml' });
    expect(response).toMatchObject({ status: 413, body: { code: 'media_too_complex' } });
    expect(response.body.errorMessage).toEqual(expect.any(String));
    await expectNoFiles();
  });

  test('responds with 413 to a small BMP of 48 megapixels', async () => {
    const response = await upload(alice, 'image', bmpOfSize(8_000, 6_000, 'runs'));
    expect(response).toMatchObject({ status: 413, body: { code: 'media_too_complex' } });
    await expectNoFiles();
  });

  test.each(['image', 'audio'] as const)(
    'responds with 413 to a file of 10 MiB and one byte: %s',
    async (kind) => {
      const bytes = jpegOfSize(samples.sample('picture.jpg'), LIMITS.imageBytesMax + 1);
      expect(await upload(alice, kind, bytes)).toMatchObject({
        status: 413,
        body: { code: 'too_large' },
      });
      await expectNoFiles();
    },
  );

  test('responds with 413 to an announced length far above the limit', async () => {
    const response = await upload(alice, 'image', Buffer.alloc(LIMITS.imageBytesMax * 2));
    expect(response.status).toBe(413);
    await expectNoFiles();
  });

  test.each([
    ['another field', { field: 'picture' }],
    ['a field named __proto__', { field: '__proto__' }],
  ])('responds with 400 to a file in %s', async (_, options) => {
    const response = await upload(alice, 'image', samples.sample('picture.png'), options);
    expect(response).toMatchObject({ status: 400, body: { code: 'invalid_request' } });
    await expectNoFiles();
  });

  test.each([
    ['a JSON body', '{}', 'application/json'],
    [
      'a form without a file',
      '--x\r\ncontent-disposition: form-data; name="image"\r\n\r\nhi\r\n--x--\r\n',
      'multipart/form-data; boundary=x',
    ],
    ['an empty form', '', 'multipart/form-data; boundary=x'],
    ['a form without a boundary', 'x', 'multipart/form-data'],
    [
      'an incomplete form',
      '--x\r\ncontent-disposition: form-data; name="image"; filename="a"\r\n\r\nhi',
      'multipart/form-data; boundary=x',
    ],
  ])('responds with 400 to %s', async (_, body, type) => {
    const response = await alice.request('POST', '/api/upload/image', body, {
      'content-type': type,
    });
    expect(response).toMatchObject({ status: 400, body: { code: 'invalid_request' } });
    await expectNoFiles();
  });

  test.each([
    ['without a boundary', 'multipart/form-data'],
    ['with another boundary', 'multipart/form-data; boundary=y'],
    ['that is incomplete', 'multipart/form-data; boundary=x'],
  ])('responds with 400 to a large form %s', async (_, type) => {
    const head = '--x\r\ncontent-disposition: form-data; name="image"; filename="a"\r\n\r\n';
    const body = head + 'x'.repeat(5_000_000);
    const response = await alice.request('POST', '/api/upload/image', body, {
      'content-type': type,
    });
    expect(response).toMatchObject({ status: 400, body: { code: 'invalid_request' } });
    await expectNoFiles();
  });

  test('responds with 401 to a guest and with 403 to a request from another site', async () => {
    const form = new FormData();
    form.append('image', new Blob([new Uint8Array(samples.sample('picture.png'))]), 'a.png');
    const guest = await server.client().request('POST', '/api/upload/image', form);
    expect(guest).toMatchObject({ status: 401, body: { code: 'unauthenticated' } });
    const foreign = await alice.request('POST', '/api/upload/image', form, {
      origin: 'https://evil.example',
    });
    expect(foreign).toMatchObject({ status: 403, body: { code: 'foreign_origin' } });
    await expectNoFiles();
  });
});

/** Begins an upload of a megabyte over a raw socket and sends only its beginning. */
function sendBeginning(user: TestUser): Socket {
  const socket = beginUpload(server, user, 1_000_000);
  const disposition = 'content-disposition: form-data; name="image"; filename="a.jpg"';
  socket.write(['--x', disposition, '', 'the beginning'].join('\r\n'));
  return socket;
}

describe('an upload in progress', () => {
  test('leaves no file when it is aborted', async () => {
    const socket = sendBeginning(alice);
    await until(async () => (await listUploadedFiles(server)).length === 1);
    socket.destroy();
    await until(async () => (await listUploadedFiles(server)).length === 0);
  });

  test('counts towards the limit of four simultaneous uploads per user, without affecting other users', async () => {
    const bob = await server.signIn('Bob');
    const sockets = [1, 2, 3, 4].map(() => sendBeginning(alice));
    await until(async () => (await listUploadedFiles(server)).length === 4);

    const fifth = await upload(alice, 'image', samples.sample('picture.png'));
    expect(fifth).toMatchObject({ status: 429, body: { code: 'rate_limited' } });
    expect(Number(fifth.headers.get('retry-after'))).toBeGreaterThan(0);
    expect((await upload(bob, 'image', samples.sample('picture.png'))).status).toBe(201);

    for (const socket of sockets) socket.destroy();
    await until(async () => (await listUploadedFiles(server)).length === 1);
    await until(async () => {
      const again = await upload(alice, 'image', samples.sample('picture.png'));
      return again.status === 201;
    });
  });
});

test('rejects an upload after a hundred that were never sent', async () => {
  const picture = samples.sample('picture.png');
  for (let i = 0; i < 100; i += 1) {
    expect((await upload(alice, 'image', picture)).status).toBe(201);
  }
  const refused = await upload(alice, 'image', picture);
  expect(refused).toMatchObject({ status: 429, body: { code: 'rate_limited' } });
  expect(await listUploadedFiles(server)).toHaveLength(100);
});

test('accepts simultaneous uploads of many users', async () => {
  const users = await Promise.all(Array.from({ length: 12 }, (_, i) => server.signIn(`User${i}`)));
  const bytes = jpegOfSize(samples.sample('picture.jpg'), 1024 * 1024);
  const responses = await Promise.all(
    users.flatMap((user) => [1, 2, 3].map(() => upload(user, 'image', bytes))),
  );
  expect(responses.map((response) => response.status)).toEqual(Array(36).fill(201));
  expect(new Set(responses.map((response) => response.body.url))).toHaveProperty('size', 36);
  expect(await listUploadedFiles(server)).toHaveLength(36);
});
