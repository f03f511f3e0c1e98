import { mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { openWritable } from './sqlite-connection.ts';

test.skipIf(process.platform === 'win32')(
  'creates the database and its write-ahead log readable by the current user only',
  () => {
    const folder = mkdtempSync(join(tmpdir(), 'parley-open-'));
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
    const sqlite = openWritable(join(folder, 'parley.db'));
    sqlite.exec('create table secrets (value text)');
    const modes = readdirSync(folder).map((name) => statSync(join(folder, name)).mode & 0o777);
    sqlite.close();
    expect(modes).toEqual([0o600, 0o600, 0o600]);
  },
);

test('throws an SqliteError if the folder does not exist', () => {
  expect(() => openWritable(join(tmpdir(), 'parley-nowhere', 'parley.db'))).toThrow(/directory/);
});
