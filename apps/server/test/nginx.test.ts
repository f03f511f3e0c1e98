import { request } from 'node:https';
import { findFreePort } from '@parley/testing';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import type { Finding } from '../src/doctor/finding.ts';
import { checkProxy } from '../src/doctor/proxy-check.ts';
import { selfSigned } from './certificate.ts';
import { runCommand } from './run-command.ts';
import { createTestClient, startServer, type TestServer } from './harness.ts';
import { details } from './joining.ts';
import { getKey, waitForMail } from './mails.ts';
import { findNginx, startNginx, type Nginx } from './nginx.ts';
import { sample } from './samples.ts';
import { jpegOfSize, upload } from './uploading.ts';
import { expectLiveAndUpload, signInThroughProxy } from './through-proxy.ts';
import { trust } from './trust.ts';

// Sites with a wrong setting of the proxy have an address of their own.
const SITES = [
  '127.0.0.1',
  '127.0.0.2',
  '127.0.0.3',
  '127.0.0.4',
  '127.0.0.5',
  '127.0.0.6',
  '127.0.0.11',
  '127.0.0.12',
  '127.0.0.13',
  '127.0.0.14',
  '127.0.0.15',
] as const;
const certificate = selfSigned({ addresses: SITES });
const executable = findNginx() ?? '';
const hasNginx = executable !== '';
if (!hasNginx)
  process.stdout.write(
    'nginx is neither installed nor available for download: its tests are skipped.\n',
  );
let server: TestServer;
let nginx: Nginx | undefined;
let url: string;
let env: Record<string, string>;

const signIn = (username: string) => signInThroughProxy(url, server, username);

beforeAll(async () => {
  if (!hasNginx) return;
  trust(certificate.cert);
  const tls = await findFreePort();
  const port = await findFreePort();
  url = `https://localhost:${tls}`;
  env = {
    PARLEY_PUBLIC_URL: url,
    PARLEY_TRUST_PROXY: '127.0.0.1',
    PARLEY_RATE_LIMITS: 'true',
    PARLEY_PORT: String(port),
  };
  server = await startServer(env);
  nginx = await startNginx(executable, { tls, server: port }, certificate, (text) =>
    [text, ...WRONG.map(({ address, edit }) => createSite(text, address, edit))].join('\n'),
  );
});
afterAll(async () => {
  if (!hasNginx) return;
  trust();
  await nginx?.close();
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

test.skipIf(!hasNginx)(
  'redirects plain HTTP to HTTPS and hides metrics and readiness behind nginx',
  async () => {
    const plain = createTestClient(`http://localhost:${nginx?.plainPort}`);
    const { status, headers } = await plain.request('GET', '/privacy');
    expect(status).toBe(301);
    expect(headers.get('location')).toBe('https://localhost/privacy');
    for (const path of ['/metrics', '/readyz']) {
      expect(await createTestClient(url).request('GET', path)).toMatchObject({ status: 404 });
    }
    expect(await createTestClient(url).request('GET', '/healthz')).toMatchObject({ status: 200 });
  },
);

const APPENDED = 'X-Forwarded-For $proxy_add_x_forwarded_for';

/** Settings of nginx that are wrong or unusual, and what the doctor says about them. */
const WRONG = [
  {
    name: 'a lost header Connection, without which an upgrade is none',
    address: SITES[6],
    edit: (site: string) => site.replace(/proxy_set_header Connection .*;/, ''),
    found: [['idle websocket', 'skipped', 'Needs a working websocket (200).', '']],
  },
  {
    name: 'a proxy that appends to X-Forwarded-For and trusts this machine',
    address: SITES[7],
    edit: (site: string) => site.replace('X-Forwarded-For $remote_addr', APPENDED),
    found: [['proxy', 'skipped', 'trusts the address of this machine, 127.0.0.1.', '']],
  },
  {
    name: 'an outer proxy that is not trusted',
    address: SITES[8],
    edit: (site: string) =>
      site.replace(
        'proxy_pass http://parley',
        `proxy_bind 127.0.0.7; proxy_pass https://${SITES[7]}:$server_port`,
      ),
    found: [
      [
        'proxy',
        'failed',
        'Requests also pass 127.0.0.7, which PARLEY_TRUST_PROXY of the running server does not contain',
        'PARLEY_TRUST_PROXY=127.0.0.1,127.0.0.7',
      ],
    ],
  },
  {
    name: 'uploads that are refused for another reason than their size',
    address: SITES[9],
    edit: (site: string) =>
      site.replace('location / {', 'location /api/upload/ { return 503; } location / {'),
    found: [
      [
        'uploads',
        'failed',
        'The proxy refuses an upload of 10 MiB with the status 503.',
        'limit_req',
      ],
    ],
  },
  {
    name: 'a proxy with a cache, in spite of it,',
    address: SITES[10],
    edit: (site: string) =>
      `proxy_cache_path cache keys_zone=all:1m use_temp_path=off;
      ${site.replace('location / {', 'location / { proxy_cache all; proxy_cache_valid 200 1h; proxy_ignore_headers Cache-Control;')}`,
    found: [['proxy', 'ok', 'requests arrive from 127.0.0.1 with', '']],
  },
  {
    name: 'a lost upgrade',
    address: SITES[1],
    edit: (site: string) => site.replaceAll(/proxy_set_header (?:Upgrade|Connection) .*;/g, ''),
    found: [
      [
        'websocket',
        'failed',
        'Websockets do not work (400).',
        'the Upgrade and Connection headers',
      ],
      ['idle websocket', 'skipped', 'Needs a working websocket (200).', ''],
    ],
  },
  {
    name: 'a limit of bodies below that of Parley',
    address: SITES[2],
    edit: (site: string) => site.replace('client_max_body_size 11m', 'client_max_body_size 9m'),
    found: [
      [
        'uploads',
        'failed',
        'The proxy does not forward uploads of 10 MiB (response 413).',
        'client_max_body_size 11m',
      ],
    ],
  },
  {
    name: 'missing X-Forwarded headers',
    address: SITES[3],
    edit: (site: string) => site.replaceAll(/proxy_set_header X-Forwarded-.*;/g, ''),
    found: [
      ['proxy', 'failed', 'Clients can forge their address: 127.0.0.1 passes on', '$remote_addr'],
      ['proxy', 'failed', 'The proxy does not send X-Forwarded-Proto, so', '$scheme'],
    ],
  },
  {
    name: 'a proxy that is not trusted',
    address: SITES[4],
    edit: (site: string) => site.replace('proxy_pass', 'proxy_bind 127.0.0.9; proxy_pass'),
    found: [
      [
        'proxy',
        'failed',
        'Requests arrive from 127.0.0.9, which PARLEY_TRUST_PROXY of the running server does not trust, so ' +
          'cookies are not marked as secure, and all users share the same limits.',
        'set PARLEY_TRUST_PROXY=127.0.0.9 and restart',
      ],
    ],
  },
  {
    name: 'a time-out below the interval of pings',
    address: SITES[5],
    edit: (site: string) => site.replace('proxy_read_timeout 75s', 'proxy_read_timeout 1s'),
    found: [
      [
        'idle websocket',
        'failed',
        'The proxy closes or forgets a websocket after',
        'read_timeout 75s',
      ],
    ],
  },
];

/** Returns the site with TLS of a configuration, on another address. */
function createSite(text: string, address: string, edit: (site: string) => string): string {
  const site = text.slice(text.lastIndexOf('\nserver {'));
  return edit(site.replace('listen 127.0.0.1:', `listen ${address}:`));
}

async function doctor(variables: Record<string, string>, ...args: string[]): Promise<Finding[]> {
  const all = { ...variables, PARLEY_DATA: server.dataDir };
  return (await runCommand(all, 'doctor', '--json', ...args)).json;
}

test.skipIf(!hasNginx)('reports nginx as healthy in the doctor', async () => {
  const healthy = await doctor(env, '--quick');
  expect(healthy.filter(({ outcome }) => outcome === 'failed')).toEqual([]);
  // The test certificate is valid for one day only.
  expect(healthy).toContainEqual({
    check: 'public address',
    outcome: 'warning',
    message: `The certificate of ${url} expires in 0 days.`,
    advice: 'Check its automatic renewal.',
  });
  const checks = ['server', 'websocket', 'database', 'data folder', 'clock', 'proxy', 'uploads'];
  for (const check of checks) {
    expect(healthy).toContainEqual(expect.objectContaining({ check, outcome: 'ok' }));
  }
  expect(healthy).toContainEqual(
    expect.objectContaining({ check: 'idle websocket', outcome: 'skipped' }),
  );
});

test.skipIf(!hasNginx)(
  'the doctor names the address of this machine behind a proxy that appends it',
  async () => {
    const [tls, port] = [await findFreePort(), await findFreePort()];
    const publicUrl = `https://localhost:${tls}`;
    const trusting = await startServer({
      PARLEY_PUBLIC_URL: publicUrl,
      PARLEY_TRUST_PROXY: '127.0.0.9',
      PARLEY_PORT: String(port),
    });
    const appending = await startNginx(executable, { tls, server: port }, certificate, (text) =>
      text
        .replace('X-Forwarded-For $remote_addr', APPENDED)
        .replace('proxy_pass', 'proxy_bind 127.0.0.9; proxy_pass'),
    );
    onTestFinished(async () => {
      await appending.close();
      await trusting.close();
    });
    expect(await checkProxy({ dataDir: trusting.dataDir, publicUrl }, undefined)).toMatchObject([
      {
        check: 'proxy',
        outcome: 'ok',
        message:
          'requests arrive from 127.0.0.9 with the addresses of clients, such as 127.0.0.1 of this machine',
      },
      { check: 'uploads', outcome: 'ok' },
      { check: 'idle websocket', outcome: 'skipped' },
    ]);
  },
);

test.skipIf(!hasNginx)('the doctor explains http at a port of nginx for https', async () => {
  const publicUrl = url.replace('https:', 'http:');
  expect(await doctor({ ...env, PARLEY_PUBLIC_URL: publicUrl }, '--quick')).toContainEqual({
    check: 'public address',
    outcome: 'failed',
    message: `${publicUrl} leads to a port that needs https.`,
    advice: `Set PARLEY_PUBLIC_URL=${url} and restart the server.`,
  });
});

test.skipIf(!hasNginx)('keeps an idle websocket open, as the doctor confirms', async () => {
  const site = { dataDir: server.dataDir, publicUrl: url };
  expect(await checkProxy(site, 1_500)).toMatchObject([
    { check: 'proxy', outcome: 'ok', message: expect.stringContaining('from 127.0.0.1 with') },
    { check: 'uploads', outcome: 'ok', message: '10 MiB arrive' },
    { check: 'idle websocket', outcome: 'ok', message: 'stays open for 2 s' },
  ]);
});

test.skipIf(!hasNginx).each(WRONG)('the doctor explains $name', async ({ address, found }) => {
  const publicUrl = url.replace('localhost', address);
  // Only a broken websocket ends at once.
  const mayWait = found.some(([check]) => check === 'idle websocket');
  const findings = await doctor(
    { ...env, PARLEY_PUBLIC_URL: publicUrl },
    ...(mayWait ? [] : ['--quick']),
  );
  for (const [check, outcome, message = '', advice = ''] of found) {
    expect(findings).toContainEqual({
      check,
      outcome,
      message: expect.stringContaining(message),
      advice: expect.stringContaining(advice),
    });
  }
  const checks = new Set([...found.map(([check]) => check), 'websocket', 'idle websocket']);
  const others = findings.filter(({ check }) => !checks.has(check));
  expect(others.filter(({ outcome }) => outcome === 'failed')).toEqual([]);
});
