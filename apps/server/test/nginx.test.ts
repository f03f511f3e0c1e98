import { request } from 'node:https';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { findFreePort } from '@parley/testing';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { selfSigned } from './certificate.ts';
import { runCommand } from './run-command.ts';
import { createTestClient, startServer, type TestServer } from './harness.ts';
import { details } from './joining.ts';
import { getKey, waitForMail } from './mails.ts';
import { findNginx, startNginx, type Nginx } from './nginx.ts';
import { sample } from './samples.ts';
import { jpegOfSize, upload } from './uploading.ts';
import { expectLiveAndUpload, signInThroughProxy } from './through-proxy.ts';

const certificate = selfSigned();
const executable = findNginx() ?? '';
const hasNginx = executable !== '';
if (!hasNginx)
  process.stdout.write(
    'nginx is neither installed nor available for download: its tests are skipped.\n',
  );
let server: TestServer;
let nginx: Nginx;
let url: string;
let env: Record<string, string>;

const signIn = (username: string) => signInThroughProxy(url, server, username);

beforeAll(async () => {
  if (!hasNginx) return;
  setDefaultCACertificates([...getCACertificates('default'), certificate.cert]);
  const tls = await findFreePort();
  const port = await findFreePort();
  url = `https://localhost:${tls}`;
  env = {
    PARLEY_PUBLIC_URL: url,
    PARLEY_TRUST_PROXY: 'true',
    PARLEY_RATE_LIMITS: 'true',
    PARLEY_PORT: String(port),
  };
  server = await startServer(env);
  nginx = await startNginx(executable, { tls, server: port }, certificate);
});
afterAll(async () => {
  if (!hasNginx) return;
  await nginx.close();
  await server.close();
});

test.skipIf(!hasNginx)('registers and logs in with a secure cookie behind nginx', async () => {
  const client = createTestClient(url);
  const { username, email, password } = details('Carla');
  const headers = { origin: url };
  const post = (path: string, body: unknown) => client.request('POST', path, body, headers);
  expect(await post('/api/users/register', { username, email, password })).toMatchObject({
    status: 201,
  });
  const key = getKey(await waitForMail(server, email));
  expect(await post('/api/users/register/verify', { email, key })).toMatchObject({ status: 200 });
  const login = await post('/api/users/login', { email, password });
  expect(login.body).toEqual({ isVerified: true });
  const cookie = login.headers.getSetCookie().find((c) => c.startsWith('parley.sid='));
  expect(cookie).toMatch(/; Secure/);
  expect(cookie).toMatch(/; HttpOnly/);
  expect(login.headers.get('strict-transport-security')).toMatch(/max-age=\d+/);
  expect(await client.request('GET', '/api/users/current')).toMatchObject({ status: 200 });

  const foreign = { origin: 'https://evil.example' };
  expect(await client.request('DELETE', '/api/users/delete', undefined, foreign)).toMatchObject({
    status: 403,
  });
});

test.skipIf(!hasNginx)('delivers live messages and the largest upload through nginx', async () => {
  const [ada, bob] = [await signIn('Ada'), await signIn('Bob')];
  const uploaded = await expectLiveAndUpload(url, ada, bob);
  expect(uploaded.startsWith(`${url}/media/`)).toBe(true);
  const { pathname } = new URL(uploaded);
  expect(await createTestClient(url).request('GET', pathname)).toMatchObject({ status: 401 });

  const tooLarge = jpegOfSize(sample('picture.jpg'), 10 * 1024 * 1024 + 1);
  expect(await upload(ada, 'image', tooLarge)).toMatchObject({
    status: 413,
    body: { code: 'too_large' },
  });
});

/** Sends a wrong login from one of this machine's addresses and returns the status. */
function guess(localAddress: string, forwardedFor?: string): Promise<number> {
  const body = JSON.stringify({ email: 'victim@example.org', password: 'guessed' });
  return new Promise((resolve, reject) => {
    const call = request(
      new URL('/api/users/login', url),
      {
        method: 'POST',
        localAddress,
        family: 4,
        agent: false,
        headers: {
          'content-type': 'application/json',
          ...(forwardedFor !== undefined && { 'x-forwarded-for': forwardedFor }),
        },
      },
      (response) => {
        response.resume();
        resolve(response.statusCode ?? 0);
      },
    );
    call.on('error', reject);
    call.end(body);
  });
}

test.skipIf(!hasNginx)("limits logins by the client's actual address behind nginx", async () => {
  const responses: number[] = [];
  for (let i = 0; i < 11; i += 1) responses.push(await guess('127.0.0.1'));
  expect(responses).toEqual([...Array.from({ length: 10 }, () => 404), 429]);
  expect(await guess('127.0.0.1', '203.0.113.7')).toBe(429);
  expect(await guess('127.0.0.2')).toBe(404);
});

test.skipIf(!hasNginx)('redirects plain HTTP to HTTPS and hides metrics behind nginx', async () => {
  const plain = createTestClient(`http://localhost:${nginx.plainPort}`);
  const { status, headers } = await plain.request('GET', '/privacy');
  expect(status).toBe(301);
  expect(headers.get('location')).toBe('https://localhost/privacy');
  expect(await createTestClient(url).request('GET', '/metrics')).toMatchObject({ status: 404 });
  expect(await createTestClient(url).request('GET', '/healthz')).toMatchObject({ status: 200 });
});

interface Found {
  check: string;
  outcome: string;
  message: string;
  advice: string;
}

async function doctor(variables: Record<string, string>): Promise<Found[]> {
  const all = { ...variables, PARLEY_DATA: server.dataDir };
  return (await runCommand(all, 'doctor', '--json')).json;
}

test.skipIf(!hasNginx)(
  'reports nginx as healthy in the doctor, and a lost upgrade as a failure',
  async () => {
    const healthy = await doctor(env);
    expect(healthy.filter(({ outcome }) => outcome === 'failed')).toEqual([]);
    // The test certificate is valid for one day only.
    expect(healthy).toContainEqual({
      check: 'public address',
      outcome: 'warning',
      message: `The certificate of ${url} expires in 0 days.`,
      advice: 'Check its automatic renewal.',
    });
    for (const check of ['server', 'websocket', 'database', 'data folder']) {
      expect(healthy).toContainEqual(expect.objectContaining({ check, outcome: 'ok' }));
    }

    const tls = await findFreePort();
    const broken = await startNginx(
      executable,
      { tls, server: Number(env['PARLEY_PORT']) },
      certificate,
      (text) => text.replaceAll(/proxy_set_header (?:Upgrade|Connection) .*;/g, ''),
    );
    onTestFinished(() => broken.close());
    const found = await doctor({ ...env, PARLEY_PUBLIC_URL: `https://localhost:${tls}` });
    expect(found).toContainEqual({
      check: 'websocket',
      outcome: 'failed',
      message: 'Websockets do not work (400).',
      advice: expect.stringContaining('Upgrade and Connection'),
    });
  },
);
