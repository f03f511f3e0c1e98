import { mkdtemp, readdir, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { toLogFields, log, writeLogTo } from './log.ts';

let folder: string;
let file: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'parley-log-'));
  file = join(folder, 'main.log');
  writeLogTo(file);
});
afterEach(() => rm(folder, { recursive: true, force: true }));

test('writes each event with its time and its fields', async () => {
  log.info('start', { version: '0.1.0', servers: 2 });
  const text = await readFile(file, 'utf8');
  expect(text).toMatch(/^\d{4}-\d\d-\d\dT[\d:.]+Z info start \{"version":"0.1.0","servers":2\}\n$/);
});

test('keeps addresses, paths and error messages out of the file', async () => {
  const failed = Object.assign(
    new Error("net::ERR_CERT_DATE_INVALID loading 'https://chat.example.org/chats/room-1'"),
    { code: undefined },
  );
  log.error('load-failed', failed);
  log.error(
    'write-failed',
    Object.assign(new Error("EACCES: open '/home/ada/x'"), { code: 'EACCES' }),
  );
  log.error('odd', 'ada said hello');
  log.warn('careless', {
    from: 'https://chat.example.org',
    mail: 'ada@example.org',
    path: '/home/ada',
  });
  const text = await readFile(file, 'utf8');
  expect(text).toContain('ERR_CERT_DATE_INVALID');
  expect(text).toContain('EACCES');
  expect(text).toContain('log.test.ts:');
  expect(text).toContain('careless {"from":"?","mail":"?","path":"?"}');
  expect(text).not.toMatch(/ada|example\.org|room-1|home|hello|\//);
});

test('describes an error by its stack frames without folders', () => {
  const { name, at } = toLogFields(new TypeError('x'));
  expect(name).toBe('TypeError');
  expect(at).toMatch(/log\.test\.ts:\d+:\d+/);
  expect(at).not.toContain('/');
});

test('rotates a full file and keeps one old file', async () => {
  const at = 'x'.repeat(500);
  for (let written = 0; written < 2_500; written += 1) log.info('fill', { at });
  expect((await readdir(folder)).toSorted()).toEqual(['main.log', 'main.old.log']);
  expect((await stat(file)).size).toBeLessThan(1024 * 1024 + 1_000);
});
