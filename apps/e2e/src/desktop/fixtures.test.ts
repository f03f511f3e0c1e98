import { chmod, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from '../support/test.ts';
import { electronTest as test } from './support/electron-test.ts';
import { findElectron } from './support/find-electron.ts';

// The tests of the app itself need Electron. This tests their fixtures everywhere.

test('each test has its own profile, and findElectron returns only executable programs', async ({
  profile,
  installed,
}) => {
  expect((await stat(profile)).isDirectory()).toBe(true);
  expect(typeof installed.start).toBe('function');
  const program = join(profile, 'electron');
  await writeFile(program, '#!/bin/sh\n');
  await chmod(program, 0o755);
  expect(findElectron({ PARLEY_ELECTRON: program })).toBe(program);
  expect(findElectron({ PARLEY_ELECTRON: join(profile, 'none') })).toBe(findElectron({}));
});
