import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startPostgresCluster, type PostgresCluster } from '@parley/testing';
import {
  afterAll,
  afterEach,
  beforeAll,
  beforeEach,
  describe,
  expect,
  onTestFinished,
  test,
} from 'vitest';
import { startServer } from '../../test/harness.ts';
import { runCommand } from '../../test/run-command.ts';
import { sample } from '../../test/samples.ts';
import { IS_ON_POSTGRES } from '../../test/server-group.ts';
import { runOn } from '../../test/test-database.ts';
import { upload } from '../../test/uploading.ts';
import type { Finding } from './finding.ts';

describe.skipIf(!IS_ON_POSTGRES)('the doctor on PostgreSQL', () => {
  let cluster: PostgresCluster;
  beforeAll(async () => {
    cluster = await startPostgresCluster({ isDurable: true });
  });
  afterAll(() => cluster.stop());

  let dataDir: string;
  let emptyDatabase: string;
  beforeEach(async () => {
    dataDir = mkdtempSync(join(tmpdir(), 'parley-doctor-'));
    emptyDatabase = await createDatabase('parley_empty');
  });
  afterEach(() => rmSync(dataDir, { recursive: true }));

  /** Runs the doctor and returns its findings by their check. */
  async function examine(url: string, port = '1'): Promise<(check: string) => Finding | undefined> {
    const env = { PARLEY_DATA: dataDir, PARLEY_PORT: port, PARLEY_DATABASE_URL: url };
    const { json } = await runCommand(env, 'doctor', '--json');
    const findings: Finding[] = json;
    return (check) => findings.find((finding) => finding.check === check);
  }

  /** Expects that a database is fine, or slower than users like, which a busy machine makes of it. */
  function expectUsable(finding: Finding | undefined): void {
    const [, latency] =
      /^PostgreSQL \d+, ([\d.]+) ms per query$/.exec(finding?.message ?? '') ?? [];
    expect(latency).toBeDefined();
    expect(finding?.outcome).toBe(Number(latency) <= 10 ? 'ok' : 'warning');
  }

  test('serve exits with 2 if it can never use the database, and with 1 if it may later', async () => {
    const serve = (url: string) =>
      runCommand(
        { PARLEY_DATA: dataDir, PARLEY_DATABASE_URL: url, PARLEY_LOG_LEVEL: 'silent' },
        'serve',
      );
    const url = cluster.urlOf('parley_empty');
    for (const wrong of [
      url.replace('postgres@', 'unknown@'),
      `${url}?sslmode=verify-full`,
      `${url}?sslrootcert=/nowhere.pem`,
    ]) {
      const { code, stderr } = await serve(wrong);
      expect([wrong, code]).toEqual([wrong, 2]);
      expect(stderr).toMatch(/^parley: PostgreSQL (?:cannot be reached|reported an error)/);
    }
    for (const absent of ['postgres://127.0.0.1:1/parley', cluster.urlOf('nowhere')]) {
      expect(await serve(absent)).toMatchObject({ code: 1 });
    }
  });

  test('accepts a database in use and finds missing media', async () => {
    const server = await startServer({ PARLEY_DATABASE_URL: emptyDatabase }, dataDir);
    await upload(await server.signIn('ada'), 'image', sample('picture.png'));
    const of = await examine(emptyDatabase, new URL(server.url).port);
    expect(of('server')).toMatchObject({ outcome: 'ok' });
    expect(of('search')).toMatchObject({ outcome: 'ok' });
    expectUsable(of('database'));
    expect(of('connections')).toMatchObject({
      outcome: 'ok',
      message: expect.stringMatching(/^\d+ free, each server uses up to 14$/),
    });
    expect(of('clocks')).toMatchObject({ outcome: 'ok' });
    expect(of('schema')).toMatchObject({ outcome: 'ok' });
    expect(of('media')).toMatchObject({ outcome: 'ok', message: '1 file' });
    await server.close();

    rmSync(join(dataDir, 'media'), { recursive: true });
    expect((await examine(emptyDatabase))('media')).toMatchObject({ outcome: 'failed' });
  });

  test('explains a database that cannot be reached', async () => {
    const of = await examine('postgres://parley@127.0.0.1:1/parley');
    expect(of('database')).toMatchObject({
      outcome: 'failed',
      message: expect.stringMatching(/^PostgreSQL cannot be reached .*ECONNREFUSED/),
    });
  });

  test('reports an empty database, which the server fills', async () => {
    const of = await examine(emptyDatabase);
    expectUsable(of('database'));
    expect(of('schema')).toMatchObject({
      outcome: 'warning',
      message: 'The database has no tables yet.',
      advice: expect.stringMatching(/^Start the server or run 'parley restore'/),
    });
  });

  test('rejects an encoding that cannot store all characters', async () => {
    const url = await createDatabase(
      'parley_latin',
      "encoding latin1 locale 'C' locale_provider libc template template0",
    );
    expect((await examine(url))('database')).toMatchObject({
      outcome: 'failed',
      message: 'The encoding of the database is LATIN1, which cannot store all characters.',
    });
  });

  test('rejects a database with another installation in it', async () => {
    await runOn(emptyDatabase, 'create schema other; create table other.shared_counters ()');
    expect((await examine(emptyDatabase))('database')).toMatchObject({
      outcome: 'failed',
      message: 'Another installation uses the schema other of the database.',
    });
  });

  test('warns of a database that acknowledges commits before they are durable', async () => {
    await runOn(emptyDatabase, 'alter database parley_empty set synchronous_commit = off');
    expect((await examine(emptyDatabase))('database')).toMatchObject({
      outcome: 'warning',
      message: 'PostgreSQL acknowledges messages before they are on the disk.',
    });
  });

  test('rejects a user who cannot create tables', async () => {
    await runOn(emptyDatabase, "create role guest login password 'guest'");
    const guest = new URL(emptyDatabase);
    guest.username = 'guest';
    guest.password = 'guest';
    expect((await examine(guest.href))('database')).toMatchObject({
      outcome: 'failed',
      message: 'The user of the database cannot create tables.',
    });
  });

  /** Creates a database for the duration of a test and returns its URL. */
  async function createDatabase(name: string, options = ''): Promise<string> {
    const owner = cluster.urlOf('postgres');
    await runOn(owner, `create database ${name} ${options}`);
    onTestFinished(() => runOn(owner, `drop database ${name} with (force)`));
    return cluster.urlOf(name);
  }
});
