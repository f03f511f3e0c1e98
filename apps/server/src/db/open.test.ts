import { mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'kysely';
import { expect, onTestFinished, test } from 'vitest';
import { openDatabase } from './open.ts';

test.skipIf(process.platform === 'win32')(
  'the database and its log are for this user only, whatever the rights of the folder',
  async () => {
    const folder = mkdtempSync(join(tmpdir(), 'parley-open-'));
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
    const { db } = openDatabase(join(folder, 'parley.db'));
    await sql`create table secrets (value text)`.execute(db);
    const modes = readdirSync(folder).map((name) => statSync(join(folder, name)).mode & 0o777);
    await db.destroy();
    expect(modes).toEqual([0o600, 0o600, 0o600]);
  },
);

test('a folder that does not exist is told of by SQLite', () => {
  expect(() => openDatabase(join(tmpdir(), 'parley-nowhere', 'parley.db'))).toThrow(/directory/);
});
