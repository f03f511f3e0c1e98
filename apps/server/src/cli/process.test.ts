import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';

import { mkdtempSync, openSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { expect, onTestFinished, test } from 'vitest';

const MAIN = join(import.meta.dirname, '../main.ts');

function start(args: string[], stdout: 'pipe' | number = 'pipe') {
  const folder = mkdtempSync(join(tmpdir(), 'parley-process-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const child: ChildProcess = spawn(process.execPath, [MAIN, ...args], {
    env: { PARLEY_DATA: join(folder, 'data'), PARLEY_PORT: '0' },
    stdio: ['ignore', stdout, 'pipe'],
  });
  const stderr = child.stderr === null ? '' : text(child.stderr);
  return { child, stderr, exited: once(child, 'exit') };
}

test('a reader that has seen enough ends a command without a word', async () => {
  const { child, stderr, exited } = start(['help', 'config']);
  child.stdout?.destroy();
  expect(await exited).toEqual([1, null]);
  expect(await stderr).toBe('');
});

test.skipIf(process.platform !== 'linux')('output that has no room is a failure', async () => {
  const { stderr, exited } = start(['help', 'config'], openSync('/dev/full', 'w'));
  expect(await exited).toEqual([1, null]);
  expect(await stderr).toBe('parley: The disk is full.\n');
});

test.skipIf(process.platform === 'win32').each(['SIGTERM', 'SIGINT', 'SIGHUP'] as const)(
  '%s ends the server once what is under way is done',
  async (signal) => {
    const { child, stderr, exited } = start(['serve']);
    let log = '';
    for await (const chunk of child.stdout ?? []) {
      log += String(chunk);
      if (log.includes('Parley is ready')) break;
    }
    child.kill(signal);
    expect(await exited).toEqual([0, null]);
    expect(await stderr).toBe('');
  },
);
