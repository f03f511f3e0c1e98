import { mkdtempSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { runCommand } from '../../test/run-command.ts';
import { createFolder } from './create-folder.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'parley-folder-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

test('creates a folder and its parents for this user only, and accepts an existing folder', () => {
  const path = join(folder, 'a', 'b', 'c');
  createFolder(path);
  createFolder(path);
  for (const made of [path, join(folder, 'a')]) {
    const { mode } = statSync(made);
    if (process.platform !== 'win32') expect(mode & 0o777).toBe(0o700);
  }
});

test('names the file that prevents creating the data folder', async () => {
  const file = join(folder, 'file');
  const link = join(folder, 'link');
  writeFileSync(file, '');
  symlinkSync(join(folder, 'nowhere'), link);
  for (const obstacle of [file, link]) {
    for (const dataDir of [obstacle, join(obstacle, 'data', 'of', 'mine')]) {
      expect(await runCommand({ PARLEY_DATA: dataDir }, 'serve')).toMatchObject({
        code: 2,
        stderr: expect.stringContaining(
          `PARLEY_DATA is '${dataDir}', which cannot be used: ${obstacle} is not a folder. Set it to`,
        ),
      });
    }
  }
});

test.skipIf(process.platform !== 'linux')(
  'reports a path where the system allows no folders',
  async () => {
    const reason = 'The folder /proc/parley cannot be created.';
    const env = { PARLEY_DATA: '/proc/parley/data' };
    expect(await runCommand(env, 'serve')).toMatchObject({
      code: 2,
      stderr: expect.stringContaining(reason),
    });
    expect(await runCommand(env, 'restore', import.meta.filename)).toMatchObject({
      code: 1,
      stderr: `parley: ${reason}\n`,
    });
  },
);
