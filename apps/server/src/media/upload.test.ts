import type { Socket } from 'node:net';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { LIMITS } from '@parley/contract';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { nestedUses } from '../../test/costly-svgs.ts';
import { startServer, type TestServer, type TestUser } from '../../test/harness.ts';
import * as samples from '../../test/samples.ts';
import { until } from '../../test/until.ts';
import { beginUpload, jpegOfSize, mediaFiles, upload } from '../../test/uploading.ts';

let server: TestServer;
let alice: TestUser;
beforeEach(async () => {
  server = await startServer();
  alice = await server.signIn('Alice');
});
afterEach(() => server.close());

const noFileIsLeft = async () => expect(await mediaFiles(server)).toEqual([]);

describe('a file that is accepted', () => {
  test.each([
    ['image', 'jpg', samples.jpegWithMetadata(6)],
    ['image', 'png', samples.pngWithMetadata()],
    ['image', 'gif', samples.gifWithMetadata()],
    ['image', 'webp', samples.webpWithMetadata()],
    ['image', 'svg', samples.svgWithScript()],
    ['audio', 'webm', samples.webmWithTags()],
    ['audio', 'mp4', samples.mp4WithPlace()],
    ['audio', 'mp3', samples.mp3WithTags()],
    ['audio', 'aac', samples.aacWithTag()],
    ['audio', 'wav', samples.wavWithMetadata()],
  ] as const)('%s: its URL ends in .%s, whatever it was called', async (kind, ending, bytes) => {
    const answer = await upload(alice, kind, bytes, {
      name: '../../etc/passwd.exe',
      type: 'text/html',
    });
    expect(answer.status).toBe(201);
    expect(Object.keys(answer.body)).toEqual(['url']);
    expect(answer.body.url).toMatch(
      new RegExp(`^http://localhost[:\\d]*/media/[0-9a-f-]{36}\\.${ending}$`),
    );
    const [file = '', ...others] = await mediaFiles(server);
    expect(others).toEqual([]);
    expect(answer.body.url).toContain(file);
    const stored = await readFile(join(server.dataDir, 'media', file));
    expect(stored.includes(samples.SECRET)).toBe(false);
  });

  test('its size, once turned, and its type are kept with it', async () => {
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
    const stored = await readFile(join(server.dataDir, 'media', row.file));
    expect(row.size).toBe(stored.length);
  });

  test('of exactly 10 MiB', async () => {
    const bytes = jpegOfSize(samples.sample('picture.jpg'), LIMITS.imageBytesMax);
    expect((await upload(alice, 'image', bytes)).status).toBe(201);
  });
});

describe('refused without a trace', () => {
  test.each([
    ['text', 'image', Buffer.from('no picture at all, only words')],
    ['nothing', 'image', Buffer.alloc(0)],
    ['a picture as a recording', 'audio', samples.sample('picture.png')],
    ['a recording as a picture', 'image', samples.sample('voice.webm')],
    ['a film', 'audio', samples.sample('film.webm')],
    [
      'a page that ends like a picture',
      'image',
      Buffer.concat([
        Buffer.from('<!doctype html><script>1</script>'),
        samples.sample('picture.jpg'),
      ]),
    ],
  ] as const)('415: %s', async (_, kind, bytes) => {
    const answer = await upload(alice, kind, bytes, { name: 'x.png', type: 'image/png' });
    expect(answer).toMatchObject({ status: 415, body: { code: 'unsupported_media' } });
    expect(answer.body.errorMessage).toEqual(expect.any(String));
    await noFileIsLeft();
  });

  test('413: an SVG of little more than 1 KB that would freeze whoever sees it', async () => {
    const bytes = Buffer.from(nestedUses());
    expect(bytes.length).toBeLessThan(1_500);
    const answer = await upload(alice, 'image', bytes, { name: 'x.svg', type: 'image/svg+xml' });
    expect(answer).toMatchObject({ status: 413, body: { code: 'media_too_complex' } });
    expect(answer.body.errorMessage).toEqual(expect.any(String));
    await noFileIsLeft();
  });

  test.each(['image', 'audio'] as const)('413: one byte more than 10 MiB of %s', async (kind) => {
    const bytes = jpegOfSize(samples.sample('picture.jpg'), LIMITS.imageBytesMax + 1);
    expect(await upload(alice, kind, bytes)).toMatchObject({
      status: 413,
      body: { code: 'too_large' },
    });
    await noFileIsLeft();
  });

  test('413: far more than that is told before it is sent', async () => {
    const answer = await upload(alice, 'image', Buffer.alloc(LIMITS.imageBytesMax * 2));
    expect(answer.status).toBe(413);
    await noFileIsLeft();
  });

  test.each([
    ['another field', { field: 'picture' }],
    ['a field of the prototype', { field: '__proto__' }],
  ])('400: %s', async (_, options) => {
    const answer = await upload(alice, 'image', samples.sample('picture.png'), options);
    expect(answer).toMatchObject({ status: 400, body: { code: 'invalid_request' } });
    await noFileIsLeft();
  });

  test.each([
    ['no form', '{}', 'application/json'],
    [
      'a form without a file',
      '--x\r\ncontent-disposition: form-data; name="image"\r\n\r\nhi\r\n--x--\r\n',
      'multipart/form-data; boundary=x',
    ],
    ['an empty form', '', 'multipart/form-data; boundary=x'],
    ['a form without a boundary', 'x', 'multipart/form-data'],
    [
      'a form that breaks off',
      '--x\r\ncontent-disposition: form-data; name="image"; filename="a"\r\n\r\nhi',
      'multipart/form-data; boundary=x',
    ],
  ])('400: %s', async (_, body, type) => {
    const answer = await alice.request('POST', '/api/upload/image', body, { 'content-type': type });
    expect(answer).toMatchObject({ status: 400, body: { code: 'invalid_request' } });
    await noFileIsLeft();
  });

  test.each([
    ['without a boundary', 'multipart/form-data'],
    ['of another boundary', 'multipart/form-data; boundary=y'],
    ['that breaks off', 'multipart/form-data; boundary=x'],
  ])('400: a form of megabytes %s is taken in and answered', async (_, type) => {
    const head = '--x\r\ncontent-disposition: form-data; name="image"; filename="a"\r\n\r\n';
    const body = head + 'x'.repeat(5_000_000);
    const answer = await alice.request('POST', '/api/upload/image', body, { 'content-type': type });
    expect(answer).toMatchObject({ status: 400, body: { code: 'invalid_request' } });
    await noFileIsLeft();
  });

  test('401 without a session, 403 from another site', async () => {
    const form = new FormData();
    form.append('image', new Blob([new Uint8Array(samples.sample('picture.png'))]), 'a.png');
    const stranger = await server.client().request('POST', '/api/upload/image', form);
    expect(stranger).toMatchObject({ status: 401, body: { code: 'unauthenticated' } });
    const foreign = await alice.request('POST', '/api/upload/image', form, {
      origin: 'https://evil.example',
    });
    expect(foreign).toMatchObject({ status: 403, body: { code: 'foreign_origin' } });
    await noFileIsLeft();
  });
});

/** Begins an upload of a megabyte by hand and sends only its beginning. */
function sendBeginning(user: TestUser): Socket {
  const socket = beginUpload(server, user, 1_000_000);
  const disposition = 'content-disposition: form-data; name="image"; filename="a.jpg"';
  socket.write(['--x', disposition, '', 'the beginning'].join('\r\n'));
  return socket;
}

describe('under way', () => {
  test('one that is given up leaves nothing', async () => {
    const socket = sendBeginning(alice);
    await until(async () => (await mediaFiles(server)).length === 1);
    socket.destroy();
    await until(async () => (await mediaFiles(server)).length === 0);
  });

  test('four at once of one person; others are not held up by them', async () => {
    const bob = await server.signIn('Bob');
    const sockets = [1, 2, 3, 4].map(() => sendBeginning(alice));
    await until(async () => (await mediaFiles(server)).length === 4);

    const fifth = await upload(alice, 'image', samples.sample('picture.png'));
    expect(fifth).toMatchObject({ status: 429, body: { code: 'rate_limited' } });
    expect(Number(fifth.headers.get('retry-after'))).toBeGreaterThan(0);
    expect((await upload(bob, 'image', samples.sample('picture.png'))).status).toBe(201);

    for (const socket of sockets) socket.destroy();
    await until(async () => (await mediaFiles(server)).length === 1);
    await until(async () => {
      const again = await upload(alice, 'image', samples.sample('picture.png'));
      return again.status === 201;
    });
  });
});

test('a hundred that were never sent are enough', async () => {
  const picture = samples.sample('picture.png');
  for (let i = 0; i < 100; i += 1) {
    expect((await upload(alice, 'image', picture)).status).toBe(201);
  }
  const refused = await upload(alice, 'image', picture);
  expect(refused).toMatchObject({ status: 429, body: { code: 'rate_limited' } });
  expect(await mediaFiles(server)).toHaveLength(100);
});

test('many people upload at once', async () => {
  const people = await Promise.all(Array.from({ length: 12 }, (_, i) => server.signIn(`User${i}`)));
  const bytes = jpegOfSize(samples.sample('picture.jpg'), 1024 * 1024);
  const answers = await Promise.all(
    people.flatMap((user) => [1, 2, 3].map(() => upload(user, 'image', bytes))),
  );
  expect(answers.map((answer) => answer.status)).toEqual(Array(36).fill(201));
  expect(new Set(answers.map((answer) => answer.body.url))).toHaveProperty('size', 36);
  expect(await mediaFiles(server)).toHaveLength(36);
});
