import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { startServer } from '../../test/harness.ts';
import { runCommand } from '../../test/run-command.ts';
import { sample } from '../../test/samples.ts';
import { IS_ON_POSTGRES } from '../../test/server-group.ts';
import { acquireTestDatabase, runOn, type TestDatabase } from '../../test/test-database.ts';
import { upload } from '../../test/uploading.ts';
import type { Finding } from './finding.ts';

describe.skipIf(!IS_ON_POSTGRES)('the doctor on PostgreSQL', () => {
  let database: TestDatabase;
  let dataDir: string;
  beforeEach(async () => {
    database = (await acquireTestDatabase()) ?? expect.fail();
    dataDir = mkdtempSync(join(tmpdir(), 'parley-doctor-'));
  });
  afterEach(async () => {
    rmSync(dataDir, { recursive: true });
    await database.release();
  });

  /** Runs the doctor and returns its findings by their check. */
  async function examine(url = database.url): Promise<(check: string) => Finding | undefined> {
    const env = { PARLEY_DATA: dataDir, PARLEY_PORT: '1', PARLEY_DATABASE_URL: url };
    const { json } = await runCommand(env, 'doctor', '--json');
    const findings: Finding[] = json;
    return (check) => findings.find((finding) => finding.check === check);
  }

  test('accepts a database in use and finds missing media', async () => {
    const server = await startServer({ PARLEY_DATABASE_URL: database.url }, dataDir);
    await upload(await server.signIn('ada'), 'image', sample('picture.png'));
    const of = await examine();
    expect(of('database')).toMatchObject({
      outcome: 'ok',
      message: expect.stringMatching(/^PostgreSQL \d+, [\d.]+ ms per query$/),
    });
    expect(of('connections')).toMatchObject({
      outcome: 'ok',
      message: expect.stringMatching(/^\d+ free, each server uses up to 12$/),
    });
    expect(of('clocks')).toMatchObject({ outcome: 'ok' });
    expect(of('schema')).toMatchObject({ outcome: 'ok' });
    expect(of('media')).toMatchObject({ outcome: 'ok', message: '1 files' });
    await server.close();

    rmSync(join(dataDir, 'media'), { recursive: true });
    expect((await examine())('media')).toMatchObject({ outcome: 'failed' });
  });

  test('explains a database that cannot be reached', async () => {
    const of = await examine('postgres://parley@127.0.0.1:1/parley');
    expect(of('database')).toMatchObject({
      outcome: 'failed',
      message: expect.stringMatching(/^PostgreSQL cannot be reached .*ECONNREFUSED/),
    });
  });

  test('reports an empty database, which the server fills', async () => {
    const of = await examine(await createDatabase('parley_doctor_empty', ''));
    expect(of('database')).toMatchObject({ outcome: 'ok' });
    expect(of('schema')).toMatchObject({
      outcome: 'warning',
      message: 'The database has no tables yet.',
    });
  });

  test('rejects an encoding that cannot store all characters', async () => {
    const url = await createDatabase(
      'parley_doctor_latin',
      "encoding latin1 locale 'C' locale_provider libc template template0",
    );
    expect((await examine(url))('database')).toMatchObject({
      outcome: 'failed',
      message: 'The encoding of the database is LATIN1, which cannot store all characters.',
    });
  });

  test('warns of a database that acknowledges commits before they are durable', async () => {
    const url = await createDatabase('parley_doctor_async', '');
    await runOn(url, 'alter database parley_doctor_async set synchronous_commit = off');
    expect((await examine(url))('database')).toMatchObject({
      outcome: 'warning',
      message: 'PostgreSQL acknowledges messages before they are on the disk.',
    });
  });

  test('rejects a user who cannot create tables', async () => {
    const url = await createDatabase('parley_doctor_rights', '');
    await runOn(url, "create role parley_doctor_guest login password 'guest'");
    onTestFinished(() => runOn(database.url, 'drop role parley_doctor_guest'));
    const guest = new URL(url);
    guest.username = 'parley_doctor_guest';
    guest.password = 'guest';
    expect((await examine(guest.href))('database')).toMatchObject({
      outcome: 'failed',
      message: 'The user of the database cannot create tables.',
    });
  });

  /** Creates a database for the duration of a test and returns its URL. */
  async function createDatabase(name: string, options: string): Promise<string> {
    await runOn(database.url, `create database ${name} ${options}`);
    onTestFinished(() => runOn(database.url, `drop database ${name} with (force)`));
    return new URL(`/${name}`, database.url).href;
  }
});
