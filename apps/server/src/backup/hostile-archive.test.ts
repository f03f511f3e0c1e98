import { createHash, randomUUID } from 'node:crypto';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { gzipSync, zstdCompressSync } from 'node:zlib';
import SQLite from 'better-sqlite3';
import { pack } from 'tar-stream';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { runCommandWithInput } from '../../test/run-command.ts';
import { variablesOf } from '../../test/test-database.ts';
import { createDataFolder } from '../../test/create-data-folder.ts';
import { migrations } from '../storage/migrations/index.ts';
import { migrate } from '../storage/sqlite/migrate.ts';
import { formatSums } from './archive-format.ts';

type Entry = Parameters<ReturnType<typeof pack>['entry']>[0];

const NEWEST = Object.keys(migrations).toSorted().at(-1) ?? '';

let folder: string;
let database: Buffer;
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'parley-hostile-'));
  await createDataFolder(folder);
  const sqlite = new SQLite(join(folder, 'parley.db'));
  sqlite.pragma('journal_mode = DELETE');
  sqlite.close();
  database = readFileSync(join(folder, 'parley.db'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const manifest = (schema = NEWEST, format = 1, createdAt = '2026-03-01T12:00:00.000Z') =>
  Buffer.from(JSON.stringify({ format, product: 'parley', version: '0.1.0', schema, createdAt }));

/** Restores an archive of these entries with correct checksums. */
async function restore(entries: Record<string, Buffer>, more: Entry[] = []) {
  const tar = pack();
  const sums = new Map<string, string>();
  for (const [name, bytes] of Object.entries(entries)) {
    tar.entry({ name }, bytes);
    sums.set(name, createHash('sha256').update(bytes).digest('hex'));
  }
  for (const header of more) tar.entry(header, '');
  tar.entry({ name: 'SHA256SUMS' }, formatSums(sums));
  tar.finalize();
  const env = await variablesOf(join(folder, 'restored'));
  return runCommandWithInput(Readable.from([await buffer(tar)]), env, 'restore', '-');
}

const whole = () => ({ 'parley.db': database, 'manifest.json': manifest() });
const media = `media/${randomUUID()}.png`;

test('restores an archive that was created by hand', async () => {
  expect(await restore(whole())).toMatchObject({ code: 0, stderr: '' });
});

test.each(['001-initial', '009-ended-sessions', '016-search', '019-former-receipts'])(
  'restores a database of the schema %s, but not with an unknown view',
  async (schema) => {
    const file = join(folder, 'older.db');
    const sqlite = new SQLite(file);
    const older = Object.entries(migrations).filter(([name]) => name <= schema);
    await migrate(sqlite, Object.fromEntries(older));
    sqlite.exec('create view evil as select 1');
    const withView = readFileSync(file);
    sqlite.exec('drop view evil; analyze');
    sqlite.close();
    const entries = { 'manifest.json': manifest(schema) };
    const rejected = await restore({ ...entries, 'parley.db': withView });
    expect(rejected.stderr).toContain('has an unknown view evil');
    const restored = await restore({ ...entries, 'parley.db': readFileSync(file) });
    expect(restored).toMatchObject({ code: 0, stderr: '' });
  },
);

test.each<[string, Record<string, Buffer>, Entry[]?]>([
  ['a time with a terminal escape sequence', { 'manifest.json': manifest(NEWEST, 1, '\u001B[2J') }],
  ['a path outside the folder', { '../evil': Buffer.from('x') }],
  [
    'a path below media that leads outside the folder',
    { 'media/../../evil.png': Buffer.from('x') },
  ],
  ['an absolute path', { '/tmp/parley-evil': Buffer.from('x') }],
  ['a symbolic link', {}, [{ name: media, type: 'symlink', linkname: '/etc/passwd' }]],
  ['a hard link', {}, [{ name: 'x', type: 'link', linkname: '/etc/passwd' }]],
  ['a device', {}, [{ name: media, type: 'character-device' }]],
  ['a duplicate entry', {}, [{ name: 'parley.db' }]],
  ['an oversized manifest', { 'manifest.json': Buffer.alloc(2 ** 17, ' ') }],
  ['a newer format', { 'manifest.json': manifest(NEWEST, 2) }],
  ['a newer schema', { 'manifest.json': manifest('999-future') }],
  [
    'an older schema in the manifest than in the database',
    { 'manifest.json': manifest('001-initial') },
  ],
  [
    'something else instead of a database',
    { 'parley.db': Buffer.from('no database at all'.repeat(500)) },
  ],
  ['an empty database', { 'parley.db': Buffer.alloc(0) }],
])('rejects an archive with %s and leaves nothing behind', async (_what, entries, more) => {
  const { code, stdout, stderr } = await restore({ ...whole(), ...entries }, more);
  expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
  expect(stderr).toMatch(/^parley: The .+\.\n$/);
  expect(readdirSync(folder)).toEqual(['parley.db']);
});

/** Returns the database after statements of an attacker. */
function tampered(statements: string): Buffer {
  const file = join(folder, 'tampered.db');
  writeFileSync(file, database);
  const sqlite = new SQLite(file);
  // Allows changing the definitions of tables without the checks of `alter table`.
  sqlite.unsafeMode(true);
  sqlite.pragma('writable_schema = ON');
  sqlite.exec(statements);
  sqlite.close();
  const bytes = readFileSync(file);
  rmSync(file);
  return bytes;
}

const redefine = (table: string, from: string, to: string) =>
  `update sqlite_schema set sql = replace(sql, '${from}', '${to}') where name = '${table}'`;

test.each([
  [
    'an unknown trigger evil',
    `create trigger evil after insert on messages begin
      insert into secrets values (new.id, new.content); end`,
  ],
  [
    'an unknown trigger sqlite_stat1',
    `insert into sqlite_schema values ('trigger', 'sqlite_stat1', 'sessions', 0,
      'create trigger sqlite_stat1 after insert on sessions begin update users set email = 1; end')`,
  ],
  [
    'an unknown table sqlite_stat1',
    `analyze;
     update sqlite_schema set sql = 'CREATE TABLE sqlite_stat1(tbl,idx,stat,evil)' where name = 'sqlite_stat1'`,
  ],
  ['an unknown view evil', 'create view evil as select * from users'],
  ['an unknown table evil', 'create table evil (a)'],
  ['an unknown index evil', 'create index evil on users (length(password_hash))'],
  [
    'a changed table users',
    `alter table users add column evil text generated always as (password_hash)`,
  ],
  ['a changed table sessions', redefine('sessions', 'expires_at integer', 'expires_at any')],
  ['a changed table sessions', redefine('sessions', 'not null', '')],
  ['a changed table messages', redefine('messages', 'check (withheld in (0, 1))', 'check (1)')],
  [
    'a changed table chatroom_members',
    redefine('chatroom_members', 'default 0', 'default 999999999'),
  ],
  ['a changed trigger media_added', redefine('media_added', 'files + 1', 'files - 1')],
  [
    'a changed table account_keys',
    'alter table users rename to u; create view users as select * from u',
  ],
  ['an unknown table evil', 'create virtual table evil using fts5(a)'],
  ['no trigger media_removed', 'drop trigger media_removed'],
  ['a changed table kysely_migration', 'alter table kysely_migration add column evil text'],
  ['an incomplete list of migrations', `delete from kysely_migration where name like '005%'`],
  [
    'an unknown trigger ??2J?x',
    'create trigger "\u001b[2J\u202ex" after insert on users begin select 1; end',
  ],
])('rejects a database with %s (%#)', async (difference, statements) => {
  const { code, stdout, stderr } = await restore({ ...whole(), 'parley.db': tampered(statements) });
  expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
  expect(stderr).toContain('Nothing was restored.');
  expect(stderr).toContain(`has ${difference}, which Parley does not create.`);
  expect(readdirSync(folder)).toEqual(['parley.db']);
});

test('reports that a database does not match its manifest', async () => {
  const { code, stderr } = await restore({ ...whole(), 'manifest.json': manifest('001-initial') });
  expect({ code, stderr }).toEqual({
    code: 1,
    stderr:
      'parley: The database in the archive does not match its manifest. Nothing was restored.\n',
  });
});

test.each([
  ['gzip', gzipSync(Buffer.alloc(1024))],
  ['zstd', zstdCompressSync(Buffer.alloc(1024))],
  ['bzip2', Buffer.from('BZh91AY&SY')],
  ['xz', Buffer.from('fd377a585a000004e6d6b446', 'hex')],
])('explains how to decompress an archive that was compressed with %s', async (by, bytes) => {
  // Byte by byte, as a slow pipe may deliver it.
  const pieces = Readable.from(Array.from(bytes, (byte) => Buffer.from([byte])));
  const env = await variablesOf(join(folder, 'restored'));
  const { code, stderr } = await runCommandWithInput(pieces, env, 'restore', '-');
  expect(code).toBe(1);
  expect(stderr).toContain(`compressed with ${by}. Nothing was restored.`);
  expect(stderr).toContain(`'${by} -dc <file> | parley restore -'`);
  expect(readdirSync(folder)).toEqual(['parley.db']);
});
