import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join as joinPath } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { startServer, type TestServer } from '../../test/harness.ts';
import { join, login } from '../../test/joining.ts';
import { connectRaw } from '../../test/live.ts';
import { runCommand } from '../../test/run-command.ts';
import { variablesOf } from '../../test/test-database.ts';
import { createKnownDevices } from '../devices/known-devices.ts';
import { authenticate, startSession } from './login.service.ts';
import { createPasswordHasher } from './password-hasher.ts';

const SUSPENDED = { status: 403, body: { code: 'account_suspended' } };

test('suspending an account ends its sessions and rejects logins, with and without a running server', async () => {
  const dataDir = await mkdtemp(joinPath(tmpdir(), 'parley-suspension-'));
  onTestFinished(() => rm(dataDir, { recursive: true, force: true }));
  const first = await startServer({}, dataDir);
  const anna = await join(first, 'Anna');
  const variables = await variablesOf(dataDir);
  const parley = (...args: string[]) => runCommand(variables, 'user', ...args);
  const tryLogin = (server: TestServer, password = anna.password) =>
    server.client().request('POST', '/api/users/login', { email: anna.email, password });

  const phone = first.client();
  await login(phone, anna);
  const live = await connectRaw(first, phone);
  const account = { username: 'Anna', email: anna.email };
  const suspend = await parley('suspend', 'anna', '--yes', '--json');
  expect(suspend.json).toEqual({ ...account, suspended: true });
  expect((await live.closed).reason).toBe('session ended');
  for (const device of [anna, phone]) {
    expect(await device.request('GET', '/api/users/current')).toMatchObject({
      status: 401,
      body: { sessionEnded: 'revoked' },
    });
  }
  expect(await tryLogin(first)).toMatchObject(SUSPENDED);
  expect(await tryLogin(first, 'something else')).toMatchObject({
    status: 404,
    body: { code: 'wrong_credentials' },
  });
  expect((await parley('list', '--json')).json).toMatchObject([{ ...account, suspended: true }]);
  expect((await parley('list')).stdout).toMatch(/STATUS +EMAIL\nAnna .* suspended +anna@/);
  await first.close();

  expect((await parley('resume', 'Anna')).stdout).toBe('Anna can log in again.\n');
  const second = await startServer({}, dataDir);
  expect(await tryLogin(second)).toMatchObject({ status: 200, body: { isVerified: true } });
  await second.close();

  expect((await parley('suspend', 'Anna', '--yes')).stdout).toBe('Anna was suspended.\n');
  const third = await startServer({}, dataDir);
  onTestFinished(() => third.close());
  expect(await tryLogin(third)).toMatchObject(SUSPENDED);
  expect((await parley('resume', anna.email)).code).toBe(0);
  expect((await tryLogin(third)).status).toBe(200);
});

test('rejects a login if the account is suspended after its password was checked', async () => {
  const server = await startServer();
  onTestFinished(() => server.close());
  const anna = await join(server, 'Anna', 'verified');
  const passwords = createPasswordHasher();
  const ctx = { ...server.ctx, passwords, devices: createKnownDevices('secret') };
  const user = await authenticate(ctx, anna, ['queue']);
  await runCommand(server.variables, 'user', 'suspend', 'Anna', '--yes');
  await expect(startSession(ctx, user, { token: 't', device: '' })).rejects.toThrow(
    'account_suspended',
  );
});
