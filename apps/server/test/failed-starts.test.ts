import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runServer, serverFromSources, startServerHost } from '@parley/testing';
import { afterEach, beforeEach, expect, onTestFinished, test, vi } from 'vitest';

// A server that does not start must leave no folder, as tests would fill the disk in time.

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'parley-failed-starts-'));
  vi.stubEnv('TMPDIR', folder);
  vi.stubEnv('TEMP', folder);
});
afterEach(async () => {
  vi.unstubAllEnvs();
  await rm(folder, { recursive: true });
});

const INVALID = { PARLEY_REGISTRATION: 'sometimes' };

test('a server in a process of its own leaves no folder if it does not start', async () => {
  await expect(runServer(INVALID, serverFromSources)).rejects.toThrow('the server ended with 2');
  expect(await readdir(folder)).toEqual([]);
});

test('a server in a shared process leaves no folder if it does not start or cannot listen', async () => {
  const host = startServerHost();
  onTestFinished(() => host.close());
  for (const env of [INVALID, { PARLEY_HOST: '192.0.2.1' }]) {
    await expect(host.run(env)).rejects.toThrow(/^the server failed: /);
    expect(await readdir(folder)).toEqual([]);
  }
});
