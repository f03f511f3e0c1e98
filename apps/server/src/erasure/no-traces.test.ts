import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { foldText } from '@parley/contract';
import SQLite from 'better-sqlite3';
import { pino } from 'pino';
import { expect, onTestFinished, test } from 'vitest';
import { beginChat, send } from '../../test/chatting.ts';
import { indexAll } from '../../test/indexing.ts';
import { sample } from '../../test/samples.ts';
import { readStoredFile } from '../../test/stored-media.ts';
import { upload } from '../../test/uploading.ts';
import { waitForErasure } from '../../test/wait-for-erasure.ts';
import { startServer, type TestUser } from '../../test/harness.ts';
import { join as register } from '../../test/joining.ts';
import { getKey, waitForMail } from '../../test/mails.ts';
import { initial } from '../storage/migrations/001-initial.ts';
import { migrations } from '../storage/migrations/index.ts';
import { openDatabase } from '../storage/open.ts';
import { openWritable } from '../storage/sqlite/sqlite-connection.ts';
import { migrate } from '../storage/sqlite/migrate.ts';
import { eraseEndedReports } from '../reports/report.service.ts';
import { clearFreePages } from './free-pages.ts';

/**
 * Returns the paths of the files in a data folder whose bytes include a text. Skips snapshots,
 * which are kept for 30 days.
 */
async function filesWith(
  dataDir: string,
  text: string,
  encoding: BufferEncoding = 'utf8',
): Promise<string[]> {
  const entries = await readdir(dataDir, { recursive: true, withFileTypes: true });
  const files = entries
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((file) => !file.startsWith(join(dataDir, 'snapshots')));
  const found: string[] = [];
  for (const file of files) {
    if ((await readFile(file)).includes(text, 0, encoding))
      found.push(file.slice(dataDir.length + 1));
  }
  return found;
}

/**
 * Returns a text of up to 10,000 characters that repeats a marker. Long texts occupy separate
 * database pages.
 */
const marked = (marker: string, i: number) =>
  `${marker}-${i} `.repeat(1 + ((i * 97) % 9_000) / 16).trim();

test('leaves no trace of deleted messages, replaced texts, chats that both deleted and deleted accounts in files or logs', async () => {
  const server = await startServer();
  onTestFinished(() => server.close());
  const editedMarker = 'markerEdited';
  const deletedMarker = 'markerDeleted';
  const accountMarker = 'markerAccount';
  const clearedMarker = 'markerCleared';
  const name = `Gone${randomBytes(4).toString('hex')}`;
  const berta = await server.signIn('Berta');
  const leaver = await register(server, name);
  await leaver.request('PATCH', '/api/users/forgot-pw', { email: leaver.email });
  expect(getKey(await waitForMail(server, leaver.email, 2))).toHaveLength(8);
  const chatroom = await beginChat(leaver as unknown as TestUser, berta, `${accountMarker}-first`);

  const bertaMessageIds: string[] = [];
  for (let i = 0; i < 120; i++) {
    await send(leaver as unknown as TestUser, chatroom, marked(accountMarker, i));
    bertaMessageIds.push(
      (await send(berta, chatroom, marked(i % 2 === 0 ? editedMarker : deletedMarker, i)))._id,
    );
  }
  // A chat that both delete, each for themselves.
  const clara = await server.signIn('Clara');
  const cleared = await beginChat(clara, berta, `${clearedMarker}-first`);
  for (let i = 0; i < 60; i++) {
    await send(i % 2 === 0 ? clara : berta, cleared, marked(clearedMarker, i));
  }
  await indexAll(server);
  await server.ctx.maintenance.truncateWriteAheadLog();
  expect(await filesWith(server.dataDir, clearedMarker)).toEqual(['parley.db']);
  expect(await filesWith(server.dataDir, accountMarker)).toEqual(['parley.db']);
  expect(await filesWith(server.dataDir, foldText(accountMarker))).toEqual(['parley.db']);
  expect(await filesWith(server.dataDir, name)).not.toEqual([]);

  for (const [i, messageId] of bertaMessageIds.entries()) {
    const { status } =
      i % 2 === 0
        ? await berta.request('PATCH', '/api/messages/edit', { messageId, content: `kept ${i}` })
        : await berta.request('DELETE', '/api/messages/delete', { messageId });
    expect(status).toBe(200);
  }
  expect((await leaver.request('DELETE', '/api/users/delete')).status).toBe(200);
  for (const user of [clara, berta]) {
    const path = `/api/chatrooms/chats/${cleared}/delete`;
    expect((await user.request('POST', path, { seq: 1_000 })).status).toBe(200);
  }
  await waitForErasure(server);
  // The index writes the edited texts later.
  await indexAll(server);
  await server.ctx.maintenance.truncateWriteAheadLog();

  for (const text of [
    editedMarker,
    deletedMarker,
    accountMarker,
    clearedMarker,
    // As they were in the search index.
    ...[editedMarker, deletedMarker, accountMarker, clearedMarker].map(foldText),
    name,
    name.toLowerCase(),
    leaver.email,
  ]) {
    expect(await filesWith(server.dataDir, text), text).toEqual([]);
  }
  const log = server.log.join('');
  for (const text of [
    editedMarker,
    deletedMarker,
    accountMarker,
    clearedMarker,
    name,
    leaver.email,
    berta.username,
  ]) {
    expect(log, text).not.toContain(text);
  }
  expect(await filesWith(server.dataDir, 'kept 118')).toEqual(['parley.db']);
});

/** Creates a data folder of an earlier version with deleted texts in free pages of its database. */
async function createOldDataFolder(): Promise<string> {
  const dataDir = mkdtempSync(join(tmpdir(), 'parley-traces-'));
  onTestFinished(() => rmSync(dataDir, { recursive: true, force: true }));
  const sqlite = openWritable(join(dataDir, 'parley.db'));
  sqlite.pragma('secure_delete = OFF');
  await migrate(sqlite, { '001-initial': initial });
  sqlite.exec(`insert into users values
    ('u1', 'Ada', 'ada', 'ada@example.org', '', 'en', 'middle', 1, 1)`);
  const insert = sqlite.prepare('insert into secrets values (?, ?)');
  for (let i = 0; i < 100; i++) insert.run(`s${i}`, marked('markerOld', i));
  sqlite.exec('delete from secrets');
  sqlite.close();
  expect(await filesWith(dataDir, 'markerOld')).toEqual(['parley.db']);
  return dataDir;
}

test('leaves no trace of reports that end with an account or after 30 days', async () => {
  const server = await startServer();
  onTestFinished(() => server.close());
  const [ada, bob] = [await server.signIn('Ada'), await server.signIn('Bob')];
  const chatroom = await beginChat(ada, bob);
  const picture = await upload(ada, 'image', sample('picture.jpg'));
  const file = String(picture.body.url).split('/').at(-1) ?? '';
  const pixels = (await readStoredFile(server, file))?.subarray(-64).toString('latin1') ?? '';
  const ofAda: string[] = [(await send(ada, chatroom, picture.body.url))._id];
  const ofBob: string[] = [];
  for (let i = 0; i < 19; i++) {
    ofAda.push((await send(ada, chatroom, marked('markerAda', i)))._id);
    ofBob.push((await send(bob, chatroom, marked('markerBob', i)))._id);
  }
  const report = (user: TestUser, messageIds: string[], comment: string) =>
    user.request('POST', '/api/reports', { chatroom, messageIds, reason: 'other', comment });
  for (let i = 0; i < 3; i++) {
    expect((await report(bob, ofAda, `markerCommentOfBob-${i}`)).status).toBe(201);
    expect((await report(ada, ofBob, `markerCommentOfAda-${i}`)).status).toBe(201);
  }
  for (const messageId of ofBob) {
    await bob.request('DELETE', '/api/messages/delete', { messageId });
  }
  await server.ctx.maintenance.truncateWriteAheadLog();
  expect(await filesWith(server.dataDir, 'markerBob')).toEqual(['parley.db']);

  await ada.request('DELETE', '/api/users/delete');
  await waitForErasure(server);
  await server.ctx.maintenance.truncateWriteAheadLog();
  for (const text of ['markerAda', 'markerComment']) {
    expect(await filesWith(server.dataDir, text), text).toEqual([]);
  }
  expect(await filesWith(server.dataDir, pixels, 'latin1')).toEqual([]);
  expect(await filesWith(server.dataDir, 'markerBob')).toEqual(['parley.db']);

  await server.ctx.storage.write(({ trx }) =>
    trx.updateTable('reports').set({ closed_at: 1 }).execute(),
  );
  await eraseEndedReports(server.ctx, new AbortController().signal);
  await server.ctx.maintenance.truncateWriteAheadLog();
  expect(await filesWith(server.dataDir, 'markerBob')).toEqual([]);
  expect(server.log.join('')).not.toContain('marker');
});

test('an upgrade removes texts that were deleted with earlier versions', async () => {
  const dataDir = await createOldDataFolder();
  const server = await startServer({}, dataDir);
  await server.close();
  expect(await filesWith(dataDir, 'markerOld')).toEqual([]);
});

test('logs the required space if the disk is too full, and removes deleted texts at a later start', async () => {
  const dataDir = await createOldDataFolder();
  const lines: string[] = [];
  const log = pino({}, { write: (line: string) => void lines.push(line) });
  const sqlite = openWritable(join(dataDir, 'parley.db'));
  await migrate(sqlite, migrations);
  sqlite.close();
  const database = openDatabase({ dataDir });
  await clearFreePages({ ...database, log, config: { dataDir } }, async () => 2 ** 20);
  await database.close();
  expect(lines.join('')).toMatch(
    /needs \d+ MB of free space in the data folder, but only 1 MB is available/,
  );
  expect(await filesWith(dataDir, 'markerOld')).toEqual(['parley.db']);

  const server = await startServer({}, dataDir);
  await server.close();
  expect(await filesWith(dataDir, 'markerOld')).toEqual([]);
});

test('truncating the write-ahead log does not wait for a reader in another process', async () => {
  const server = await startServer();
  onTestFinished(() => server.close());
  await server.signIn('Anna');
  const reader = new SQLite(join(server.dataDir, 'parley.db'), { readonly: true });
  reader.exec('begin');
  reader.prepare('select count(*) from users').get();
  await server.signIn('Berta');
  expect(await server.ctx.maintenance.truncateWriteAheadLog()).toBe(false);
  reader.exec('commit');
  reader.close();
  expect(await server.ctx.maintenance.truncateWriteAheadLog()).toBe(true);
});
