import {
  chownSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { beginChat, openChatList, send } from '../../test/chatting.ts';
import {
  startFreshServer,
  startServer,
  userAt,
  type TestServer,
  type TestUser,
} from '../../test/harness.ts';
import { runCommandUntil, type KillPoint } from '../../test/kill-at.ts';
import { runCommand } from '../../test/run-command.ts';
import { sample } from '../../test/samples.ts';
import { IS_ON_POSTGRES } from '../../test/server-group.ts';
import { upload } from '../../test/uploading.ts';
import { removeLeftovers, withWorkFolder } from '../files/work-folder.ts';

let folder: string;
let archive: string;
let source: TestServer;
let ada: TestUser;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'parley-interrupted-'));
  archive = join(folder, 'backup.tar');
  source = await startFreshServer();
  ada = await source.signIn('Ada');
  const chatroom = await beginChat(ada, await source.signIn('Bob'), 'first');
  const { body } = await upload(ada, 'image', sample('picture.png'));
  await send(ada, chatroom, body.url);
  expect(await runCommand(source.variables, 'backup', archive)).toMatchObject({ code: 0 });
});
afterAll(async () => {
  await source.close();
  rmSync(folder, { recursive: true, force: true });
});

let dataDir: string;
beforeEach(() => {
  dataDir = mkdtempSync(join(folder, 'restored-'));
});

const inFolder = (...args: string[]) => runCommand({ PARLEY_DATA: dataDir }, ...args);

// The folders restored here have a database of SQLite.
describe.skipIf(IS_ON_POSTGRES)('a restore that is killed', () => {
  const POINTS: [string, KillPoint][] = [
    ['before it unpacks the archive', { call: 'mkdtemp', path: '.restore-' }],
    ['before the media are in place', { call: 'rename', path: '/media' }],
    ['before the database is in place', { call: 'rename', path: '/parley.db' }],
    ['at its end', { call: 'rm', path: 'restore-unfinished.json' }],
  ];

  test.each(POINTS)('%s prevents a start, and can be repeated', async (_, point) => {
    await runCommandUntil(point, { PARLEY_DATA: dataDir }, ['restore', archive]);
    const message = `A restore into ${dataDir} was interrupted or is still running.`;
    await expect(startServer({}, dataDir)).rejects.toThrow(message);
    for (const command of [['user', 'list'], ['serve'], ['backup', join(folder, 'not.tar')]]) {
      const { code, stderr } = await inFolder(...command);
      expect({ code, stderr }).toEqual({ code: 1, stderr: expect.stringContaining(message) });
    }
    const findings: { check: string; outcome: string; message: string }[] = (
      await inFolder('doctor', '--json')
    ).json;
    expect(findings).toContainEqual(
      expect.objectContaining({ check: 'data folder', outcome: 'failed', message }),
    );

    expect(await inFolder('restore', archive)).toMatchObject({ code: 0 });
    expect(readdirSync(dataDir).filter((name) => !name.startsWith('server.lock'))).toEqual([
      'media',
      'parley.db',
    ]);
    const restored = await startServer({}, dataDir);
    expect(await openChatList(userAt(restored.url, ada))).toMatchObject([
      { lastMessage: { kind: 'image' } },
    ]);
    await restored.close();
  });
});

test('a restore does not start while another one is running', async () => {
  await withWorkFolder(join(dataDir, '.restore-'), async () => {
    writeFileSync(join(dataDir, 'restore-unfinished.json'), '{}');
    expect(await inFolder('restore', archive)).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('.restore-'),
    });
  });
});

test('a failed restore leaves an empty folder as it was', async () => {
  const damaged = join(folder, 'damaged.tar');
  writeFileSync(damaged, 'no archive');
  expect(await inFolder('restore', damaged)).toMatchObject({ code: 1 });
  expect(readdirSync(dataDir)).toEqual([]);
});

test('a backup that is killed leaves only what the next one removes', async () => {
  const target = join(dataDir, 'backup.tar');
  const point: KillPoint = { call: 'rename', path: '.backup.tar-' };
  await runCommandUntil(point, source.variables, ['backup', target]);
  expect(readdirSync(dataDir)).toEqual([expect.stringMatching(/^\.backup\.tar-/)]);
  const unrelated = join(dataDir, '.backup.tar-mine');
  mkdirSync(unrelated);
  await withWorkFolder(join(dataDir, '.running-'), async (running) => {
    expect(await runCommand(source.variables, 'backup', target)).toMatchObject({ code: 0 });
    expect(
      readdirSync(dataDir)
        .map((name) => join(dataDir, name))
        .toSorted(),
    ).toEqual([target, unrelated, running].toSorted());
  });
});

test('a server removes what a killed backup has left in its folder', async () => {
  const point: KillPoint = { call: 'rm', path: '.backup-' };
  await runCommandUntil(point, source.variables, ['backup', '-']);
  const leftovers = () => readdirSync(source.dataDir).filter((name) => name.startsWith('.backup-'));
  expect(leftovers()).toHaveLength(1);
  await removeLeftovers(source.dataDir);
  expect(leftovers()).toEqual([]);
});

const isRoot = process.geteuid?.() === 0;
test.runIf(isRoot)('a restore as root gives everything to the owner of the folder', async () => {
  chownSync(dataDir, 12_345, 12_346);
  expect(await inFolder('restore', archive)).toMatchObject({ code: 0 });
  const paths = readdirSync(dataDir, { recursive: true }).map((name) =>
    join(dataDir, String(name)),
  );
  expect(paths.length).toBeGreaterThan(3);
  for (const path of [dataDir, ...paths]) {
    expect([path, statSync(path).uid, statSync(path).gid]).toEqual([path, 12_345, 12_346]);
  }
});
