import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { COMPILE_CACHE, findFreePort } from '@parley/testing';
import { expect, onTestFinished, test, type TestContext } from 'vitest';
import { startServer } from './harness.ts';
import { runCommand } from './run-command.ts';
import { IS_ON_POSTGRES } from './server-group.ts';
import { mountSmallDisk } from './small-disk.ts';
import { until } from './until.ts';

const MIB = 2 ** 20;

/** Mounts a small disk, or skips the test where the system does not allow it. */
async function mountDisk(skip: TestContext['skip']): Promise<string> {
  const disk = await mkdtemp(join(tmpdir(), 'parley-no-space-'));
  onTestFinished(() => rm(disk, { recursive: true, force: true }));
  mountSmallDisk(disk, 24, skip);
  return disk;
}

/** Fills a disk and returns a function that makes space again. */
function fill(disk: string): () => void {
  const ballast = join(disk, 'ballast');
  for (const size of [MIB, 1_024]) {
    try {
      for (;;) writeFileSync(ballast, Buffer.alloc(size), { flag: 'a' });
    } catch {
      // Full.
    }
  }
  return () => rmSync(ballast);
}

// On PostgreSQL, the commands need no space beside the database.
test.skipIf(IS_ON_POSTGRES)(
  'commands and doctor say that the disk is full, and nothing else',
  async ({ skip }) => {
    const disk = await mountDisk(skip);
    const env = { PARLEY_DATA: join(disk, 'data') };
    const server = await startServer({ PARLEY_FREE_SPACE_MIN: '0' }, env.PARLEY_DATA);
    await server.signIn('Ada');
    await server.close();
    const free = fill(disk);

    const target = await mkdtemp(join(tmpdir(), 'parley-elsewhere-'));
    onTestFinished(() => rm(target, { recursive: true, force: true }));
    for (const args of [
      ['serve'],
      ['user', 'list'],
      ['user', 'suspend', 'Ada', '--yes'],
      ['invite'],
      ['invite', 'list'],
      ['report', 'list'],
      ['media', 'adopt'],
      ['backup', join(target, 'backup.tar')],
    ]) {
      const { code, stdout, stderr } = await runCommand(env, ...args);
      expect({ args, code, stdout, stderr }).toEqual({
        args,
        code: 1,
        stdout: '',
        stderr: 'parley: The disk is full.\n',
      });
    }
    const findings = async () => (await runCommand(env, 'doctor', '--json')).json;
    const expected = (check: string, outcome: string) =>
      expect.objectContaining({ check, outcome });
    const whileFull = await findings();
    expect(whileFull).toContainEqual(expected('disk', 'failed'));
    expect(whileFull).toContainEqual({
      check: 'database',
      outcome: 'skipped',
      message: 'Needs free space on the disk.',
      advice: '',
    });
    expect(JSON.stringify(whileFull)).not.toContain('corrupt');

    free();
    expect(await findings()).toContainEqual(expected('database', 'ok'));
    expect((await runCommand(env, 'user', 'list')).stdout).toContain('Ada');
  },
);

test('a server whose log is on a full disk goes on, and logs again once there is space', async ({
  skip,
}) => {
  const disk = await mountDisk(skip);
  const dataDir = await mkdtemp(join(tmpdir(), 'parley-log-'));
  onTestFinished(() => rm(dataDir, { recursive: true, force: true }));
  const port = await findFreePort();
  const log = join(disk, 'log');
  const output = openSync(log, 'a');
  const child = spawn(process.execPath, [join(import.meta.dirname, '../src/main.ts'), 'serve'], {
    env: {
      ...COMPILE_CACHE,
      PARLEY_DATA: dataDir,
      PARLEY_PORT: String(port),
      PARLEY_LOG_LEVEL: 'trace',
      PARLEY_LOG_FAILED_LOGINS: 'true',
    },
    stdio: ['ignore', output, 'inherit'],
  });
  closeSync(output);
  onTestFinished(() => void child.kill('SIGKILL'));
  const url = `http://127.0.0.1:${port}`;
  const request = async () => (await fetch(`${url}/healthz`)).status;
  await until(() => request().catch(() => undefined), 60_000);

  const login = () =>
    fetch(`${url}/api/users/login`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ email: 'ada@example.org', password: 'wrong' }),
    });
  const free = fill(disk);
  const before = readFileSync(log, 'utf8');
  for (let i = 0; i < 20; i += 1) await login();
  expect(await request()).toBe(200);
  expect(readFileSync(log, 'utf8').length).toBeLessThan(before.length + 4_096);
  free();
  await until(async () => {
    await login();
    return readFileSync(log, 'utf8').length > before.length + 2_000;
  });
  child.kill('SIGTERM');
  const [code] = await once(child, 'exit');
  expect(code).toBe(0);
  for (const line of readFileSync(log, 'utf8').trimEnd().split('\n')) {
    expect(JSON.parse(line)).toHaveProperty('msg');
  }
}, 120_000);
