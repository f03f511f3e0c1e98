import { spawnSync } from 'node:child_process';
import { chownSync, existsSync, mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { runCommand, runCommandProcess } from '../../test/run-command.ts';
import { createDataFolder } from '../../test/create-data-folder.ts';
import { createTestClient, startServer } from '../../test/harness.ts';
import { connectLive } from '../../test/live.ts';
import { spawnServer, type SpawnedServer } from '../../test/spawn-server.ts';
import { variablesOf } from '../../test/test-database.ts';
import { until } from '../../test/until.ts';
import { callServer, findServer } from './operator-client.ts';
import { verifyUserOperation } from './operations.ts';

/** The id of the user `nobody` on systems that have one. */
const OTHER_USER = 65_534;

let dataDir: string;
let server: SpawnedServer | undefined;
beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), 'parley-operator-'));
});
afterEach(async () => {
  await server?.kill();
  server = undefined;
  rmSync(dataDir, { recursive: true, force: true });
});

const env = () => ({ PARLEY_DATA: dataDir });

test('a command that deletes an account ends its session and live connection', async () => {
  const setup = await startServer({}, dataDir);
  const ada = await setup.signIn('Ada');
  await setup.close();
  const variables = await variablesOf(dataDir);
  server = await spawnServer(dataDir, { databaseUrl: variables.PARLEY_DATABASE_URL });
  const client = createTestClient(server.url, ada.cookie);
  const live = await connectLive(server, client);
  // Puts the session into the server's cache.
  expect(await client.request('GET', '/api/users/current')).toMatchObject({ status: 200 });

  const deleted = await runCommandProcess(variables, ['user', 'delete', 'Ada', '--yes', '--json']);
  expect(deleted).toMatchObject({ code: 0, stderr: '' });
  expect(deleted.json).toEqual({
    username: 'Ada',
    email: `${ada.id}@example.org`,
    deleted: true,
  });
  expect(await client.request('GET', '/api/users/current')).toMatchObject({ status: 401 });
  await until(() => live.socket.disconnected);
  expect(live.events).toEqual([['session-ended', { reason: 'account-deleted' }]]);
});

test('a socket left by a killed server affects neither commands nor the next server', async () => {
  server = await spawnServer(dataDir);
  await server.kill();
  if (process.platform !== 'win32') {
    expect(existsSync(join(dataDir, 'operator', 'socket'))).toBe(true);
  }
  expect(await findServer(dataDir)).toBeUndefined();
  expect(await runCommand(env(), 'invite', '--note', 'without a server')).toMatchObject({
    code: 0,
  });

  server = await spawnServer(dataDir);
  expect(await findServer(dataDir)).toMatchObject({ info: { product: 'parley' } });
  expect(await runCommand(env(), 'invite', '--note', 'with a server')).toMatchObject({ code: 0 });
  const { json } = await runCommand(env(), 'invite', 'list', '--json');
  expect(json).toMatchObject([{ note: 'with a server' }, { note: 'without a server' }]);

  expect(await server.stop()).toBe(0);
  expect(existsSync(join(dataDir, 'operator'))).toBe(false);
});

test.skipIf(process.platform === 'win32')('a command reports a server that hangs', async () => {
  server = await spawnServer(dataDir);
  const found = await findServer(dataDir);
  if (found === undefined) throw new Error('the server was not found');
  process.kill(server.pid, 'SIGSTOP');
  expect(await findServer(dataDir, 200)).toMatchObject({ info: undefined });
  await expect(callServer(found, verifyUserOperation, { user: 'Ada' }, 200)).rejects.toThrow(
    'The server does not respond on its socket.',
  );
  process.kill(server.pid, 'SIGCONT');
  expect(await runCommand(env(), 'invite')).toMatchObject({ code: 0 });
});

const isRoot = process.geteuid?.() === 0;

// Checks with a system command, as the other user may not be able to run Node.js.
const canRunAsOtherUser =
  isRoot &&
  spawnSync('test', ['-x', process.execPath, '-a', '-r', import.meta.filename], {
    uid: OTHER_USER,
    gid: OTHER_USER,
  }).status === 0;
if (isRoot && !canRunAsOtherUser) {
  process.stderr.write(
    'Other users cannot run Node.js or read this folder. Skipping the tests that need another user.\n',
  );
}

test.skipIf(!canRunAsOtherUser)('root can run commands for a server of another user', async () => {
  chownSync(dataDir, OTHER_USER, OTHER_USER);
  server = await spawnServer(dataDir, { uid: OTHER_USER });
  expect(await runCommandProcess(env(), ['invite'])).toMatchObject({
    code: 0,
    stderr: expect.not.stringContaining('denied'),
  });
  expect(await server.stop()).toBe(0);

  // Even without a server, root creates no file that the server's user cannot open.
  rmSync(join(dataDir, 'server.lock'));
  expect(await runCommandProcess(env(), ['invite'])).toMatchObject({ code: 0 });
  expect(statSync(join(dataDir, 'server.lock')).uid).toBe(OTHER_USER);
  server = await spawnServer(dataDir, { uid: OTHER_USER });
  const { json } = await runCommand(env(), 'invite', 'list', '--json');
  expect(json).toHaveLength(2);
});

test.skipIf(!canRunAsOtherUser)(
  'another user gets a message that says who can run commands',
  async () => {
    await createDataFolder(dataDir);
    const denied = {
      code: 1,
      stdout: '',
      stderr: `parley: Access to ${dataDir} was denied. Run this command as the user who runs the server, or as root.\n`,
    };
    const commands = [
      ['user', 'verify', 'Ada'],
      ['user', 'list'],
    ];
    for (const command of commands) {
      expect(await runCommandProcess(env(), command, OTHER_USER)).toMatchObject(denied);
    }
  },
);
