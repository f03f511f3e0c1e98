import { createHash } from 'node:crypto';
import {
  createWriteStream,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import SQLite from 'better-sqlite3';
import { afterEach, beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { beginChat, send } from '../../test/chatting.ts';
import { createFilledFolder, DELICATE_TEXT } from '../../test/fill-tables.ts';
import { startServer } from '../../test/harness.ts';
import { runCommand } from '../../test/run-command.ts';
import { dumpPostgres, dumpSqlite } from '../../test/table-dump.ts';
import { createDatabase, runOn } from '../../test/test-database.ts';
import { initial } from '../storage/migrations/001-initial.ts';
import { databaseFile, importDatabase, openDatabase } from '../storage/open.ts';
import { migrate } from '../storage/sqlite/migrate.ts';
import { openWritable } from '../storage/sqlite/sqlite-connection.ts';
import { COPIED_TABLES } from '../storage/table-columns.ts';
import { DATABASE, MANIFEST } from './archive-format.ts';
import { createArchiveWriter } from './archive-writer.ts';

const cluster = process.env['PARLEY_TEST_CLUSTER'];

// These tests need both engines: they run in the project `postgres`.
describe.skipIf(cluster === undefined)('archives of one engine on the other', () => {
  let folder: string;
  let archive: string;
  let source: string;
  beforeEach(async () => {
    folder = mkdtempSync(join(tmpdir(), 'parley-engines-'));
    archive = join(folder, 'backup.tar');
    source = join(folder, 'source');
    mkdirSync(source);
    await createFilledFolder(source);
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  /** Creates a database without tables. */
  const createBlank = () => createDatabase(cluster ?? '', 'template1');

  const onPostgres = (url: string, name = 'postgres') => ({
    PARLEY_DATA: join(folder, name),
    PARLEY_DATABASE_URL: url,
  });

  async function run(env: Record<string, string>, command: string, file = archive) {
    const options = command === 'restore' ? ['--keep-subscriptions'] : [];
    const result = await runCommand(env, command, file, '--json', ...options);
    expect(result).toMatchObject({ code: 0, stderr: '' });
    return result.json;
  }

  /** Checks that a restore fails and changes neither the folder nor the database. */
  async function expectRefusal(url: string, message: RegExp): Promise<void> {
    const before = await dumpPostgres(url);
    const { code, stdout, stderr } = await runCommand(onPostgres(url), 'restore', archive);
    expect({ code, stdout, stderr }).toEqual({
      code: 1,
      stdout: '',
      stderr: expect.stringMatching(message),
    });
    expect(readdirSync(folder).toSorted()).toEqual(['backup.tar', 'source']);
    expect(await dumpPostgres(url)).toEqual(before);
  }

  test.each(['blank', 'migrated'])(
    'an archive keeps every row and file from SQLite to a %s PostgreSQL database and back',
    async (kind) => {
      const url = kind === 'blank' ? await createBlank() : await createDatabase(cluster ?? '');
      const before = dumpSqlite(databaseFile(source));
      for (const { name } of COPIED_TABLES) expect(before[name]?.rows, name).toBeGreaterThan(0);
      // Backups have no files of exports.
      const expected = { ...before, exports: expect.objectContaining({ rows: 0 }) };
      const first = await run({ PARLEY_DATA: source }, 'backup');
      await run(onPostgres(url), 'restore');
      expect(await dumpPostgres(url)).toEqual(expected);
      expect(checksums(join(folder, 'postgres'))).toEqual(checksums(source));
      expect(readdirSync(join(folder, 'postgres')).toSorted()).toEqual(['media', 'server.lock']);

      const second = await run(onPostgres(url), 'backup', join(folder, 'second.tar'));
      expect(second).toMatchObject({ mediaFiles: first.mediaFiles, schema: first.schema });
      await run({ PARLEY_DATA: join(folder, 'back') }, 'restore', join(folder, 'second.tar'));
      expect(dumpSqlite(databaseFile(join(folder, 'back')))).toEqual(expected);
      expect(checksums(join(folder, 'back'))).toEqual(checksums(source));
    },
  );

  test('a server works on a restored PostgreSQL database', async () => {
    const url = await createBlank();
    await run({ PARLEY_DATA: source }, 'backup');
    await run(onPostgres(url), 'restore');
    const variables = onPostgres(url);
    const server = await startServer(variables, variables.PARLEY_DATA);
    const [ada, bob] = [await server.signIn('Ada'), await server.signIn('Bob')];
    await send(ada, await beginChat(ada, bob), 'after the restore');
    // Columns that number their rows continue after the restored ones, and triggers work.
    await server.ctx.storage.write(({ trx }) =>
      trx.deleteFrom('media').where('id', '=', 'f0').execute(),
    );
    const usage = await server.ctx.storage.read((db) =>
      db.selectFrom('media_usage').select('files').executeTakeFirst(),
    );
    expect(usage).toEqual({ files: 3 });
    await server.close();
  });

  test('a backup of PostgreSQL is consistent while users write', async () => {
    const server = await startServer();
    const [ada, bob] = [await server.signIn('Ada'), await server.signIn('Bob')];
    const chatroom = await beginChat(ada, bob, 'first');
    const over = new AbortController();
    const load = [ada, bob].map(async (user) => {
      while (!over.signal.aborted) await send(user, chatroom, DELICATE_TEXT);
    });
    for (let i = 0; i < 3; i += 1) {
      const file = join(folder, `${i}.tar`);
      await run(server.variables, 'backup', file);
      const restored = join(folder, `restored-${i}`);
      await run({ PARLEY_DATA: restored }, 'restore', file);
      const sqlite = new SQLite(databaseFile(restored), { readonly: true });
      const room = sqlite.prepare('select last_seq as seq, last_rev as rev from chatrooms').get();
      const newest = sqlite
        .prepare('select count(*) as seq, max(rev) as rev from messages having count(*) = max(seq)')
        .get();
      const broken = sqlite.pragma('foreign_key_check');
      sqlite.close();
      expect({ room, broken }).toEqual({ room: newest, broken: [] });
    }
    over.abort();
    await Promise.all(load);
    await server.close();
  });

  test('an archive of the first released schema is upgraded for PostgreSQL', async () => {
    rmSync(source, { recursive: true });
    await createReleasedArchive(archive);
    const url = await createBlank();
    expect((await run(onPostgres(url), 'restore')).manifest.schema).toBe('001-initial');
    expect(await dumpPostgres(url)).toMatchObject({
      users: { rows: 1 },
      // Deleted texts are not copied, so that nothing has to be removed from free pages.
      erasures: { rows: 0 },
      media_usage: { rows: 1 },
    });
    await run(onPostgres(url), 'backup', join(folder, 'second.tar'));
  });

  test('a restore into a PostgreSQL database with rows is refused', async () => {
    await run({ PARLEY_DATA: source }, 'backup');
    const url = await createDatabase(cluster ?? '');
    await runOn(url, `insert into secrets (name, value) values ('session', 'x')`);
    await expectRefusal(
      url,
      /^parley: The PostgreSQL database is not empty: the table secrets has/,
    );
  });

  test('a restore into a PostgreSQL database that servers cannot use is refused', async () => {
    await run({ PARLEY_DATA: source }, 'backup');
    const latin = new URL('/parley_latin_restore', cluster).href;
    await runOn(
      cluster ?? '',
      "create database parley_latin_restore encoding latin1 locale 'C' locale_provider libc template template0",
    );
    onTestFinished(() => runOn(cluster ?? '', 'drop database parley_latin_restore with (force)'));
    await expectRefusal(latin, /^parley: The encoding of the database is LATIN1/);
  });

  test('a restore into a PostgreSQL database of another schema or program is refused', async () => {
    await run({ PARLEY_DATA: source }, 'backup');
    const newer = await createDatabase(cluster ?? '');
    await runOn(newer, `insert into kysely_migration values ('999-future', '')`);
    await expectRefusal(newer, /created by another version of Parley/);
    const foreign = await createBlank();
    await runOn(foreign, 'create table orders (id int)');
    await expectRefusal(foreign, /contains tables of another program/);
  });

  test('a corrupt archive leaves the PostgreSQL database blank', async () => {
    const url = await createBlank();
    await run({ PARLEY_DATA: source }, 'backup');
    const bytes = readFileSync(archive);
    const place = bytes.indexOf('SQLite format 3') + 8_192;
    bytes[place] = (bytes[place] ?? 0) ^ 1;
    writeFileSync(archive, bytes);
    await expectRefusal(url, /corrupt.*Nothing was restored/);
  });

  test('a row that PostgreSQL rejects leaves its database and the folder unchanged', async () => {
    const sqlite = new SQLite(databaseFile(source));
    // The last table with a constraint, so that everything else is copied before.
    sqlite.pragma('ignore_check_constraints = ON');
    sqlite.exec(`update erasures set kind = 'other'`);
    sqlite.close();
    await run({ PARLEY_DATA: source }, 'backup');
    await expectRefusal(await createBlank(), /contains invalid rows/);
    await expectRefusal(await createDatabase(cluster ?? ''), /contains invalid rows/);
  });

  test('a database without a table is not backed up', async () => {
    const sqlite = new SQLite(databaseFile(source));
    sqlite.exec('drop table invitations');
    sqlite.close();
    const { code, stderr } = await runCommand({ PARLEY_DATA: source }, 'backup', archive);
    expect({ code, stderr }).toEqual({
      code: 1,
      stderr: expect.stringMatching(/^parley: The database has no (?:index|table) invitations/),
    });
    expect(readdirSync(folder)).toEqual(['source']);
  });

  /** Runs a statement when a transaction that inserted users is committed. */
  const atCommit = (url: string, statement: string) =>
    runOn(
      url,
      `create function at_commit() returns trigger language plpgsql as
         $$ begin ${statement}; return null; end $$;
       create constraint trigger at_commit after insert on users deferrable initially deferred
         for each row execute function at_commit()`,
    );

  test('a failing commit leaves the PostgreSQL database and the folder unchanged', async () => {
    await run({ PARLEY_DATA: source }, 'backup');
    const url = await createDatabase(cluster ?? '');
    await atCommit(url, `raise exception 'no commit'`);
    await expectRefusal(url, /no commit/);
  });

  test('a connection that is lost during the commit is explained, and the media stay', async () => {
    await run({ PARLEY_DATA: source }, 'backup');
    const url = await createDatabase(cluster ?? '');
    await atCommit(url, 'perform pg_terminate_backend(pg_backend_pid())');
    const { code, stderr } = await runCommand(onPostgres(url), 'restore', archive);
    expect(code).toBe(1);
    expect(stderr).toContain(
      'The connection to PostgreSQL was lost while the restore was finished',
    );
    expect(checksums(join(folder, 'postgres'))).toEqual(checksums(source));
  });

  test('timeouts of the connection do not end a long backup or restore', async () => {
    const url = new URL(await createBlank());
    url.searchParams.set('idle_in_transaction_session_timeout', '1000');
    const block = () => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1_500);
    const onFirstRows = () => {
      let isFirst = true;
      return () => {
        if (isFirst) block();
        isFirst = false;
      };
    };
    await importDatabase(url.href, databaseFile(source), {
      onRowsCopied: onFirstRows(),
      beforeCommit: async () => undefined,
    });
    const database = openDatabase({ dataDir: folder, databaseUrl: url.href });
    const copy = join(folder, 'copy.db');
    await database.maintenance.snapshot(copy, onFirstRows());
    await database.close();
    expect(dumpSqlite(copy)).toEqual(dumpSqlite(databaseFile(source)));
  });

  test('null characters, which PostgreSQL cannot store, are replaced', async () => {
    const sqlite = new SQLite(databaseFile(source));
    sqlite.prepare(`update messages set content = ? where id = 'm5'`).run('a\0b');
    sqlite.close();
    const url = await createBlank();
    await run({ PARLEY_DATA: source }, 'backup');
    await run(onPostgres(url), 'restore');
    await run(onPostgres(url), 'backup', join(folder, 'second.tar'));
    await run({ PARLEY_DATA: join(folder, 'back') }, 'restore', join(folder, 'second.tar'));
    const back = new SQLite(databaseFile(join(folder, 'back')), { readonly: true });
    const content = back.prepare(`select content from messages where id = 'm5'`).pluck().get();
    back.close();
    expect(content).toBe('a\uFFFDb');
  });

  test('an unreachable PostgreSQL server is explained', async () => {
    await run({ PARLEY_DATA: source }, 'backup');
    const url = 'postgres://parley@localhost:1/parley';
    for (const command of ['backup', 'restore']) {
      const file = command === 'backup' ? join(folder, 'second.tar') : archive;
      const { code, stderr } = await runCommand(onPostgres(url), command, file);
      expect({ code, stderr }).toEqual({
        code: 1,
        stderr: expect.stringMatching(
          /^parley: PostgreSQL cannot be reached with PARLEY_DATABASE_URL \(connect ECONNREFUSED .+\)/,
        ),
      });
    }
    expect(readdirSync(folder).toSorted()).toEqual(['backup.tar', 'source']);
  });
});

/** Returns the checksums of the media of a folder by their names. */
function checksums(dataDir: string): Record<string, string> {
  const media = join(dataDir, 'media');
  return Object.fromEntries(
    readdirSync(media)
      .toSorted()
      .map((name) => [
        name,
        createHash('sha256')
          .update(readFileSync(join(media, name)))
          .digest('hex'),
      ]),
  );
}

/** Writes an archive of the first released schema with one user. */
async function createReleasedArchive(archive: string): Promise<void> {
  const file = `${archive}.db`;
  const sqlite = openWritable(file);
  await migrate(sqlite, { '001-initial': initial });
  sqlite.exec(`insert into users values ('u', 'U', 'u', 'u@example.org', '', 'en', 'full', 1, 1)`);
  sqlite.pragma('journal_mode = DELETE');
  sqlite.close();
  const writer = createArchiveWriter(createWriteStream(archive));
  await writer.addFile(DATABASE, file);
  const createdAt = '2026-03-01T12:00:00.000Z';
  const manifest = { format: 1, product: 'parley', version: '0.1.0', schema: '001-initial' };
  await writer.addText(MANIFEST, JSON.stringify({ ...manifest, createdAt }));
  await writer.finish();
  rmSync(file);
}
