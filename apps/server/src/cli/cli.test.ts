import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { acceptConnections } from '../../test/accept-connections.ts';
import { runCommand } from '../../test/run-command.ts';
import { createDataFolder, NEWEST_SCHEMA } from '../../test/create-data-folder.ts';
import { describeVariables } from '../config-variables.ts';
import { COMMANDS } from './commands.ts';

test('version prints the version, or all details with --json', async () => {
  expect(await runCommand({}, 'version')).toMatchObject({
    code: 0,
    stdout: expect.stringMatching(/^parley \d+\.\d+\.\d+\n$/),
    stderr: '',
  });
  expect((await runCommand({}, '--version', '--json')).json).toMatchObject({
    version: expect.any(String),
    schema: NEWEST_SCHEMA,
    sqlite: expect.stringMatching(/^3\./),
    singleBinary: false,
  });
});

test('help describes every command and every variable', async () => {
  const overview = await runCommand({}, 'help');
  expect(overview.code).toBe(0);
  for (const { name } of COMMANDS) {
    expect(overview.stdout).toContain(`  ${name}`);
    const about = await runCommand({}, 'help', name);
    expect(about.stdout).toContain(`Usage: parley ${name}`);
    expect((await runCommand({}, name, '--help')).stdout).toBe(about.stdout);
    for (const line of about.stdout.split('\n')) expect(line.length).toBeLessThan(100);
  }
  const variables = await runCommand({}, 'help', 'config');
  for (const { name, description } of describeVariables()) {
    expect(variables.stdout).toContain(name);
    expect(variables.stdout).toContain(description);
  }
  expect((await runCommand({}, 'help', 'config', '--json')).json.properties).toHaveProperty(
    'PARLEY_PORT',
  );
});

test.each([
  [['nonsense'], "unknown command 'nonsense'", "Try 'parley help'.\n"],
  [['help', 'nonsense'], "unknown command 'nonsense'", "Try 'parley help'.\n"],
  [['--nonsense'], "Unknown option '--nonsense'", "Try 'parley help serve'."],
  [['backup'], '<file> is missing', "Try 'parley help backup'."],
  [['user'], 'missing an action: list, verify, reset-link, set-email', "Try 'parley help user'."],
  [['user', 'constructor', 'Ada'], "unknown action 'user constructor'", "Try 'parley help user'."],
  [['restore'], '<file> is missing', "Try 'parley help restore'."],
  [['backup', 'a', 'b'], "unexpected argument 'b'", "Try 'parley help backup'."],
  [['user', 'delete', 'Ada'], 'this permanently deletes the account', "Try 'parley help user'."],
  [['user', 'suspend', 'Ada'], 'this ends all sessions of the account', "Try 'parley help user'."],
  [['report'], 'missing an action: list, show or close', "Try 'parley help report'."],
  [['report', 'show'], 'missing the id of the report', "Try 'parley help report'."],
  [['report', 'list', 'x'], "unexpected argument 'x'", "Try 'parley help report'."],
  [['media'], 'missing an action: adopt', "Try 'parley help media'."],
  [['media', 'list'], "unknown action 'media list'", "Try 'parley help media'."],
  [['invite', '--uses', '0'], '--uses must be a positive integer', "Try 'parley help invite'."],
])('rejects the arguments %j', async (args, reason, hint) => {
  const dataDir = mkdtempSync(join(tmpdir(), 'parley-cli-'));
  onTestFinished(() => rmSync(dataDir, { recursive: true }));
  await createDataFolder(dataDir);
  const { code, stdout, stderr } = await runCommand({ PARLEY_DATA: dataDir }, ...args);
  expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
  expect(stderr).toContain(`parley: ${reason}`);
  expect(stderr).toContain(hint);
});

test('exits with 2 for an invalid variable and with 1 for a missing folder', async () => {
  expect(await runCommand({ PARLEY_PORT: 'x' }, 'user', 'list')).toMatchObject({
    code: 2,
    stderr: expect.stringContaining("PARLEY_PORT is 'x', but must be a number from 0 to 65535"),
  });
  expect(await runCommand({ PARLEY_DATA: '/nowhere' }, 'user', 'list')).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('There is no database in /nowhere.'),
  });
});

test('serve and doctor report all invalid variables together', async () => {
  const wrong = {
    PARLEY_PORT: 'x',
    PARLEY_DATAX: '1',
    PARLEY_LOG_LEVEL: 'loud',
    PARLEY_PUBLIC_URL: 'https://chat.example.org/parley',
    PARLEY_TRUST_PROXY: 'proxy, 10.0.0.0/8, ::1',
    PARLEY_SMTP_URL: 'smtp://host:port',
    PARLEY_MAIL_FROM: 'Parley',
    PARLEY_REGISTRATION: 'Open',
    PARLEY_RATE_LIMITS: '0',
    PARLEY_RETENTION_DAYS: '0',
    PARLEY_QUOTA_MEDIA_TOTAL: '5 GB',
    PARLEY_METRICS_TOKEN: 'short',
  };
  const { code, stdout, stderr } = await runCommand(wrong, 'serve');
  expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
  const lines = stderr.trimEnd().split('\n');
  expect(lines).toHaveLength(Object.keys(wrong).length + 1);
  for (const name of Object.keys(wrong)) expect(stderr).toContain(`parley: ${name} `);
  expect(stderr).toContain("'proxy' is neither an IP address nor a network.");

  const found = await runCommand(wrong, 'doctor', '--json');
  expect(found).toMatchObject({ code: 2, stderr: '' });
  expect(found.json.map(({ outcome }: { outcome: string }) => outcome)).toEqual(
    Object.keys(wrong).map(() => 'failed'),
  );
});

test('serve exits with 2 if it can never start with its variables, and with 1 if it may later', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'parley-cli-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const file = join(folder, 'file');
  writeFileSync(file, '');
  const dataDir = join(folder, 'data');
  const serve = (env: Record<string, string>) =>
    runCommand({ PARLEY_DATA: dataDir, PARLEY_LOG_LEVEL: 'silent', ...env }, 'serve');
  for (const path of [file, join(file, 'data')]) {
    expect(await serve({ PARLEY_DATA: path })).toMatchObject({
      code: 2,
      stderr: expect.stringContaining(`PARLEY_DATA is '${path}', which cannot be used: `),
    });
  }
  expect(await serve({ PARLEY_HOST: 'fe80::1%none' })).toMatchObject({
    code: 2,
    stderr: expect.stringContaining("PARLEY_HOST is 'fe80::1%none', on which"),
  });
  // The network of this address may not be up yet.
  expect(await serve({ PARLEY_HOST: '192.0.2.1' })).toMatchObject({ code: 1 });
});

test('serve exits with 2 if the database demands a password that the URL does not have', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'parley-cli-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const url = await startDatabaseWithPassword();
  const env = { PARLEY_DATA: folder, PARLEY_LOG_LEVEL: 'silent', PARLEY_DATABASE_URL: url };
  expect(await runCommand(env, 'serve')).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('it has no password, which the database demands'),
  });
});

/** Listens like PostgreSQL that asks for a password (SCRAM, RFC 5802) until the test ends. Returns its URL. */
async function startDatabaseWithPassword(): Promise<string> {
  const message = (code: number, text: string) => {
    const head = Buffer.from([0x52, 0, 0, 0, 0, 0, 0, 0, code]);
    head.writeInt32BE(8 + text.length, 1);
    return Buffer.concat([head, Buffer.from(text)]);
  };
  const port = await acceptConnections((socket) => {
    socket.on('data', (data) => {
      const nonce = /r=([^,]+)$/.exec(data.toString('latin1'))?.[1];
      socket.write(
        nonce === undefined
          ? message(10, 'SCRAM-SHA-256\0\0')
          : message(11, `r=${nonce}more,s=c2FsdA==,i=4096`),
      );
    });
  });
  return `postgres://user@127.0.0.1:${port}/parley`;
}

test.each(['parley.service', 'several-servers/parley@.service'])(
  'systemd does not restart %s with variables with which it can never start',
  (name) => {
    const unit = readFileSync(join(import.meta.dirname, '../../deploy', name), 'utf8');
    expect(unit).toMatch(/^Restart=on-failure$/m);
    expect(unit).toMatch(/^RestartPreventExitStatus=2$/m);
  },
);

test('the output of --json matches the help', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'parley-cli-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const env = { PARLEY_DATA: join(folder, 'data'), PARLEY_PORT: '1' };
  mkdirSync(env.PARLEY_DATA);
  await createDataFolder(env.PARLEY_DATA);
  const archive = join(folder, 'backup.tar');
  const lines: [env: Record<string, string>, ...args: string[]][] = [
    [env, 'version'],
    [env, 'doctor'],
    [env, 'invite'],
    [env, 'invite', 'list'],
    [env, 'backup', archive],
    [{ PARLEY_DATA: join(folder, 'restored') }, 'restore', archive],
  ];
  for (const [variables, name = '', ...args] of lines) {
    const { json } = await runCommand(variables, name, ...args, '--json');
    const { stdout: help } = await runCommand({}, 'help', name);
    const fields = Object.keys(Array.isArray(json) ? json[0] : json);

    for (const field of fields) expect(help).toContain(`"${field}"`);
  }
});

test('the table of variables in the README matches the schema', () => {
  const readme = readFileSync(join(import.meta.dirname, '../../../../README.md'), 'utf8');
  const rows = readme.split('\n').filter((line) => line.startsWith('| `PARLEY_'));
  const table = rows.map((row) => row.split('|').map((cell) => cell.trim()));
  expect(table.map(([, name, byDefault, meaning]) => [name, byDefault, meaning])).toEqual(
    describeVariables().map((variable) => [
      `\`${variable.name}\``,
      variable.default === undefined ? '' : `\`${variable.default}\``,
      variable.description,
    ]),
  );
});
