import { copyFile, mkdir, mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, onTestFinished, test } from 'vitest';
import { changesSince, beginChat, readChatroom, recordEvents, send } from '../../test/chatting.ts';
import { nestedUses } from '../../test/expensive-svgs.ts';
import { startServer, userAt, type TestServer, type TestUser } from '../../test/harness.ts';
import * as samples from '../../test/samples.ts';
import { IS_ON_POSTGRES } from '../../test/server-group.ts';
import { putStoredFile, readStoredFile, turnIntoSvg } from '../../test/stored-media.ts';
import { until } from '../../test/until.ts';
import { upload } from '../../test/uploading.ts';
import { IMAGE_RULES } from '../inspection/inspect.ts';
import { createSweeper } from '../media/sweep.ts';
import { idFloor } from '../storage/ids.ts';
import { createReinspector, type Reinspector } from './reinspection.service.ts';

let server: TestServer;
let alice: TestUser;
let bob: TestUser;
let chatroom: string;
beforeEach(async () => {
  server = await startServer();
  alice = await server.signIn('Alice');
  bob = await server.signIn('Bob');
  chatroom = await beginChat(alice, bob);
});
afterEach(() => server.close());

/** Sends an image, then replaces its file with one that an older version of Parley could have stored. */
async function sendOld(accepted: Buffer, stored: Buffer) {
  const { body } = await upload(alice, 'image', accepted);
  const { pathname } = new URL(body.url);
  const file = pathname.slice('/media/'.length);
  await putStoredFile(server, file, stored);
  await server.ctx.storage.write(async ({ trx }) => {
    await trx
      .updateTable('media')
      .set({ inspected_rules: 0, size: stored.length })
      .where('file', '=', file)
      .execute();
  });
  return { message: await send(alice, chatroom, body.url), pathname, file };
}

const inspect = (reinspector: Reinspector = createReinspector(server.ctx)) =>
  reinspector.inspect(new AbortController().signal);
const get = (user: TestUser, path: string, headers: Record<string, string> = {}) =>
  user.request('GET', path, undefined, headers);
const deleteChat = async (seq: number) => {
  const path = `/api/chatrooms/chats/${chatroom}/delete`;
  expect((await alice.request('POST', path, { seq })).status).toBe(200);
};
const usage = () =>
  server.ctx.storage.read((db) =>
    db.selectFrom('media_usage').select('bytes').executeTakeFirstOrThrow(),
  );

test('blocks a stored SVG that would freeze the browser and keeps its message', async () => {
  const hostile = Buffer.from(nestedUses());
  const { message, pathname, file } = await sendOld(samples.svgWithScript(), hostile);
  expect(await get(bob, pathname)).toMatchObject({ status: 200 });
  const before = await readChatroom(bob, chatroom);
  const events = recordEvents(server);
  await inspect();

  const headers = { 'if-none-match': `"${pathname.slice('/media/'.length)}"` };
  for (const response of [
    await get(alice, pathname),
    await get(bob, pathname),
    await get(bob, pathname, headers),
  ]) {
    expect(response).toMatchObject({ status: 403, body: { code: 'media_blocked' } });
    expect(response.body.errorMessage).toEqual(expect.any(String));
  }
  expect(await readStoredFile(server, file)).toEqual(hostile);

  const after = await readChatroom(bob, chatroom);
  const shown = {
    ...message,
    rev: before.chat.rev + 1,
    media: { ...message.media, isBlocked: true },
  };
  expect(after.chatroomMessages).toEqual([before.chatroomMessages[0], shown]);
  expect(after.unreadMessagesCount).toBe(before.unreadMessagesCount);
  expect(events).toEqual([
    {
      type: 'message-edited',
      message: { ...shown, content: { file } },
      members: [alice.id, bob.id],
    },
  ]);
  const changes = await changesSince(bob, { [chatroom]: before.chat.rev });
  expect(JSON.stringify(changes)).toContain('"isBlocked":true');
  // The message can still be deleted.
  const body = { messageId: message._id };
  expect(await alice.request('DELETE', '/api/messages/delete', body)).toMatchObject({
    status: 200,
  });
});

test('tells the partner of an image whose sender has deleted the chat', async () => {
  const { message } = await sendOld(samples.svgWithScript(), Buffer.from(nestedUses()));
  await deleteChat(message.seq);
  const events = recordEvents(server);
  await inspect();
  const [shown] = (await readChatroom(bob, chatroom)).chatroomMessages.slice(-1);
  expect(shown).toMatchObject({ content: message.content, media: { isBlocked: true } });
  expect(events).toMatchObject([
    { type: 'message-edited', message: { media: { isBlocked: true } }, members: [bob.id] },
  ]);
});

test('removes metadata that older rules kept from stored images', async () => {
  const plain = samples.sample('picture.jpg');
  const stored = samples.jpegWithMetadata(6);
  const { file, pathname, message } = await sendOld(plain, stored);
  await deleteChat(message.seq);
  const before = await usage();
  await inspect();

  const cleaned = (await readStoredFile(server, file)) ?? Buffer.alloc(0);
  expect(cleaned.includes(samples.SECRET)).toBe(false);
  expect(cleaned.length).toBeLessThan(stored.length);
  const response = await get(bob, pathname);
  expect(response.status).toBe(200);
  expect(response.headers.get('content-length')).toBe(`${cleaned.length}`);
  expect((await usage()).bytes).toBe(before.bytes - stored.length + cleaned.length);
  // The quota must not tell the sender, who has deleted the chat, whether the image was erased before.
  const [user] = await server.ctx.storage.read((db) =>
    db.selectFrom('users').select('cleared_media_bytes').where('id', '=', alice.id).execute(),
  );
  expect(user?.cleared_media_bytes).toBe(stored.length - cleaned.length);
  const room = await readChatroom(bob, chatroom);
  const found = room.chatroomMessages.find(({ _id }) => _id === message._id);
  expect(found).toMatchObject({ media: { width: 12, height: 24 }, updatedAt: message.updatedAt });
});

test('leaves valid images unchanged without events for clients, and still serves BMPs of older versions', async () => {
  const { file, pathname } = await sendOld(
    samples.sample('picture.png'),
    samples.bmpWithMetadata(),
  );
  const picture = samples.sample('picture.png');
  const other = await sendOld(picture, picture);
  await server.ctx.storage.write(async ({ trx }) => {
    await trx
      .updateTable('media')
      .set({ mime: 'image/bmp', width: 2, height: 2 })
      .where('file', '=', pathname.slice('/media/'.length))
      .execute();
  });
  const before = await readChatroom(bob, chatroom);
  const events = recordEvents(server);
  await inspect();
  // Clients notice nothing. The picture is written again with the same content.
  expect(events).toEqual([{ type: 'media-replaced', file: other.file }]);
  expect(await readChatroom(bob, chatroom)).toEqual(before);
  expect(await readStoredFile(server, file)).toEqual(samples.bmpWithMetadata());
  expect(await readStoredFile(server, other.file)).toEqual(picture);
  expect(await get(bob, pathname)).toMatchObject({ status: 200 });
});

test('converts a stored SVG to a PNG, under a URL that says so', async () => {
  const { body } = await upload(alice, 'image', samples.sample('picture.png'));
  const message = await send(alice, chatroom, body.url);
  const file = await turnIntoSvg(server, body.url, samples.svgWithScript());
  const before = await readChatroom(bob, chatroom);
  expect(before.chatroomMessages.at(-1)?.content).toMatch(/\.svg$/);
  const events = recordEvents(server);
  await inspect();

  const after = await readChatroom(bob, chatroom);
  const shown = after.chatroomMessages.at(-1);
  expect(shown).toMatchObject({ content: message.content, rev: before.chat.rev + 1 });
  expect(shown?.updatedAt).toBe(message.updatedAt);
  const { width = 0, height = 0 } = shown?.media ?? {};
  expect(width / height).toBeCloseTo(4 / 3, 2);
  const content = { file: basename(message.content) };
  expect(events).toMatchObject([{ type: 'message-edited', message: { ...shown, content } }]);
  const { pathname } = new URL(message.content);
  const { status, headers } = await get(bob, pathname);
  expect({ status, type: headers.get('content-type') }).toEqual({ status: 200, type: 'image/png' });
  const png = await readStoredFile(server, file.replace('svg', 'png'));
  expect((await usage()).bytes).toBe(png?.length);
  expect(file).toMatch(/\.svg$/);
  expect(png?.subarray(1, 4).toString()).toBe('PNG');
});

test('serves a converted image under its former name to those who may see it', async () => {
  const { body } = await upload(alice, 'image', samples.sample('picture.png'));
  const message = await send(alice, chatroom, body.url);
  const file = await turnIntoSvg(server, body.url, samples.svgWithScript());
  const carl = await server.signIn('Carl');
  await inspect();
  // As the sweep does at any time.
  await server.ctx.media.remove(file);
  const former = `/media/${file}`;
  const { pathname } = new URL(body.url);
  for (const user of [alice, bob]) {
    const [old, current] = [await get(user, former), await get(user, pathname)];
    expect(old).toMatchObject({ status: 200, body: current.body });
    for (const name of ['content-type', 'content-length', 'etag', 'content-disposition']) {
      expect(old.headers.get(name)).toBe(current.headers.get(name));
    }
    expect(old.headers.get('content-type')).toBe('image/png');
  }
  expect(await get(carl, former)).toMatchObject({ status: 404 });
  expect(await carl.request('POST', '/api/media/copy', { messageId: message._id })).toMatchObject({
    status: 404,
  });
  const copy = await bob.request('POST', '/api/media/copy', { messageId: message._id });
  expect(copy).toMatchObject({ status: 201, body: { url: expect.stringMatching(/\.png$/) } });

  await alice.request('DELETE', '/api/messages/delete', { messageId: message._id });
  expect(await get(bob, former)).toMatchObject({ status: 404 });
  expect(await get(alice, former)).toMatchObject({ status: 404 });
});

test('lets the owner of an unsent SVG that was converted send it', async () => {
  const { body } = await upload(alice, 'image', samples.sample('picture.png'));
  const file = await turnIntoSvg(server, body.url, samples.svgWithScript());
  await inspect();
  const url = body.url.replace(/[^/]*$/, file);
  const message = await send(alice, chatroom, url);
  expect(message.content).toBe(body.url);
});

test('inspects images at the first start with new rules and not again', async () => {
  const hostile = Buffer.from(nestedUses());
  const { file } = await sendOld(samples.svgWithScript(), hostile);
  const missing = await sendOld(samples.svgWithScript(), hostile);
  await putStoredFile(server, missing.file, 'no picture at all, only words');
  server = await server.restart();
  const rules = () =>
    server.ctx.storage.read((db) =>
      db.selectFrom('media').select(['inspected_rules', 'is_blocked']).execute(),
    );
  const blocked = { inspected_rules: IMAGE_RULES, is_blocked: 1 };
  await until(async () => (await rules()).every((row) => row.is_blocked === 1));
  expect(await rules()).toEqual([blocked, blocked]);
  await putStoredFile(server, file, samples.svgWithScript());
  await inspect();
  expect(await rules()).toEqual([blocked, blocked]);
});

test('inspects the other images if a file is missing', async () => {
  const { file } = await sendOld(samples.sample('picture.png'), samples.pngWithMetadata());
  const gone = '00000000-0000-7000-8000-000000000000.png';
  await server.ctx.storage.write(async ({ trx }) => {
    const row = await trx.selectFrom('media').selectAll().executeTakeFirstOrThrow();
    await trx
      .insertInto('media')
      .values({ ...row, id: `${row.id}f`, file: gone })
      .execute();
  });
  await inspect();
  const rows = await server.ctx.storage.read((db) =>
    db.selectFrom('media').select(['file', 'inspected_rules']).execute(),
  );
  expect(rows).toContainEqual({ file, inspected_rules: IMAGE_RULES });
  expect(rows).toContainEqual({ file: gone, inspected_rules: 0 });
});

test('later inspects only images that were added since, as an older version beside this one does', async () => {
  const { file } = await sendOld(samples.sample('picture.png'), samples.pngWithMetadata());
  const threeHours = 3 * 60 * 60 * 1000;
  const id = idFloor(Date.now() - threeHours);
  const old = `${id}.png`;
  await server.ctx.storage.write(async ({ trx }) => {
    const row = await trx.selectFrom('media').selectAll().executeTakeFirstOrThrow();
    await trx
      .insertInto('media')
      .values({ ...row, id, file: old })
      .execute();
  });
  const isInspected = async (name: string) => {
    const { inspected_rules: rules } = await server.ctx.storage.read((db) =>
      db.selectFrom('media').selectAll().where('file', '=', name).executeTakeFirstOrThrow(),
    );
    return rules === IMAGE_RULES;
  };
  const reinspector = createReinspector(server.ctx);
  await inspect(reinspector);
  // The file of the other one is missing.
  expect([await isInspected(file), await isInspected(old)]).toEqual([true, false]);

  await putStoredFile(server, old, samples.sample('picture.png'));
  const { body } = await upload(alice, 'image', samples.sample('picture.png'));
  const message = await send(alice, chatroom, body.url);
  await turnIntoSvg(server, body.url, samples.svgWithScript());
  await inspect(reinspector);
  const { pathname } = new URL(message.content);
  expect((await get(bob, pathname)).headers.get('content-type')).toBe('image/png');
  expect(await isInspected(pathname.slice('/media/'.length))).toBe(true);
  expect(await isInspected(old)).toBe(false);

  // As at the next start.
  await inspect();
  expect(await isInspected(old)).toBe(true);
});

test.skipIf(IS_ON_POSTGRES)(
  'images that an upgrade has rewritten are shown by a database from before it',
  async () => {
    const dataDir = await mkdtemp(join(tmpdir(), 'parley-going-back-'));
    onTestFinished(() => rm(dataDir, { recursive: true, force: true }));
    const startOn = async () => {
      await server.close();
      server = await startServer({}, dataDir);
    };
    await startOn();
    alice = await server.signIn('Alice');
    bob = await server.signIn('Bob');
    chatroom = await beginChat(alice, bob);
    const photo = await sendOld(samples.sample('picture.jpg'), samples.jpegWithMetadata(6));
    const { body } = await upload(alice, 'image', samples.sample('picture.png'));
    await send(alice, chatroom, body.url);
    const drawing = `/media/${await turnIntoSvg(server, body.url, samples.svgWithScript())}`;
    const snapshot = join(dataDir, 'snapshots', 'before.db');
    await mkdir(dirname(snapshot));
    await server.ctx.maintenance.snapshot(snapshot);

    await inspect();
    await createSweeper(server.ctx).sweep(new AbortController().signal);
    expect((await get(bob, photo.pathname)).body).not.toContain(samples.SECRET);
    expect((await get(bob, drawing)).headers.get('content-type')).toBe('image/png');

    await server.close();
    for (const name of await readdir(dataDir)) {
      if (name.startsWith('parley.db')) await rm(join(dataDir, name));
    }
    await copyFile(snapshot, join(dataDir, 'parley.db'));
    server = await startServer({}, dataDir);
    bob = userAt(server.url, bob);
    for (const path of [photo.pathname, drawing]) {
      const { status, headers, body: bytes } = await get(bob, path);
      expect(status).toBe(200);
      expect(Number(headers.get('content-length'))).toBeGreaterThan(0);
      expect(bytes.length).toBeGreaterThan(0);
    }
  },
);
