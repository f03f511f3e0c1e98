import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { createDataFolder } from '../../test/create-data-folder.ts';
import { startServer, type TestServer } from '../../test/harness.ts';
import { runCommand } from '../../test/run-command.ts';

let server: TestServer;
let dataDir: string;
let other: Record<string, string>;

beforeAll(async () => {
  dataDir = createFolder();
  server = await startServer(
    { PARLEY_PUBLIC_URL: 'https://chat.example.org', PARLEY_REGISTRATION: 'invite' },
    dataDir,
  );
  await server.signIn('Ada');
  other = { PARLEY_HOST: '127.0.0.1', PARLEY_PORT: new URL(server.url).port };
});
afterAll(async () => {
  await server.close();
  rmSync(dataDir, { recursive: true });
});

function createFolder(): string {
  return mkdtempSync(join(tmpdir(), 'parley-other-'));
}

async function createStoppedFolder(): Promise<string> {
  const folder = createFolder();
  onTestFinished(() => rmSync(folder, { recursive: true }));
  await createDataFolder(folder);
  return folder;
}

test.each([
  [['invite'], '/register#invitation='],
  [['user', 'reset-link', 'Ada'], '/new-pw#email='],
])(
  'the link of %j has the address of the running server, even without its variables',
  async (args, path) => {
    const { code, json, stderr } = await runCommand({ PARLEY_DATA: dataDir }, ...args, '--json');
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(json.link).toContain(`https://chat.example.org${path}`);
  },
);

test('a link without a public address is local, and the command says so', async () => {
  const folder = await createStoppedFolder();
  const { json, stderr } = await runCommand(
    { PARLEY_DATA: folder, PARLEY_REGISTRATION: 'invite', PARLEY_PORT: '3210' },
    'invite',
    '--json',
  );
  expect(json.link).toContain('http://localhost:3210/register#invitation=');
  expect(stderr).toContain('PARLEY_PUBLIC_URL is not set, so the link only works on this machine.');
});

test('a command without a database names the server that has one', async () => {
  const folder = createFolder();
  onTestFinished(() => rmSync(folder, { recursive: true }));
  expect(await runCommand({ PARLEY_DATA: folder, ...other }, 'user', 'list')).toMatchObject({
    code: 1,
    stderr: expect.stringMatching(
      /There is no database in .+\. The server at http:\/\/127\.0\.0\.1:\d+ uses another folder/,
    ),
  });
});

test.each([[['user', 'list']], [['invite']]])(
  '%j on a stopped database warns of a server that uses another one',
  async (args) => {
    const folder = await createStoppedFolder();
    const { code, stderr } = await runCommand({ PARLEY_DATA: folder, ...other }, ...args);
    expect(code).toBe(0);
    expect(stderr).toContain(
      `The server at http://127.0.0.1:${other['PARLEY_PORT']} uses another database than this command.`,
    );
  },
);

test('a command on the database of the running server warns of nothing', async () => {
  const { stdout, stderr } = await runCommand({ PARLEY_DATA: dataDir, ...other }, 'user', 'list');
  expect(stdout).toContain('Ada');
  expect(stderr).toBe('');
});

test('a restore beside a running server says that it does not use the restored data', async () => {
  const folder = createFolder();
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const archive = join(folder, 'backup.tar');
  expect(await runCommand({ PARLEY_DATA: dataDir }, 'backup', archive)).toMatchObject({ code: 0 });
  const target = join(folder, 'restored');
  const { code, stderr } = await runCommand({ PARLEY_DATA: target, ...other }, 'restore', archive);
  expect(code).toBe(0);
  expect(stderr).toContain(`does not use ${target}. To replace it, stop it`);
});
