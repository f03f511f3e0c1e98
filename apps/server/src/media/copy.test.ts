import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { changeConsent, beginChat, readChatroom, send } from '../../test/chatting.ts';
import { startServer, type TestServer, type TestUser } from '../../test/harness.ts';
import * as samples from '../../test/samples.ts';
import { putStoredFile, readStoredFile, turnIntoSvg } from '../../test/stored-media.ts';
import { listUploadedFiles, upload } from '../../test/uploading.ts';
import { waitForErasure } from '../../test/wait-for-erasure.ts';
import { newId } from '../storage/ids.ts';
import { createSweeper, UNUSED_MAX_AGE } from './sweep.ts';

let server: TestServer;
let alice: TestUser;
let bob: TestUser;
let carl: TestUser;
/** The chatroom of Alice and Bob. */
let chatroomId: string;

async function start(env: Record<string, string> = {}): Promise<void> {
  await server.close();
  server = await startServer(env);
  await signIn();
}

async function signIn(): Promise<void> {
  alice = await server.signIn('Alice');
  bob = await server.signIn('Bob');
  carl = await server.signIn('Carl');
  chatroomId = await beginChat(alice, bob);
}

beforeEach(async () => {
  server = await startServer();
  await signIn();
});
afterEach(async () => {
  vi.restoreAllMocks();
  await server.close();
});

const picture = samples.sample('picture.png');
const PEAKS = [0, 12, 100, 55];

/** Sends an image or a recording from Alice to Bob. */
async function sendMedia(kind: 'image' | 'audio' = 'image', bytes = picture) {
  const fields = kind === 'audio' ? { peaks: JSON.stringify(PEAKS) } : {};
  const { status, body } = await upload(alice, kind, bytes, { fields });
  expect(status, `the upload responded with ${JSON.stringify(body)}`).toBe(201);
  return send(alice, chatroomId, body.url);
}

const copy = (user: TestUser, messageId: string) =>
  user.request('POST', '/api/media/copy', { messageId });

const fileOf = (url: string) => url.slice(url.lastIndexOf('/') + 1);
const readCopy = (url: string) => readStoredFile(server, fileOf(url));

const rowOf = (file: string) =>
  server.ctx.storage.read((db) =>
    db.selectFrom('media').selectAll().where('file', '=', file).executeTakeFirst(),
  );

const NOT_FOUND = { status: 404, body: { code: 'message_not_found' } };

async function expectOneFile(): Promise<void> {
  await vi.waitFor(async () => expect(await listUploadedFiles(server)).toHaveLength(1));
}

describe('copying the media of a message', () => {
  test.each([
    ['image', samples.sample('picture.png')],
    ['audio', samples.sample('voice.webm')],
  ] as const)('creates an unsent %s of the user with the same properties', async (kind, bytes) => {
    const message = await sendMedia(kind, bytes);
    const response = await copy(bob, message._id);
    expect(response.status).toBe(201);
    const { id, url } = response.body;
    expect(response.body).toEqual({ id, url: expect.stringContaining(`/${id}.`) });
    expect(url).not.toBe(message.content);
    const [original, copied] = [await rowOf(fileOf(message.content)), await rowOf(fileOf(url))];
    expect(copied).toEqual({
      ...original,
      id: copied?.id,
      file: fileOf(url),
      owner_id: bob.id,
      created_at: expect.any(Number),
    });
    expect(await readCopy(url)).toEqual(await readCopy(message.content));

    // Others cannot see it before it is sent.
    const { pathname } = new URL(url);
    expect((await alice.request('GET', pathname)).status).toBe(404);
    const room = await beginChat(bob, carl);
    const body = { chatroom: room, content: url, kind, isForwarded: true };
    const sent = await bob.request('POST', '/api/messages/send', body);
    expect(sent).toMatchObject({ status: 201, body: { kind, isForwarded: true } });
    expect(sent.body.media).toEqual(message.media);
    expect((await carl.request('GET', pathname)).status).toBe(200);
    expect((await alice.request('GET', pathname)).status).toBe(404);
  });

  test('lets users copy their own messages, and the copy of a copy', async () => {
    const message = await sendMedia();
    const own = await copy(alice, message._id);
    expect(own.status).toBe(201);
    const again = await send(alice, chatroomId, own.body.url);
    const second = await copy(bob, again._id);
    expect(second.status).toBe(201);
    expect(await readCopy(second.body.url)).toEqual(await readCopy(message.content));
  });

  test('keeps the copy when the original is deleted, and the other way round', async () => {
    const message = await sendMedia();
    const { url } = (await copy(bob, message._id)).body;
    await alice.request('DELETE', '/api/messages/delete', { messageId: message._id });
    await expectOneFile();
    expect(await readCopy(url)).toEqual(picture);
    const sent = await send(bob, chatroomId, url);
    const kept = await copy(alice, sent._id);
    await bob.request('DELETE', '/api/messages/delete', { messageId: sent._id });
    expect(await readCopy(kept.body.url)).toEqual(picture);
    expect(await copy(alice, sent._id)).toMatchObject(NOT_FOUND);
  });

  test('leaves a copy that is never sent to the sweep', async () => {
    const message = await sendMedia();
    const { url } = (await copy(bob, message._id)).body;
    vi.spyOn(Date, 'now').mockReturnValue(Date.now() + UNUSED_MAX_AGE + 60_000);
    await createSweeper(server.ctx).sweep(new AbortController().signal);
    expect(await rowOf(fileOf(url))).toBeUndefined();
    expect(await readCopy(url)).toBeUndefined();
    expect(await readCopy(message.content)).toEqual(picture);
  });
});

describe('refusing to copy', () => {
  test('responds in the same way to messages that are missing, deleted, withheld or in the chats of others', async () => {
    const message = await sendMedia();
    const missing = await copy(carl, newId());
    expect(missing).toMatchObject(NOT_FOUND);
    const foreign = await copy(carl, message._id);
    const deleted = await sendMedia();
    await alice.request('DELETE', '/api/messages/delete', { messageId: deleted._id });
    await changeConsent(bob, chatroomId, 'block');
    const withheld = await sendMedia();
    await changeConsent(bob, chatroomId, 'unblock');
    for (const response of [
      foreign,
      await copy(bob, deleted._id),
      await copy(alice, deleted._id),
      await copy(bob, withheld._id),
    ]) {
      expect(response).toMatchObject({ status: missing.status, body: missing.body });
    }
    expect((await copy(alice, withheld._id)).status).toBe(201);
    expect(await listUploadedFiles(server)).toHaveLength(3);
  });

  test('hides the messages of a deleted request and of a deleted account', async () => {
    const { body } = await upload(alice, 'image', picture);
    const request = await beginChat(alice, carl, 'Hello', { isRequest: true });
    const { _id: messageId } = await send(alice, request, body.url);
    expect((await copy(carl, messageId)).status).toBe(201);
    await changeConsent(carl, request, 'decline');
    expect(await copy(carl, messageId)).toMatchObject(NOT_FOUND);

    const message = await sendMedia();
    await alice.request('DELETE', '/api/users/delete');
    expect(await copy(bob, message._id)).toMatchObject(NOT_FOUND);
  });

  test('responds with 404 to a text, and to an image whose file is missing', async () => {
    const text = await send(alice, chatroomId, 'a text');
    const noMedia = { status: 404, body: { code: 'media_not_found' } };
    expect(await copy(bob, text._id)).toMatchObject(noMedia);
    const message = await sendMedia();
    await server.ctx.media.remove(fileOf(message.content));
    expect(await copy(bob, message._id)).toMatchObject(noMedia);
    const { chatroomMessages } = await readChatroom(bob, chatroomId);
    expect(chatroomMessages).toHaveLength(3);
    expect(await listUploadedFiles(server)).toEqual([]);
  });

  test('responds with 403 to a blocked image', { tags: ['postgres'] }, async () => {
    const message = await sendMedia();
    await server.ctx.storage.write(({ trx }) =>
      trx.updateTable('media').set({ is_blocked: 1 }).execute(),
    );
    expect(await copy(bob, message._id)).toMatchObject({
      status: 403,
      body: { code: 'media_blocked' },
    });
    await expectOneFile();
  });

  test.each([{}, { messageId: 7 }, { messageId: null }])(
    'responds with 400 to %j',
    async (body) => {
      const response = await alice.request('POST', '/api/media/copy', body);
      expect(response).toMatchObject({ status: 400, body: { code: 'invalid_request' } });
    },
  );
});

describe('an image that was stored under older rules', () => {
  async function sendOutdated(bytes: Buffer) {
    const message = await sendMedia('image', samples.pngWithMetadata());
    const file = fileOf(message.content);
    await putStoredFile(server, file, bytes);
    await server.ctx.storage.write(({ trx }) =>
      trx
        .updateTable('media')
        .set({ inspected_rules: 0, size: bytes.length })
        .where('file', '=', file)
        .execute(),
    );
    return message;
  }

  test(
    'is inspected, so that the copy contains only what the current rules accept',
    { tags: ['postgres'] },
    async () => {
      const message = await sendOutdated(samples.pngWithMetadata());
      const { status, body } = await copy(bob, message._id);
      expect(status).toBe(201);
      const bytes = (await readCopy(body.url)) ?? Buffer.alloc(0);
      expect(bytes.includes(samples.SECRET)).toBe(false);
      const row = await rowOf(fileOf(body.url));
      expect(row).toMatchObject({ size: bytes.length, owner_id: bob.id });
      expect(row?.inspected_rules).toBeGreaterThan(0);
    },
  );

  test('is converted, if it is an SVG', { tags: ['postgres'] }, async () => {
    const message = await sendMedia();
    await turnIntoSvg(server, message.content, samples.svgWithScript());
    const { status, body } = await copy(bob, message._id);
    expect(status).toBe(201);
    expect(body.url).toMatch(/\.png$/);
    const [room, bytes] = [await beginChat(bob, carl), await readCopy(body.url)];
    expect(await rowOf(fileOf(body.url))).toMatchObject({ mime: 'image/png', size: bytes?.length });
    expect((await send(bob, room, body.url)).media?.width).toBeGreaterThan(24);
  });

  test('is not copied if the current rules reject it', async () => {
    const message = await sendOutdated(Buffer.from('no image at all'));
    expect(await copy(bob, message._id)).toMatchObject({
      status: 403,
      body: { code: 'media_blocked' },
    });
    await expectOneFile();
  });
});

describe('limits of copies', () => {
  test('counts a copy towards the quota of the user who copies', async () => {
    await start({ PARLEY_QUOTA_MEDIA_PER_USER: String(picture.length * 2 - 1) });
    const message = await sendMedia();
    expect((await copy(bob, message._id)).status).toBe(201);
    expect(await copy(bob, message._id)).toMatchObject({
      status: 403,
      body: { code: 'quota_media' },
    });
    expect(await listUploadedFiles(server)).toHaveLength(2);
  });

  test('responds with 507 if all uploads together have used up the space', async () => {
    await start({ PARLEY_QUOTA_MEDIA_TOTAL: String(picture.length * 2 - 1) });
    const message = await sendMedia();
    expect(await copy(bob, message._id)).toMatchObject({
      status: 507,
      body: { code: 'storage_full' },
    });
    await expectOneFile();
  });

  test('rejects a copy after a hundred uploads that were never sent', async () => {
    const message = await sendMedia();
    for (let i = 0; i < 100; i += 1) expect((await copy(bob, message._id)).status).toBe(201);
    expect(await copy(bob, message._id)).toMatchObject({
      status: 429,
      body: { code: 'rate_limited' },
    });
  });

  test('counts a copy in progress towards the simultaneous uploads of the user', async () => {
    const message = await sendMedia();
    const { promise, resolve } = Promise.withResolvers<void>();
    const { media } = server.ctx;
    const original = media.copy.bind(media);
    const copying = vi.spyOn(server.ctx.media, 'copy').mockImplementation(async (...files) => {
      await promise;
      return original(...files);
    });
    const copies = Array.from({ length: 4 }, () => copy(bob, message._id));
    await vi.waitFor(() => expect(copying).toHaveBeenCalledTimes(4));
    expect(await copy(bob, message._id)).toMatchObject({ status: 429 });
    resolve();
    expect((await Promise.all(copies)).map(({ status }) => status)).toEqual([201, 201, 201, 201]);
  });
});

describe('a failure while copying', () => {
  /** Runs a function after a file was copied and before its row is inserted. */
  function onCopied(run: () => Promise<unknown>): void {
    const { media } = server.ctx;
    const original = media.copy.bind(media);
    vi.spyOn(server.ctx.media, 'copy').mockImplementationOnce(async (...files) => {
      const isCopied = await original(...files);
      await run();
      return isCopied;
    });
  }

  test('leaves no file if the message is deleted in the meantime', async () => {
    const message = await sendMedia();
    onCopied(() => alice.request('DELETE', '/api/messages/delete', { messageId: message._id }));
    expect(await copy(bob, message._id)).toMatchObject(NOT_FOUND);
    await vi.waitFor(async () => expect(await listUploadedFiles(server)).toEqual([]));
  });

  test('leaves no file if the account of the user is deleted in the meantime', async () => {
    const message = await sendMedia();
    onCopied(() => bob.request('DELETE', '/api/users/delete'));
    expect(await copy(bob, message._id)).toMatchObject({
      status: 401,
      body: { code: 'unauthenticated' },
    });
    await waitForErasure(server);
    await expectOneFile();
  });

  test('leaves no file if the disk is full', async () => {
    const message = await sendMedia();
    const error = Object.assign(new Error('no space'), { code: 'ENOSPC' });
    vi.spyOn(server.ctx.media, 'copy').mockRejectedValueOnce(error);
    expect(await copy(bob, message._id)).toMatchObject({
      status: 507,
      body: { code: 'storage_full' },
    });
    await expectOneFile();
    expect((await copy(bob, message._id)).status).toBe(201);
  });
});
