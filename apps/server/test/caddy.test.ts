import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { findFreePort } from '@parley/testing';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { hasCaddy, startCaddy, type Caddy } from './caddy.ts';
import { runCommand } from './run-command.ts';
import { createTestClient, startServer, type TestServer } from './harness.ts';
import { details } from './joining.ts';
import { getKey, waitForMail } from './mails.ts';
import { expectLiveAndUpload, signInThroughProxy } from './through-proxy.ts';

const runs = hasCaddy();
if (!runs) process.stdout.write('Caddy is not installed: its tests are skipped.\n');
let server: TestServer;
let caddy: Caddy;
let url: string;
let env: Record<string, string>;

beforeAll(async () => {
  if (!runs) return;
  const [tls, port] = [await findFreePort(), await findFreePort()];
  url = `https://localhost:${tls}`;
  env = { PARLEY_PUBLIC_URL: url, PARLEY_TRUST_PROXY: 'true', PARLEY_PORT: String(port) };
  server = await startServer({ ...env, PARLEY_RATE_LIMITS: 'true' });
  caddy = await startCaddy({ tls, server: port });
  setDefaultCACertificates([...getCACertificates('default'), caddy.authority]);
});
afterAll(async () => {
  if (!runs) return;
  await caddy.close();
  await server.close();
});

const signIn = (username: string) => signInThroughProxy(url, server, username);

test.skipIf(!runs)(
  'sets a secure cookie behind Caddy and limits guesses despite forged addresses',
  async () => {
    const { username, email, password: rightPassword } = details('Carla');
    const post = (path: string, body: unknown) =>
      createTestClient(url).request('POST', path, body, { origin: url });
    const account = { username, email, password: rightPassword };
    expect(await post('/api/users/register', account)).toMatchObject({ status: 201 });
    const key = getKey(await waitForMail(server, email));
    expect(await post('/api/users/register/verify', { email, key })).toMatchObject({ status: 200 });
    const logIn = (password: string, claimed = '') =>
      createTestClient(url).request(
        'POST',
        '/api/users/login',
        { email, password },
        { origin: url, ...(claimed !== '' && { 'x-forwarded-for': claimed }) },
      );
    const { headers, body } = await logIn(rightPassword);
    expect(body).toEqual({ isVerified: true });
    const cookie = headers.getSetCookie().find((c) => c.startsWith('parley.sid='));
    expect(cookie).toMatch(/; Secure/);
    expect(headers.get('strict-transport-security')).toMatch(/max-age=\d+/);

    const statuses: number[] = [];
    for (let i = 0; i < 11; i += 1)
      statuses.push((await logIn('guessed', `203.0.113.${i}`)).status);
    expect(statuses.at(-1)).toBe(429);
  },
);

test.skipIf(!runs)('delivers live messages and the largest upload through Caddy', async () => {
  await expectLiveAndUpload(url, await signIn('Ada'), await signIn('Bob'));
});

test.skipIf(!runs)(
  'hides metrics behind Caddy, and the doctor confirms that websockets work',
  async () => {
    expect(await createTestClient(url).request('GET', '/metrics')).toMatchObject({ status: 404 });
    const variables = { ...env, PARLEY_DATA: server.dataDir };
    const { json } = await runCommand(variables, 'doctor', '--json');
    for (const check of ['server', 'websocket']) {
      expect(json).toContainEqual(expect.objectContaining({ check, outcome: 'ok' }));
    }
  },
);
