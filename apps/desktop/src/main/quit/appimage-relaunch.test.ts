import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { createRelaunchCommand, toRestartArgs } from './appimage-relaunch.ts';

const isWindows = process.platform === 'win32';

/** How long nothing may happen. */
const UNEXPECTED_MS = 500;

test.skipIf(isWindows)(
  'starts the AppImage with its arguments after the old process has exited',
  async () => {
    const folder = await mkdtemp(join(tmpdir(), 'parley relaunch '));
    onTestFinished(() => rm(folder, { recursive: true, force: true }));
    const image = join(folder, "Parley's.AppImage");
    const log = join(folder, 'log');
    await writeFile(image, `#!/bin/sh\necho "$@" >> '${log}'\n`);
    await chmod(image, 0o755);
    await writeFile(log, '');

    const old = spawn('sleep', ['600']);
    const { file, args } = createRelaunchCommand(image, old.pid ?? 0, ['--lang=de', 'a b']);
    const relaunch = spawn(file, args);
    const done = once(relaunch, 'exit');
    await new Promise((resolve) => setTimeout(resolve, UNEXPECTED_MS));
    expect(await readFile(log, 'utf8')).toBe('');
    old.kill();
    await done;
    expect(await readFile(log, 'utf8')).toBe('--lang=de a b\n');
  },
);

test('a restart does not open the link of the first start again, and shows the window', () => {
  const args = ['.', 'parley://chat/room-1', '--at-login', '--lang=de'];
  expect(toRestartArgs(args)).toEqual(['.', '--lang=de']);
});
