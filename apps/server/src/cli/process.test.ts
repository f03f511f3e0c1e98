import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';

import { mkdtempSync, openSync, rmSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { COMPILE_CACHE } from '@parley/testing';
import { expect, onTestFinished, test } from 'vitest';

const MAIN = join(import.meta.dirname, '../main.ts');

function start(args: string[], stdout: 'pipe' | number = 'pipe') {
  const folder = mkdtempSync(join(tmpdir(), 'parley-process-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const child: ChildProcess = spawn(process.execPath, [MAIN, ...args], {
    env: { ...COMPILE_CACHE, PARLEY_DATA: join(folder, 'data'), PARLEY_PORT: '0' },
    stdio: ['ignore', stdout, 'pipe'],
  });
  const stderr = child.stderr === null ? '' : text(child.stderr);
  return { child, stderr, exited: once(child, 'exit') };
}

/** Waits until the server is ready and returns its port. */
async function readyPort(child: ChildProcess): Promise<number> {
  let log = '';
  for await (const chunk of child.stdout ?? []) {
    log += String(chunk);
    const port = /Parley is ready at http:\/\/localhost:(\d+)/.exec(log)?.[1];
    if (port === undefined) continue;
    expect(log).toMatch(/^\{[^\n]*"version":"[\d.]+"[^\n]*"msg":"Starting Parley [\d.]+/);
    return Number(port);
  }
  throw new Error('the server ended before it was ready');
}

test('a closed pipe ends a command silently', async () => {
  const { child, stderr, exited } = start(['help', 'config']);
  child.stdout?.destroy();
  expect(await exited).toEqual([1, null]);
  expect(await stderr).toBe('');
});

test.skipIf(process.platform !== 'linux')(
  'fails if the output cannot be written because the disk is full',
  async () => {
    const { stderr, exited } = start(['help', 'config'], openSync('/dev/full', 'w'));
    expect(await exited).toEqual([1, null]);
    expect(await stderr).toBe('parley: The disk is full.\n');
  },
);

test.skipIf(process.platform === 'win32').each(['SIGTERM', 'SIGINT', 'SIGHUP'] as const)(
  '%s shuts down the server without an error',
  async (signal) => {
    const { child, stderr, exited } = start(['serve']);
    await readyPort(child);
    child.kill(signal);
    expect(await exited).toEqual([0, null]);
    expect(await stderr).toBe('');
  },
);

test.skipIf(process.platform === 'win32')(
  'a request that never completes does not prevent the shutdown',
  async () => {
    const { child, stderr, exited } = start(['serve']);
    const port = await readyPort(child);
    const socket = connect(port, '127.0.0.1');
    onTestFinished(() => void socket.destroy());
    socket.on('error', () => undefined);
    socket.write(
      `POST /api/upload/image HTTP/1.1\r\nHost: localhost:${port}\r\n` +
        'Content-Type: multipart/form-data; boundary=b\r\nContent-Length: 1000000\r\n\r\n--b\r\n',
    );
    await once(socket, 'data');
    child.kill('SIGTERM');
    expect(await exited).toEqual([0, null]);
    expect(await stderr).toBe('');
  },
);
