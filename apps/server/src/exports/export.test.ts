import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { LIMITS } from '@parley/contract';
import { unzipSync } from 'fflate';
import { afterAll, afterEach, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest';
import { beginChat, changeConsent, createPair, send } from '../../test/chatting.ts';
import {
  exportData,
  exportFiles,
  fetchArchive,
  listExportsOf,
  requestExportOf,
  waitForExport,
} from '../../test/exporting.ts';
import { eraseAccount, fillChat } from '../../test/fixtures.ts';
import { startServer, type TestServer, type TestUser } from '../../test/harness.ts';
import { reportPartner, sendPicture } from '../../test/reporting.ts';
import { sample } from '../../test/samples.ts';
import { mountSmallDisk } from '../../test/small-disk.ts';
import { until } from '../../test/until.ts';
import { waitForErasure } from '../../test/wait-for-erasure.ts';
import { jpegOfSize, listUploadedFiles, upload } from '../../test/uploading.ts';
import { AppError } from '../errors/app-error.ts';
import { exportFileOf } from '../media-store/media-file-name.ts';
import { newId } from '../storage/ids.ts';
import type { ExportsTable } from '../storage/tables/exports.table.ts';
import { deleteExpired } from './export.service.ts';
import { createExportJob } from './exports.job.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startServer();
});
afterAll(() => server.close());
afterEach(() => void vi.restoreAllMocks());

const uniqueNames = (() => {
  let count = 0;
  return (): [string, string] => {
    count += 1;
    return [`Ada${count}`, `Bob${count}`];
  };
})();
const pair = () => createPair(server, { names: uniqueNames() });

const post = async (user: TestUser, body: object) => {
  const response = await user.request('POST', '/api/messages/send', body);
  expect(response.status).toBe(201);
  return response.body;
};
const setTime = (messageId: string, iso: string) =>
  server.ctx.storage.write(({ trx }) => {
    const time = Date.parse(iso);
    return trx
      .updateTable('messages')
      .set({ created_at: time, updated_at: time })
      .where('id', '=', messageId)
      .execute();
  });
const setRow = (id: string, changes: Partial<ExportsTable>) =>
  server.ctx.storage.write(({ trx }) =>
    trx.updateTable('exports').set(changes).where('id', '=', id).execute(),
  );
const findFile = async (id: string) => {
  const row = await server.ctx.storage.read((db) =>
    db.selectFrom('exports').select('file').where('id', '=', id).executeTakeFirst(),
  );
  return row?.file ?? undefined;
};
/** Returns whether the media store has the file of an export, and closes it. */
const isStored = async (file: string, size: number, { ctx } = server) => {
  const opened = await ctx.media.openExport(file, size);
  await opened?.close();
  return opened !== undefined;
};
const insertRow = (user: TestUser, changes: Partial<ExportsTable> = {}, target = server) => {
  const id = newId();
  const row: ExportsTable = {
    id,
    user_id: user.id,
    chatroom_id: null,
    language: 'en',
    time_zone: 'UTC',
    status: 'waiting',
    failure: null,
    attempts: 0,
    done: 0,
    total: 0,
    file: null,
    size: null,
    created_at: Date.now(),
    finished_at: null,
    ...changes,
  };
  return target.ctx.storage
    .write(({ trx }) => trx.insertInto('exports').values(row).execute())
    .then(() => id);
};

/** Lets the next file that is read wait, and returns what tells that it does, and a function that goes on. */
function holdNextFile(): { isHeld: () => boolean; release: () => void } {
  const { media } = server.ctx;
  const open = media.open.bind(media);
  let release: (() => void) | undefined;
  vi.spyOn(media, 'open').mockImplementationOnce(async (...args) => {
    await new Promise<void>((resolve) => (release = resolve));
    return open(...args);
  });
  return { isHeld: () => release !== undefined, release: () => release?.() };
}

const textOf = (markup: string) => markup.replaceAll(/<[^>]*>/g, ' ').replaceAll(/\s+/g, ' ');

describe('an archive of everything', () => {
  test('contains the account and every kind of message, readable and as JSON', async () => {
    const { ada, bob, room } = await pair();
    const first = await send(bob, room, 'Look at https://example.org/a?b=1&c=2!');
    const reply = await post(ada, { chatroom: room, content: 'Nice', replyTo: first._id });
    const edited = await send(ada, room, 'befour');
    await ada.request('PATCH', '/api/messages/edit', { messageId: edited._id, content: 'before' });
    await post(bob, { chatroom: room, content: 'passed on :circassia:', isForwarded: true });
    const react = { messageId: edited._id, emoji: '👍', isOn: true };
    await bob.request('POST', '/api/messages/react', react);
    await sendPicture(ada, room, sample('picture.png'));
    const voice = await upload(bob, 'audio', sample('voice.webm'));
    const voiceMessage = await post(bob, { chatroom: room, uploadId: voice.body.id });
    await ada.request('POST', '/api/invitations', { isSingleUse: true, note: 'for Carla' });
    await reportPartner(ada, room, { reason: 'harassment', comment: 'Rude' });
    const dora = await server.signIn(`Dora-${bob.username}`);
    await changeConsent(ada, await beginChat(ada, dora), 'block');

    const files = await exportFiles(server, ada);
    const folder = `chats/0001 ${bob.username}/`;
    const image = `${folder}media/000006.png`;
    const audio = `${folder}media/000007.webm`;
    const blockedFolder = `chats/0002 ${dora.username}/`;
    expect(Object.keys(files).toSorted()).toEqual(
      [
        'account.json',
        `${folder}index.html`,
        'index.html',
        image,
        audio,
        `${folder}messages.json`,
        `${blockedFolder}index.html`,
        `${blockedFolder}messages.json`,
      ].toSorted(),
    );
    const account = JSON.parse(files['account.json'] ?? '');
    expect(account).toMatchObject({
      timeZone: 'UTC',
      account: { username: ada.username, email: `${ada.id}@example.org` },
      settings: { language: 'en', sharesTyping: true, notifications: { content: 'who' } },
      sessions: [{ id: ada.sessionId }],
      blocked: [{ username: dora.username }],
      invitations: [{ note: 'for Carla' }],
      reports: [{ reported: bob.username, reason: 'harassment', comment: 'Rude', messages: 0 }],
      chats: [
        { id: room, partner: bob.username, status: 'accepted', messages: 7, folder },
        { partner: dora.username, status: 'blocked', messages: 1, folder: blockedFolder },
      ],
    });
    const chat = JSON.parse(files[`${folder}messages.json`] ?? '');
    expect(chat).toMatchObject({ id: room, partner: bob.username });
    expect(chat.messages).toMatchObject([
      { seq: 1, sender: ada.username, kind: 'text', content: 'Hello' },
      { seq: 2, sender: bob.username, id: first._id },
      { seq: 3, id: reply._id, replyTo: { messageId: first._id, username: bob.username } },
      { seq: 4, content: 'before', reactions: [{ emoji: '👍', usernames: [bob.username] }] },
      { seq: 5, content: 'passed on :circassia:', isForwarded: true },
      { seq: 6, kind: 'image', content: '', file: 'media/000006.png', media: { width: 24 } },
      { seq: 7, kind: 'audio', content: '', file: 'media/000007.webm', id: voiceMessage._id },
    ]);
    expect(files[image]?.length).toBeGreaterThan(0);
    const page = files[`${folder}index.html`] ?? '';
    expect(page).toContain('<a href="https://example.org/a?b=1&amp;c=2" target="_blank"');
    expect(page).toContain(`<a class="quote" href="#m2">`);
    expect(page).toContain('<img src="media/000006.png" alt="Image"');
    expect(page).toContain('<audio controls preload="none" src="media/000007.webm">');
    expect(textOf(page)).toContain('passed on [Circassian flag]');
    expect(textOf(page)).toMatch(/before .*👍.* · Edited/);
    const overview = textOf(files['index.html'] ?? '');
    for (const shown of ['7 messages', 'for Carla', 'Rude', dora.username]) {
      expect(overview).toContain(shown);
    }
    expect(files['index.html']).toContain(`href="chats/0001%20${bob.username}/index.html"`);
  });

  test('contains nothing that the user does not see', async () => {
    const { ada, bob, room } = await pair();
    const gone = await send(bob, room, 'deleted later');
    const quoting = { chatroom: room, content: 'quoting', replyTo: gone._id };
    await post(ada, quoting);
    const { id: picture } = await sendPicture(bob, room);
    for (const messageId of [gone._id, picture]) {
      await bob.request('DELETE', '/api/messages/delete', { messageId });
    }
    await changeConsent(bob, room, 'block');
    await send(ada, room, 'withheld');
    await changeConsent(bob, room, 'unblock');
    const carl = await server.signIn(`Carl-${bob.username}`);
    const declined = await beginChat(carl, bob, 'declined', { isRequest: true });
    await changeConsent(bob, declined, 'decline');
    const emil = await server.signIn(`Emil-${bob.username}`);
    await send(emil, await beginChat(bob, emil, 'to Emil'), 'from Emil');
    await eraseAccount(server, emil);

    const own = JSON.stringify(await exportFiles(server, ada));
    expect(own).toContain('withheld');
    expect(own).toContain('Message not available');
    const files = await exportFiles(server, bob);
    const all = JSON.stringify([files, own.replaceAll('withheld', '')]);
    expect(all).toContain('to Emil');
    for (const hidden of ['deleted later', 'withheld', 'declined', 'from Emil', picture]) {
      expect(all).not.toContain(hidden);
    }
    expect(Object.keys(files)).toContain('chats/0002 deleted/index.html');
  });

  test('shows hostile texts as texts', { tags: ['postgres'] }, async () => {
    const { ada, bob, room } = await pair();
    const texts = [
      '<script>alert(1)</script>',
      `"><img src=x onerror='alert(2)'>`,
      '</style></div><svg/onload=alert(3)>',
      'javascript:alert(4) data:text/html,x',
      '\u202eevil\u202c and \u2028 lines',
    ];
    for (const text of texts) await send(bob, room, text);
    await server.ctx.storage.write(({ trx }) =>
      trx.updateTable('users').set({ username: '../<b>"&' }).where('id', '=', bob.id).execute(),
    );
    const files = await exportFiles(server, ada);
    const folder = 'chats/0001 ____b___/';
    const { messages } = JSON.parse(files[`${folder}messages.json`] ?? '');
    expect(messages.slice(1).map(({ content }: { content: string }) => content)).toEqual(texts);
    for (const path of ['index.html', `${folder}index.html`]) {
      const page = files[path] ?? '';
      const tags = new Set([...page.matchAll(/<(\w+)/g)].map(([, tag]) => tag));
      for (const tag of ['script', 'svg', 'img', 'b']) expect(tags).not.toContain(tag);
      expect(page).toContain(`content="default-src &#39;none&#39;; style-src &#39;sha256-`);
    }
    expect(files[`${folder}index.html`]).toContain('&lt;script&gt;alert(1)&lt;/script&gt;');
    expect(files[`${folder}index.html`]).not.toMatch(/href="(?:javascript|data):/);
  });

  test.each([
    // The night in which clocks are put forward, another day on the other side of the earth, and another language.
    ['en', 'Europe/Berlin', ['Sunday, 29 March 2026', '1:30 AM', '3:30 AM']],
    ['en', 'Pacific/Auckland', ['Sunday, 29 March 2026', '1:30 PM', '2:30 PM']],
    ['en', 'America/Los_Angeles', ['Saturday, 28 March 2026', '5:30 PM', '6:30 PM']],
    ['de', 'Asia/Kolkata', ['Sonntag, 29. März 2026', '06:00', '07:00']],
  ] as const)('shows times in %s and the time zone %s', async (language, timeZone, shown) => {
    const { ada, bob, room } = await pair();
    const [first, second] = [await send(bob, room, 'one'), await send(bob, room, 'two')];
    await setTime(first._id, '2026-03-29T00:30:00Z');
    await setTime(second._id, '2026-03-29T01:30:00Z');
    const files = await exportFiles(server, ada, { chatroom: room, language, timeZone });
    const page = (files['index.html'] ?? '').replaceAll(/\s/g, ' ');
    expect(page).toContain(`<html lang="${language}">`);
    for (const text of shown) expect(page).toContain(`>${text}<`);
  });
});

describe('an archive of one chat', () => {
  test('contains only this chat, in pages that refer to each other', async () => {
    const { ada, bob, room } = await pair();
    await beginChat(ada, await server.signIn(`Carla-${bob.username}`), 'something else');
    await fillChat(server, room, bob, 1_100, (i) => `text ${i}`);
    const { body } = await ada.request('GET', `/api/chatrooms/chats/${room}?after=1&limit=1`);
    const quoted = body.chatroomMessages[0]._id;
    await post(ada, { chatroom: room, content: 'an answer', replyTo: quoted });
    const { id, ...ready } = await exportData(ada, { chatroom: room });
    expect(ready).toMatchObject({
      chatroom: room,
      partnerName: bob.username,
      status: 'ready',
      done: 1_102,
      total: 1_102,
    });
    const response = await fetchArchive(server, ada, id);
    expect(response.headers.get('content-disposition')).toMatch(
      new RegExp(`^attachment; filename="parley-${bob.username}-\\d{4}-\\d\\d-\\d\\d\\.zip"`),
    );
    expect(response.headers.get('cache-control')).toBe('no-store');
    await response.body?.cancel();

    const files = await exportFiles(server, ada, { chatroom: room });
    expect(Object.keys(files).toSorted()).toEqual([
      'index.html',
      'messages-0002.html',
      'messages.json',
    ]);
    expect(JSON.parse(files['messages.json'] ?? '').messages).toHaveLength(1_102);
    expect(files['index.html']).toContain('<a href="messages-0002.html" rel="next">');
    expect(files['messages-0002.html']).toContain('<a href="index.html" rel="prev">');
    expect(files['messages-0002.html']).toContain('<a class="quote" href="index.html#m2">');
    expect(JSON.stringify(files)).not.toContain('something else');
  });

  test('can be downloaded in parts', async () => {
    const { ada, room } = await pair();
    const { id, size = 0 } = await exportData(ada, { chatroom: room });
    const whole = await fetchArchive(server, ada, id);
    expect(Number(whole.headers.get('content-length'))).toBe(size);
    const bytes = Buffer.from(await whole.arrayBuffer());
    const part = await fetchArchive(server, ada, id, { range: 'bytes=10-' });
    expect(part.status).toBe(206);
    expect(Buffer.from(await part.arrayBuffer())).toEqual(bytes.subarray(10));
    const { status } = await fetchArchive(server, ada, id, { range: `bytes=${size}-` });
    expect(status).toBe(416);
  });

  test('exists for its user only', async () => {
    const { ada, bob, room } = await pair();
    const { id } = await exportData(ada, { chatroom: room });
    expect(await listExportsOf(bob)).toEqual([]);
    expect((await fetchArchive(server, bob, id)).status).toBe(404);
    expect((await bob.request('DELETE', `/api/exports/${id}`)).status).toBe(404);
    expect((await fetchArchive(server, ada, id)).status).toBe(200);
  });
});

describe('the exports of a user', () => {
  test('are made one at a time, also if several are requested at once', async () => {
    const { ada, room } = await pair();
    await sendPicture(ada, room);
    const { isHeld, release } = holdNextFile();
    const responses = await Promise.all([1, 2, 3].map(() => requestExportOf(ada)));
    const statuses = responses.map(({ status }) => status);
    expect(statuses.toSorted((a, b) => a - b)).toEqual([202, 409, 409]);
    expect(responses.find(({ status }) => status === 409)?.body.code).toBe('export_unfinished');
    await until(isHeld);
    expect(await listExportsOf(ada)).toMatchObject([{ status: 'running', total: 2 }]);
    release();
    expect(await waitForExport(ada)).toMatchObject({ status: 'ready' });
  });

  test('replace the oldest, whose file is deleted', { tags: ['postgres'] }, async () => {
    const { ada } = await pair();
    const [ids, files, sizes]: [string[], string[], number[]] = [[], [], []];
    for (let i = 0; i <= LIMITS.exportsMax; i += 1) {
      const { id, size = 0 } = await exportData(ada);
      ids.push(id);
      files.push((await findFile(id)) ?? '');
      sizes.push(size);
      // Several may be made within a millisecond.
      await setRow(id, { created_at: Date.now() - 1_000 * (10 - i) });
    }
    const newestFirst = ids.slice(1).toReversed();
    expect((await listExportsOf(ada)).map(({ id }) => id)).toEqual(newestFirst);
    expect(await findFile(ids[0] ?? '')).toBeUndefined();
    expect(await isStored(files[0] ?? '', sizes[0] ?? 0)).toBe(false);
    expect(await isStored(files[1] ?? '', sizes[1] ?? 0)).toBe(true);
  });

  test('are listed without one that has expired between two others', async () => {
    const { ada } = await pair();
    const expired = Date.now() - LIMITS.exportLifetime;
    const insertFailed = (age: number, finishedAt: number) =>
      insertRow(ada, {
        status: 'failed',
        failure: 'internal',
        created_at: Date.now() - age,
        finished_at: finishedAt,
      });
    const oldest = await insertFailed(3_000, Date.now());
    await insertFailed(2_000, expired);
    const newest = await insertFailed(1_000, Date.now());
    expect((await listExportsOf(ada)).map(({ id }) => id)).toEqual([newest, oldest]);
    // Nor does it take the place of one that has not expired.
    const { id } = await exportData(ada);
    expect((await listExportsOf(ada)).map((each) => each.id)).toEqual([id, newest, oldest]);
  });

  test('are gone a day after they were made', { tags: ['postgres'] }, async () => {
    const { ada } = await pair();
    const { id, size = 0 } = await exportData(ada);
    const file = (await findFile(id)) ?? '';
    await setRow(id, { finished_at: Date.now() - LIMITS.exportLifetime + 60_000 });
    await deleteExpired(server.ctx);
    expect((await fetchArchive(server, ada, id)).status).toBe(200);
    await setRow(id, { finished_at: Date.now() - LIMITS.exportLifetime });
    expect((await fetchArchive(server, ada, id)).status).toBe(404);
    expect(await listExportsOf(ada)).toEqual([]);
    await deleteExpired(server.ctx);
    expect(await findFile(id)).toBeUndefined();
    expect(await isStored(file, size)).toBe(false);
  });

  test.each([
    [
      'the export is deleted',
      (user: TestUser, id: string) => user.request('DELETE', `/api/exports/${id}`),
    ],
    ['the account is deleted', (user: TestUser) => eraseAccount(server, user)],
  ] as const)('leave nothing behind if %s while they are made', async (_when, end) => {
    const { ada, room } = await pair();
    await sendPicture(ada, room);
    const before = await listUploadedFiles(server);
    const { isHeld, release } = holdNextFile();
    const { body } = await requestExportOf(ada);
    await until(isHeld);
    await end(ada, body.id);
    release();
    await until(async () => {
      const { length } = (await listUploadedFiles(server)).filter((file) => !before.includes(file));
      return length === 0;
    });
    expect(await findFile(body.id)).toBeUndefined();
  });

  test('are deleted with their chat, and one of the whole account begins again', async () => {
    const { ada, bob, room } = await pair();
    await sendPicture(ada, room);
    const deleteChat = async (user: TestUser) => {
      const path = `/api/chatrooms/chats/${room}/delete`;
      expect((await user.request('POST', path, { seq: 1_000 })).status).toBe(200);
    };
    const whole = await exportData(ada);
    const ofBob = await exportData(bob, { chatroom: room });
    const { id, size = 0 } = await exportData(ada, { chatroom: room });
    const file = (await findFile(id)) ?? '';
    const { isHeld, release } = holdNextFile();
    const unfinished = await requestExportOf(ada);
    await until(isHeld);
    await deleteChat(ada);
    await waitForErasure(server);
    expect((await listExportsOf(ada)).map((each) => each.id)).toEqual([
      unfinished.body.id,
      whole.id,
    ]);
    expect(await isStored(file, size)).toBe(false);
    expect((await listExportsOf(bob)).map((each) => each.id)).toEqual([ofBob.id]);
    expect((await fetchArchive(server, ada, whole.id)).status).toBe(200);
    release();
    expect(await waitForExport(ada)).toMatchObject({ status: 'ready', total: 0 });
    const archive = await fetchArchive(server, ada, unfinished.body.id);
    expect(Object.keys(unzipSync(new Uint8Array(await archive.arrayBuffer())))).toEqual([
      'account.json',
      'index.html',
    ]);
  });

  test('are deleted with the account', async () => {
    const { ada } = await pair();
    const { id, size = 0 } = await exportData(ada);
    const file = (await findFile(id)) ?? '';
    expect(await isStored(file, size)).toBe(true);
    await eraseAccount(server, ada);
    expect(await isStored(file, size)).toBe(false);
    expect((await fetchArchive(server, ada, id)).status).toBe(401);
  });

  test.each([
    ['storage_full', new AppError('storage_full')],
    ['storage_full', Object.assign(new Error('no space'), { code: 'ENOSPC' })],
    ['internal', new Error('a fault')],
  ] as const)('say why they failed: %s', async (failure, error) => {
    const { ada } = await pair();
    vi.spyOn(server.ctx.disk, 'assertSpaceForExport')
      .mockResolvedValueOnce()
      .mockRejectedValueOnce(error);
    expect(await exportData(ada)).toMatchObject({ status: 'failed', failure });
    expect(await exportData(ada)).toMatchObject({ status: 'ready' });
  });

  test('are refused in an unknown time zone', async () => {
    const { ada } = await pair();
    expect(await requestExportOf(ada, { timeZone: 'Mars/Olympus' })).toMatchObject({
      status: 400,
      body: { code: 'invalid_request' },
    });
  });

  test('replace older ones after the clock was put back', async () => {
    const { ada } = await pair();
    for (let i = 0; i < LIMITS.exportsMax; i += 1) await exportData(ada);
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() - 60_000 });
    onTestFinished(() => void vi.useRealTimers());
    expect(await requestExportOf(ada)).toMatchObject({ status: 202 });
  });

  test('of a chat that is gone are gone, too', { tags: ['postgres'] }, async () => {
    const { ada, room } = await pair();
    const find = vi.spyOn(server.ctx.disk, 'assertSpaceForExport').mockImplementation(async () => {
      await server.ctx.storage.write(({ trx }) =>
        trx.deleteFrom('chatroom_members').where('chatroom_id', '=', room).execute(),
      );
    });
    onTestFinished(() => find.mockRestore());
    await requestExportOf(ada, { chatroom: room });
    await until(async () => (await listExportsOf(ada)).length === 0);
  });
});

describe('an export that is interrupted', () => {
  test('waits if the server closes, and leaves no file', { tags: ['postgres'] }, async () => {
    const { ada, room } = await pair();
    await sendPicture(ada, room);
    const before = await listUploadedFiles(server);
    // The server's own job does not hear of it.
    const id = await insertRow(ada);
    const { isHeld, release } = holdNextFile();
    const closing = new AbortController();
    const job = createExportJob(server.ctx, 'secret')(closing.signal, closing.signal);
    await until(isHeld);
    closing.abort();
    release();
    await job;
    expect(await listUploadedFiles(server)).toEqual(before);
    const row = await server.ctx.storage.read((db) =>
      db.selectFrom('exports').selectAll().where('id', '=', id).executeTakeFirst(),
    );
    expect(row).toMatchObject({ status: 'waiting', attempts: 0, file: null });
  });

  test(
    'begins again after a crash, unless it has ended several processes',
    { tags: ['postgres'] },
    async () => {
      const crashed = await startServer();
      const { ada, bob } = await createPair(crashed);
      const [carl, file] = [await crashed.signIn('Carl'), exportFileOf(newId())];
      await insertRow(ada, { status: 'running', attempts: 1, done: 7, total: 9, file }, crashed);
      await insertRow(
        bob,
        { status: 'running', attempts: 3, file: exportFileOf(newId()) },
        crashed,
      );
      await insertRow(carl, {}, crashed);
      await crashed.ctx.storage.write(({ trx }) =>
        trx.updateTable('users').set({ suspended_at: 1 }).where('id', '=', carl.id).execute(),
      );
      const again = await crashed.restart();
      onTestFinished(() => again.close());
      expect(await waitForExport(ada)).toMatchObject({ status: 'ready', done: 1, total: 1 });
      expect(await waitForExport(bob)).toMatchObject({ status: 'failed', failure: 'internal' });
      expect(await isStored(file, 9, again)).toBe(false);
      const rows = await again.ctx.storage.read((db) =>
        db.selectFrom('exports').select('status').where('user_id', '=', carl.id).execute(),
      );
      expect(rows).toEqual([{ status: 'waiting' }]);
    },
  );
});

describe('an export whose file is missing', () => {
  const lose = async (id: string) => {
    const file = (await findFile(id)) ?? '';
    await server.ctx.media.remove(file);
  };

  test('has failed once its user tries to download it, and can be made again', async () => {
    const { ada } = await pair();
    const { id, expiresAt } = await exportData(ada);
    await lose(id);
    expect((await fetchArchive(server, ada, id)).status).toBe(404);
    const { size: _size, ...failed } = (await listExportsOf(ada))[0] ?? {};
    expect(failed).toMatchObject({ id, status: 'failed', failure: 'internal', expiresAt });
    expect(await exportData(ada)).toMatchObject({ status: 'ready' });
  });

  test(
    'has failed once another server makes the exports, also if an earlier version has named it',
    { tags: ['postgres'] },
    async () => {
      const { ada, bob } = await pair();
      const [kept, lost] = [await exportData(ada), await exportData(ada)];
      await lose(lost.id);
      const former = { status: 'ready', file: `${newId()}.zip`, size: 10 } as const;
      const named = await insertRow(bob, { ...former, finished_at: Date.now() });
      const closing = new AbortController();
      const job = createExportJob(server.ctx, 'secret')(closing.signal, closing.signal);
      await until(async () => (await findFile(named)) === undefined);
      await until(async () => (await findFile(lost.id)) === undefined);
      closing.abort();
      await job;
      expect(await listExportsOf(ada)).toMatchObject([
        { id: lost.id, status: 'failed', failure: 'internal' },
        { id: kept.id, status: 'ready' },
      ]);
      expect((await fetchArchive(server, ada, kept.id)).status).toBe(200);
    },
  );
});

test('is made again after the media store has failed, and leaves no file', async () => {
  const { ada, bob } = await pair();
  const failure = Object.assign(new Error('the store is away'), { code: 'MEDIA_STORE' });
  vi.spyOn(server.ctx.media, 'add').mockRejectedValueOnce(failure);
  const remove = vi.spyOn(server.ctx.media, 'remove');
  const { body } = await requestExportOf(ada);
  await until(() => remove.mock.calls.length > 0);
  expect(remove).toHaveBeenCalledWith(await findFile(body.id));
  // Before the periodic run, another export wakes the job.
  await exportData(bob);
  expect(await listExportsOf(ada)).toMatchObject([{ id: body.id, status: 'ready' }]);
});

describe('the space of all exports', () => {
  test('is bounded: the oldest make room for a new one, but not for one that is too large', async () => {
    const first = await startServer();
    const { ada, bob, room } = await createPair(first);
    const carl = await first.signIn('Carl');
    const { id, size = 0 } = await exportData(ada);
    const quota = Math.floor(2.5 * size);
    const small = await first.restart({ PARLEY_QUOTA_EXPORTS_TOTAL: String(quota) });
    onTestFinished(() => small.close());
    expect(await exportData(bob)).toMatchObject({ status: 'ready' });
    expect(await listExportsOf(ada)).toMatchObject([{ status: 'ready' }]);
    expect(await exportData(carl)).toMatchObject({ status: 'ready' });
    expect(await listExportsOf(ada)).toMatchObject([
      { id, status: 'failed', failure: 'storage_full' },
    ]);
    expect((await fetchArchive(small, ada, id)).status).toBe(404);

    await sendPicture(ada, room, jpegOfSize(sample('picture.jpg'), 10 * quota));
    expect(await exportData(ada)).toMatchObject({ status: 'failed', failure: 'storage_full' });
    for (const user of [bob, carl]) {
      const [kept] = await listExportsOf(user);
      expect((await fetchArchive(small, user, kept?.id ?? '')).status).toBe(200);
    }
  });

  test(
    'is given back while the disk is too full, if it is on the disk',
    { tags: ['postgres'] },
    async () => {
      const { ada, bob } = await pair();
      const [{ id, size = 0 }, { id: newer }] = [await exportData(ada), await exportData(bob)];
      const file = (await findFile(id)) ?? '';
      await setRow(id, { finished_at: Date.now() - LIMITS.exportLifetime + 60_000 });
      vi.spyOn(server.ctx.disk, 'hasSpaceForExports').mockResolvedValueOnce(false);
      // Wakes the job.
      expect(await exportData(bob)).toMatchObject({ status: 'ready' });
      const { isOnDisk } = server.ctx.media;
      expect(await isStored(file, size)).toBe(!isOnDisk);
      expect(await listExportsOf(ada)).toMatchObject([
        isOnDisk ? { id, status: 'failed', failure: 'storage_full' } : { id, status: 'ready' },
      ]);
      const others = await listExportsOf(bob);
      expect(others).toMatchObject([{ status: 'ready' }, { id: newer, status: 'ready' }]);
    },
  );
});

test('fails on a full disk and leaves no file', async ({ skip }) => {
  const dataDir = await mkdtemp(join(tmpdir(), 'parley-export-'));
  onTestFinished(() => rm(dataDir, { recursive: true, force: true }));
  const media = join(dataDir, 'media');
  await mkdir(media);
  mountSmallDisk(media, 2, skip);
  const small = await startServer({ PARLEY_FREE_SPACE_MIN: '0' }, dataDir);
  onTestFinished(() => small.close());
  const { ada, room } = await createPair(small);
  await sendPicture(ada, room);
  const before = await readdir(media, { recursive: true });
  await writeFile(join(media, 'ballast'), Buffer.alloc(2 * 2 ** 20)).catch(() => undefined);
  expect(await exportData(ada)).toMatchObject({ status: 'failed', failure: 'storage_full' });
  await rm(join(media, 'ballast'));
  expect(await readdir(media, { recursive: true })).toEqual(before);
  expect(await exportData(ada)).toMatchObject({ status: 'ready' });
});
