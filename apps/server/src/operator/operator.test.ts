import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  existsSync,
  writeFileSync,
} from 'node:fs';
import { createServer, request as httpRequest, type RequestListener, type Server } from 'node:http';
import { connect } from 'node:net';
import { once } from 'node:events';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { runCommand } from '../../test/run-command.ts';
import { createDataFolder } from '../../test/create-data-folder.ts';
import { startServer, type TestServer } from '../../test/harness.ts';
import { variablesOf } from '../../test/test-database.ts';
import { IS_ON_POSTGRES } from '../../test/server-group.ts';
import { until } from '../../test/until.ts';
import { FolderInUseError } from '../storage/storage-errors.ts';
import { lockDataFolder } from '../storage/open.ts';
import { claimFolder } from './claim-folder.ts';
import { callServer, findServer } from './operator-client.ts';
import { createInvitationLinkOperation, verifyUserOperation } from './operations.ts';
import { BODY_MAX } from './protocol.ts';
import { createSocketAddress, findSocketPath } from './socket-address.ts';

const isWindows = process.platform === 'win32';

let root: string;
let dataDir: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'parley-operator-'));
  dataDir = join(root, 'data');
  mkdirSync(dataDir, { mode: 0o700 });
});
afterEach(() => {
  vi.unstubAllEnvs();
  rmSync(root, { recursive: true, force: true });
});

const env = () => variablesOf(dataDir);

async function start(): Promise<TestServer> {
  const server = await startServer({}, dataDir);
  onTestFinished(() => server.close());
  return server;
}

async function invitationNotes(): Promise<string[]> {
  const { json } = await runCommand(await env(), 'invite', 'list', '--json');
  return json.map(({ note }: { note: string }) => note).toSorted();
}

/** Locks the data folder and listens on its socket, as a server does. */
async function listenAsServer(listener: RequestListener): Promise<Server> {
  await createDataFolder(dataDir);
  const unlock = lockDataFolder(dataDir);
  const address = createSocketAddress(dataDir);
  const server = createServer(listener).listen(address.path);
  await once(server, 'listening');
  address.publish();
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
    unlock();
  });
  return server;
}

const respondAsParley: RequestListener = (_request, response) =>
  void response.end(JSON.stringify({ product: 'parley', protocol: 1, version: '0.1.0' }));

/**
 * Sends a request to the server's socket. Resolves to the status of the response and the
 * informational statuses before it.
 */
async function send(method: string, path: string, body = '', type = 'application/json') {
  const socketPath = findSocketPath(dataDir) ?? '';
  const headers = { 'content-type': type, 'content-length': Buffer.byteLength(body) };
  const call = httpRequest({ socketPath, method, path, headers, agent: false });
  const informational: number[] = [];
  call.on('information', ({ statusCode }) => informational.push(statusCode));
  call.end(body);
  const [response] = await once(call, 'response');
  response.resume();
  return { status: Number(response.statusCode), informational };
}

test.skipIf(isWindows)('the socket is private and is removed when the server stops', async () => {
  chmodSync(dataDir, 0o755);
  const server = await startServer({}, dataDir);
  const folder = join(dataDir, 'operator');
  expect(statSync(folder).mode & 0o777).toBe(0o700);
  const socket = statSync(join(folder, 'socket'));
  expect([socket.isSocket(), socket.mode & 0o777]).toEqual([true, 0o600]);
  await server.close();
  expect(existsSync(folder)).toBe(false);
});

test.skipIf(isWindows)(
  'a data folder with a long path has its socket in a temporary folder',
  async () => {
    dataDir = join(root, 'long'.repeat(30));
    const server = await start();
    const path = findSocketPath(dataDir) ?? '';
    expect(Buffer.byteLength(path)).toBeLessThan(104);
    expect(path.startsWith(dataDir)).toBe(false);
    expect(statSync(dirname(path)).mode & 0o777).toBe(0o700);
    expect(statSync(path).mode & 0o777).toBe(0o600);
    expect(await runCommand(await env(), 'invite', '--note', 'a')).toMatchObject({ code: 0 });
    await server.close();
    expect(existsSync(dirname(path))).toBe(false);
    expect(await runCommand(await env(), 'invite', '--note', 'b')).toMatchObject({ code: 0 });
    expect(await invitationNotes()).toEqual(['a', 'b']);
  },
);

test.skipIf(isWindows)('a TMPDIR with a long path is replaced by /tmp', () => {
  dataDir = join(root, 'long'.repeat(30));
  mkdirSync(dataDir);
  const temporary = join(root, 'temporary'.repeat(12));
  mkdirSync(temporary);
  vi.stubEnv('TMPDIR', temporary);
  const address = createSocketAddress(dataDir);
  expect(address.path).toMatch(/^\/tmp\/parley-\w{6}\/socket$/);
  address.remove();
  // The address was never published, so its temporary folder stays.
  expect(existsSync(dirname(address.path))).toBe(true);
  rmSync(dirname(address.path), { recursive: true });
});

test.skipIf(isWindows)(
  'a temporary folder that another user could have created is not used',
  async () => {
    dataDir = join(root, 'long'.repeat(30));
    mkdirSync(dataDir);
    const address = createSocketAddress(dataDir);
    address.publish();
    const folder = dirname(address.path);
    expect(findSocketPath(dataDir)).toBe(address.path);

    chmodSync(folder, 0o755);
    expect(findSocketPath(dataDir)).toBeUndefined();
    chmodSync(folder, 0o700);
    rmSync(folder, { recursive: true });
    expect(findSocketPath(dataDir)).toBeUndefined();

    // The next server neither uses nor removes a folder of another user. It creates a new one.
    mkdirSync(folder, { mode: 0o777 });
    chmodSync(folder, 0o777);
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
    const next = createSocketAddress(dataDir);
    expect(next.path).not.toBe(address.path);
    expect(existsSync(folder)).toBe(true);
    next.publish();
    next.remove();
    expect(existsSync(dirname(next.path))).toBe(false);
  },
);

test.skipIf(isWindows).each([
  ['a folder of another name', (folder: string) => join(folder, 'photos', 'socket')],
  ['another file', (folder: string) => join(folder, 'parley-abc123', 'photo.jpg')],
  ['a folder that is not its own', (folder: string) => join(folder, 'parley-abc123', 'socket')],
  ['a relative path', () => '../photos/socket'],
])('a data folder from elsewhere whose address names %s removes nothing in it', (_, choose) => {
  const other = join(root, 'other');
  const address = choose(other);
  const folder = resolve(dataDir, 'operator', dirname(address));
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  writeFileSync(join(folder, 'photo.jpg'), 'a photo');
  mkdirSync(join(dataDir, 'operator'), { recursive: true });
  writeFileSync(join(dataDir, 'operator', 'address'), address);
  writeFileSync(join(dataDir, 'operator', 'notes'), 'of the operator');
  const next = createSocketAddress(dataDir);
  next.publish();
  next.remove();
  expect(readFileSync(join(folder, 'photo.jpg'), 'utf8')).toBe('a photo');
  expect(readFileSync(join(dataDir, 'operator', 'notes'), 'utf8')).toBe('of the operator');
});

test('a command finds the server by another path to the data folder', async () => {
  await start();
  const indirectPath = join(dataDir, '..', 'data');
  const { path } = (await findServer(indirectPath)) ?? {};
  expect(path).toBe(findSocketPath(dataDir));
});

test('commands without a server wait for each other', async () => {
  await createDataFolder(dataDir);
  const notes = ['a', 'b', 'c', 'd'];
  const results = await Promise.all(
    notes.map(async (note) => runCommand(await env(), 'invite', '--note', note)),
  );
  expect(results.map(({ code }) => code)).toEqual([0, 0, 0, 0]);
  expect(await invitationNotes()).toEqual(notes);
});

test('commands that run while servers start and stop take effect exactly once', async () => {
  await createDataFolder(dataDir);
  const expected: string[] = [];
  const servers = { areDone: false };
  async function inviteRepeatedly(): Promise<void> {
    for (let i = 0; !servers.areDone; i++) {
      const note = String(i).padStart(4, '0');
      expected.push(note);
      expect(await runCommand(await env(), 'invite', '--note', note)).toMatchObject({ code: 0 });
      // Wait about as long as a process takes to start. The lock is not fair, so the server needs a
      // chance to get it.
      await sleep(50);
    }
  }
  async function restartServers(): Promise<void> {
    for (let i = 0; i < 5; i++) {
      const server = await startServer({}, dataDir);
      const seen = expected.length;
      await until(() => expected.length > seen + 2);
      await server.close();
    }
  }
  await Promise.all([inviteRepeatedly(), restartServers().finally(() => (servers.areDone = true))]);
  expect(await invitationNotes()).toEqual(expected);
});

test('a server waits for a command that is using its data folder', async () => {
  const claim = await claimFolder(dataDir);
  if (!('unlock' in claim)) throw new Error('there is a server');
  const starting = startServer({}, dataDir);
  // While the server waits, other commands cannot use the folder either.
  await expect(claimFolder(dataDir, 100)).rejects.toThrow(FolderInUseError);
  claim.unlock();
  const server = await starting;
  expect(await claimFolder(dataDir)).toMatchObject({ server: { info: { product: 'parley' } } });
  await server.close();
});

test('a server finishes a pending command before it stops', async () => {
  const server = await startServer({}, dataDir);
  await server.signIn('Ada');
  const gate = Promise.withResolvers<void>();
  const blocked = server.ctx.storage.write(() => gate.promise);
  const command = runCommand(await env(), 'user', 'verify', 'Ada');
  await until(() => server.log.some((line) => line.includes('verify-user')));
  const closed = server.close();
  gate.resolve();
  expect(await command).toMatchObject({ code: 0, stdout: 'Ada was verified.\n' });
  await Promise.all([blocked, closed]);
});

test('an operation completes if its client disconnects', async () => {
  const server = await start();
  const gate = Promise.withResolvers<void>();
  const blocked = server.ctx.storage.write(() => gate.promise);
  const body = JSON.stringify({ uses: 1, days: 1, note: 'cut off' });
  const socket = connect(findSocketPath(dataDir) ?? '');
  socket.write(
    `POST /operations/create-invitation-link HTTP/1.1\r\nHost: parley\r\nContent-Type: application/json\r\n` +
      `Content-Length: ${body.length}\r\n\r\n${body}`,
  );
  await until(() => server.log.some((line) => line.includes('create-invitation')));
  socket.destroy();
  gate.resolve();
  await blocked;
  await until(async () => (await invitationNotes()).length > 0);
  expect(await invitationNotes()).toEqual(['cut off']);
});

test('the server sends heartbeats while an operation runs', async () => {
  const server = await start();
  await server.signIn('Ada');
  const gate = Promise.withResolvers<void>();
  const blocked = server.ctx.storage.write(() => gate.promise);
  const socketPath = findSocketPath(dataDir) ?? '';
  const call = httpRequest({
    socketPath,
    method: 'POST',
    path: '/operations/verify-user',
    headers: { 'content-type': 'application/json' },
    agent: false,
  });
  const heartbeats: unknown[] = [];
  call.on('information', ({ statusCode }) => heartbeats.push(statusCode));
  call.end(JSON.stringify({ user: 'Ada' }));
  // PostgreSQL ends the wait for the other write before the second heartbeat.
  await until(() => heartbeats.length >= (IS_ON_POSTGRES ? 1 : 2));
  expect(new Set(heartbeats)).toEqual(new Set([102]));
  gate.resolve();
  const [response] = await once(call, 'response');
  expect(response.statusCode).toBe(200);
  response.resume();
  await blocked;
});

test('expected failures are reported in the same way with and without a server', async () => {
  const server = await startServer({}, dataDir);
  const lines = [
    [
      ['user', 'verify', 'Nobody'],
      'There is no account with the username or email address Nobody.',
    ],
    [
      ['user', 'reset-link', 'no@example.org'],
      'There is no account with the username or email address no@example.org.',
    ],
    [['invite', 'revoke', 'X'], 'There is no invitation X.'],
    [
      ['user', 'suspend', 'Nobody', '--yes'],
      'There is no account with the username or email address Nobody.',
    ],
    [['report', 'close', 'X'], 'There is no report X.'],
    [['report', 'show', 'X'], 'There is no report X.'],
  ] as const;
  const expectFailures = async () => {
    for (const [args, reason] of lines) {
      expect(await runCommand(await env(), ...args)).toMatchObject({
        code: 1,
        stdout: '',
        stderr: `parley: ${reason}\n`,
      });
    }
  };
  await expectFailures();
  await server.close();
  await expectFailures();
});

test('an unexpected failure in the server is reported and logged', async () => {
  const server = await start();
  // Jobs write too.
  using _write = vi
    .spyOn(server.ctx.storage, 'write')
    .mockRejectedValue(new Error('database or disk is full'));
  expect(await runCommand(await env(), 'user', 'verify', 'Ada')).toMatchObject({
    code: 1,
    stderr: 'parley: The server could not carry out the command: database or disk is full\n',
  });
  expect(server.log.some((line) => line.includes('operator command failed'))).toBe(true);
});

test('a command reports a server with another version of the protocol', async () => {
  await listenAsServer((_request, response) =>
    response.end(JSON.stringify({ product: 'parley', protocol: 2, version: '9.8.7' })),
  );
  expect(await runCommand(await env(), 'user', 'verify', 'Ada')).toMatchObject({
    code: 1,
    stderr: expect.stringMatching(
      /^parley: The running server is Parley 9\.8\.7 and this command is /,
    ),
  });
});

test('a command reports a server that does not support the operation or returns an invalid result', async () => {
  for (const status of [404, 200]) {
    const server = await listenAsServer((request, response) => {
      if (request.method === 'GET') respondAsParley(request, response);
      else request.on('end', () => response.writeHead(status).end('{}')).resume();
    });
    const found = await findServer(dataDir);
    if (found === undefined) throw new Error('nothing listens');
    await expect(callServer(found, verifyUserOperation, { user: 'Ada' })).rejects.toThrow(
      'Use the same version for both',
    );
    server.close();
    rmSync(dataDir, { recursive: true });
    mkdirSync(dataDir);
  }
});

test('a command reports an unknown outcome if the server stops or hangs after the request', async () => {
  let shouldDisconnect = true;
  await listenAsServer((request, response) => {
    if (request.method === 'GET') respondAsParley(request, response);
    else if (shouldDisconnect) request.on('end', () => request.socket.destroy()).resume();
  });
  const found = await findServer(dataDir);
  if (found === undefined) throw new Error('nothing listens');
  const call = () =>
    callServer(found, createInvitationLinkOperation, { uses: 1, days: 1, note: '' }, 200);
  await expect(call()).rejects.toThrow(/^The server ended before it confirmed the command/);
  shouldDisconnect = false;
  await expect(call()).rejects.toThrow(/^The server stopped responding before it confirmed/);
});

test('a command is not sent to a program that is not Parley', async () => {
  const paths: unknown[] = [];
  await listenAsServer((request, response) => {
    paths.push(request.url);
    response.end('hello');
  });
  expect(await runCommand(await env(), 'user', 'verify', 'Ada')).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('The server does not respond on its socket.'),
  });
  expect(paths).toEqual(['/']);
});

test('the socket rejects hostile input and keeps working', async () => {
  await start();
  const operation = '/operations/create-invitation-link';
  expect((await send('GET', '/nothing')).status).toBe(404);
  expect((await send('POST', '/operations/__proto__', '{}')).status).toBe(404);
  expect((await send('POST', operation, 'null')).status).toBe(400);
  expect((await send('POST', operation, '{"uses":')).status).toBe(400);
  expect((await send('POST', operation, '{"uses":"1","days":1,"note":""}')).status).toBe(400);
  expect((await send('POST', operation, '{"uses":0,"days":1,"note":""}')).status).toBe(400);
  expect((await send('POST', operation, '{"uses":1,"days":1,"note":"","x":1}')).status).toBe(400);
  expect((await send('POST', operation, '<uses/>', 'text/xml')).status).toBe(415);
  const noise = connect(findSocketPath(dataDir) ?? '');
  noise.on('error', () => undefined);
  noise.resume().end(Buffer.alloc(100_000, 0xff));
  await new Promise((resolve) => noise.on('close', resolve));

  const tooLarge = connect(findSocketPath(dataDir) ?? '');
  tooLarge.write(
    `POST ${operation} HTTP/1.1\r\nHost: parley\r\nContent-Type: application/json\r\n` +
      `Content-Length: ${BODY_MAX + 1}\r\n\r\n{`,
  );
  const [head] = await once(tooLarge, 'data');
  expect(String(head)).toMatch(/^HTTP\/1\.1 413 /);
  tooLarge.destroy();

  expect(await invitationNotes()).toEqual([]);
  const longNote = '\u0000'.repeat(100_000);
  expect(await runCommand(await env(), 'invite', '--note', longNote)).toMatchObject({ code: 0 });
});

test('a request that never completes does not keep the server from stopping', async () => {
  const server = await startServer({}, dataDir);
  const socket = connect(findSocketPath(dataDir) ?? '');
  socket.on('error', () => undefined);
  socket.write(
    'POST /operations/verify-user HTTP/1.1\r\nHost: parley\r\nContent-Type: application/json\r\n' +
      'Content-Length: 10\r\nExpect: 100-continue\r\n\r\n',
  );
  // The server waits for the body.
  await once(socket, 'data');
  await server.close();
  socket.destroy();
});

test.skipIf(isWindows)(
  'a server that cannot open its socket runs without it and logs a warning',
  async () => {
    dataDir = join(root, 'long'.repeat(30));
    vi.stubEnv('TMPDIR', join(root, 'missing'));
    const server = await start();
    expect(server.log.some((line) => line.includes('socket for operator commands'))).toBe(true);
    expect(await server.client().request('GET', '/readyz')).toMatchObject({ status: 200 });
    await expect(claimFolder(dataDir, 0)).rejects.toThrow(FolderInUseError);
  },
);

test('the address file names the socket', async () => {
  await start();
  const address = readFileSync(join(dataDir, 'operator', 'address'), 'utf8');
  expect(address).toBe(isWindows ? findSocketPath(dataDir) : 'socket');
});

test('the doctor reports whether the server accepts commands', async () => {
  const socketFindings = async () => {
    const { json } = await runCommand({ ...(await env()), PARLEY_PORT: '1' }, 'doctor', '--json');
    return json.filter(({ check }: { check: string }) => check === 'commands');
  };
  expect(await socketFindings()).toMatchObject([{ outcome: 'skipped' }]);
  const server = await startServer({}, dataDir);
  expect(await socketFindings()).toMatchObject([{ outcome: 'ok' }]);
  await server.close();
  expect(await socketFindings()).toMatchObject([{ outcome: 'skipped' }]);

  let info: unknown = { product: 'parley', protocol: 2, version: '9.8.7' };
  await listenAsServer((_request, response) => response.end(JSON.stringify(info)));
  expect(await socketFindings()).toMatchObject([
    { outcome: 'warning', message: expect.stringContaining('9.8.7') },
  ]);
  info = 'hello';
  expect(await socketFindings()).toMatchObject([{ outcome: 'failed' }]);
});
