import { request } from 'node:https';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { freePort } from '@parley/testing';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { selfSigned } from './certificate.ts';
import { runCommand } from './command.ts';
import { createClient, startServer, type TestServer } from './harness.ts';
import { details } from './joining.ts';
import { keyIn, mailTo } from './mails.ts';
import { findNginx, startNginx, type Nginx } from './nginx.ts';
import { sample } from './samples.ts';
import { jpegOfSize, upload } from './uploading.ts';
import { expectLiveAndUpload, personBehind } from './through-proxy.ts';

const certificate = selfSigned();
const executable = findNginx() ?? '';
const runs = executable !== '';
if (!runs) process.stdout.write('No nginx here, and none to be fetched: its tests are skipped.\n');
let server: TestServer;
let nginx: Nginx;
let url: string;
let env: Record<string, string>;

const person = (username: string) => personBehind(url, server, username);

beforeAll(async () => {
  if (!runs) return;
  setDefaultCACertificates([...getCACertificates('default'), certificate.cert]);
  const tls = await freePort();
  const port = await freePort();
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
  if (!runs) return;
  await nginx.close();
  await server.close();
});

test.skipIf(!runs)('somebody registers and logs in, with a secure cookie', async () => {
  const client = createClient(url);
  const { username, email, password } = details('Carla');
  const headers = { origin: url };
  const post = (path: string, body: unknown) => client.request('POST', path, body, headers);
  expect(await post('/api/users/register', { username, email, password })).toMatchObject({
    status: 201,
  });
  const key = keyIn(await mailTo(server, email));
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

test.skipIf(!runs)('messages arrive live, and the largest upload passes', async () => {
  const [ada, bob] = [await person('Ada'), await person('Bob')];
  const uploaded = await expectLiveAndUpload(url, ada, bob);
  expect(uploaded.startsWith(`${url}/media/`)).toBe(true);
  const { pathname } = new URL(uploaded);
  expect(await createClient(url).request('GET', pathname)).toMatchObject({ status: 401 });

  const tooLarge = jpegOfSize(sample('picture.jpg'), 10 * 1024 * 1024 + 1);
  expect(await upload(ada, 'image', tooLarge)).toMatchObject({
    status: 413,
    body: { code: 'too_large' },
  });
});

/** A wrong login from one of this machine's addresses; returns the status. */
function guess(localAddress: string, claimed?: string): Promise<number> {
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
          ...(claimed !== undefined && { 'x-forwarded-for': claimed }),
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

test.skipIf(!runs)('limits count by the address of the client, not by what it claims', async () => {
  const answers: number[] = [];
  for (let i = 0; i < 11; i += 1) answers.push(await guess('127.0.0.1'));
  expect(answers).toEqual([...Array.from({ length: 10 }, () => 404), 429]);
  expect(await guess('127.0.0.1', '203.0.113.7')).toBe(429);
  expect(await guess('127.0.0.2')).toBe(404);
});

test.skipIf(!runs)('plain http is sent on to https, and metrics stay inside', async () => {
  const plain = createClient(`http://localhost:${nginx.plainPort}`);
  const { status, headers } = await plain.request('GET', '/privacy');
  expect(status).toBe(301);
  expect(headers.get('location')).toBe('https://localhost/privacy');
  expect(await createClient(url).request('GET', '/metrics')).toMatchObject({ status: 404 });
  expect(await createClient(url).request('GET', '/healthz')).toMatchObject({ status: 200 });
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

test.skipIf(!runs)('the doctor finds it healthy, and sees an upgrade that gets lost', async () => {
  const healthy = await doctor(env);
  expect(healthy.filter(({ outcome }) => outcome === 'failed')).toEqual([]);
  // The certificate is for one day only.
  expect(healthy).toContainEqual({
    check: 'public address',
    outcome: 'warning',
    message: `The certificate of ${url} expires in 0 days.`,
    advice: 'See that it is renewed by itself.',
  });
  for (const check of ['server', 'websocket', 'database', 'data folder']) {
    expect(healthy).toContainEqual(expect.objectContaining({ check, outcome: 'ok' }));
  }

  const tls = await freePort();
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
    message: 'Websockets do not pass through (400).',
    advice: expect.stringContaining('Upgrade and Connection'),
  });
});
