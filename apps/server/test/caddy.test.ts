import { findFreePort } from '@parley/testing';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Finding } from '../src/doctor/finding.ts';
import { checkProxy } from '../src/doctor/proxy-check.ts';
import { findCaddy, startCaddy, type Caddy } from './caddy.ts';
import { runCommand } from './run-command.ts';
import { createTestClient, startServer, type TestServer } from './harness.ts';
import { details } from './joining.ts';
import { getKey, waitForMail } from './mails.ts';
import { expectLiveAndUpload, signInThroughProxy } from './through-proxy.ts';
import { trust } from './trust.ts';

const executable = findCaddy() ?? '';
const runs = executable !== '';
if (!runs)
  process.stdout.write(
    'Caddy is neither installed nor available for download: its tests are skipped.\n',
  );
/** Address of a site with wrong settings. */
const WRONG = '127.0.0.2';
let server: TestServer;
let caddy: Caddy | undefined;
let url: string;
let env: Record<string, string>;

beforeAll(async () => {
  if (!runs) return;
  const [tls, port] = [await findFreePort(), await findFreePort()];
  url = `https://localhost:${tls}`;
  env = { PARLEY_PUBLIC_URL: url, PARLEY_TRUST_PROXY: 'true', PARLEY_PORT: String(port) };
  server = await startServer({ ...env, PARLEY_RATE_LIMITS: 'true' });
  caddy = await startCaddy(executable, { tls, server: port }, [
    `https://${WRONG} {
      bind ${WRONG}
      request_body {
        max_size 9MiB
      }
      reverse_proxy 127.0.0.1:${port} {
        header_up -X-Forwarded-Proto
        header_up X-Forwarded-For {http.request.header.X-Forwarded-For}
      }
    }`,
  ]);
  trust(caddy.authority);
});
afterAll(async () => {
  if (!runs) return;
  trust();
  await caddy?.close();
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
  'hides metrics and readiness behind Caddy, and the doctor confirms that websockets work',
  async () => {
    for (const path of ['/metrics', '/readyz']) {
      expect(await createTestClient(url).request('GET', path)).toMatchObject({ status: 404 });
    }
    const findings = await doctor(env);
    for (const check of ['server', 'websocket', 'clock', 'proxy', 'uploads']) {
      expect(findings).toContainEqual(expect.objectContaining({ check, outcome: 'ok' }));
    }
    expect(await checkProxy({ dataDir: server.dataDir, publicUrl: url }, 500)).toMatchObject([
      { check: 'proxy', outcome: 'ok' },
      { check: 'uploads', outcome: 'ok' },
      { check: 'idle websocket', outcome: 'ok' },
    ]);
  },
);

async function doctor(variables: Record<string, string>): Promise<Finding[]> {
  const all = { ...variables, PARLEY_DATA: server.dataDir };
  return (await runCommand(all, 'doctor', '--json', '--quick')).json;
}

test.skipIf(!runs)('the doctor explains wrong settings of Caddy', async () => {
  const findings = await doctor({ ...env, PARLEY_PUBLIC_URL: url.replace('localhost', WRONG) });
  for (const [check, message, advice] of [
    ['uploads', /^The proxy does not forward uploads of 10 MiB/, 'request_body { max_size 11MiB }'],
    ['proxy', /^Clients can forge their address/, 'PARLEY_TRUST_PROXY'],
    ['proxy', /^The proxy does not send X-Forwarded-Proto/, 'RequestHeader set'],
  ] as const) {
    expect(findings).toContainEqual({
      check,
      outcome: 'failed',
      message: expect.stringMatching(message),
      advice: expect.stringContaining(advice),
    });
  }
});
