import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { createServer, type RequestListener } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, expect, onTestFinished, test } from 'vitest';
import { selfSigned, type Certificate } from '../../test/certificate.ts';
import { runCommand } from '../../test/run-command.ts';
import { createDataFolder } from '../../test/create-data-folder.ts';
import { startServer } from '../../test/harness.ts';
import { listenLocally } from '../../test/listen-locally.ts';
import { trust } from '../../test/trust.ts';
import { migrations } from '../storage/migrations/index.ts';
import { openWritable } from '../storage/sqlite/sqlite-connection.ts';
import { migrate } from '../storage/sqlite/migrate.ts';
import { readInstanceId } from './expected-instance.ts';
import type { Finding } from './finding.ts';

let dataDir: string;
beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), 'parley-doctor-'));
});
afterEach(() => rmSync(dataDir, { recursive: true, force: true }));

async function doctor(env: Record<string, string> = {}, ...args: string[]) {
  // Nothing listens on port 1, so other programs on this machine do not matter.
  const variables = { PARLEY_DATA: dataDir, PARLEY_PORT: '1', ...env };
  const { code, json } = await runCommand(variables, 'doctor', '--json', '--quick', ...args);
  const found: Finding[] = json;
  return { code, of: (check: string) => found.filter((finding) => finding.check === check) };
}

test('accepts a data folder that does not exist yet and changes nothing', async () => {
  rmSync(dataDir, { recursive: true });
  const { code, of } = await doctor();
  expect(code).toBe(0);
  expect(of('data folder')).toMatchObject([{ outcome: 'skipped' }]);
  expect(of('server')).toMatchObject([
    { outcome: 'warning', message: expect.stringMatching(/ECONNREFUSED/) },
  ]);
  mkdirSync(dataDir, { mode: 0o700 });
});

test('reports a running server as ready and a stopped one as not ready', async () => {
  const server = await startServer({}, dataDir);
  const env = { PARLEY_DATA: dataDir, PARLEY_PORT: new URL(server.url).port };
  const { code, of } = await doctor(env);
  expect(code).toBe(0);
  expect(of('server')).toMatchObject([{ outcome: 'ok' }]);
  expect(of('database')).toMatchObject([{ outcome: 'ok' }]);
  expect(await runCommand(env, 'doctor', '--server')).toMatchObject({
    code: 0,
    stdout: expect.stringMatching(/^ok {2,}server {2,}ready at/),
  });
  await server.close();
  expect(await runCommand(env, 'doctor', '--server')).toMatchObject({ code: 1 });
});

test('detects another program on the port', async () => {
  respond = (_request, response) => void response.writeHead(404).end('?');
  const { code, of } = await doctor({ PARLEY_PORT: new URL(httpUrl).port });
  expect(code).toBe(1);
  expect(of('server')).toMatchObject([
    { outcome: 'failed', message: expect.stringMatching(/is not ready \(404/) },
  ]);
});

test('detects another server on the port and at the public address', async () => {
  const [own, other] = [await startServer({}, dataDir), await startServer()];
  const env = { PARLEY_PORT: new URL(other.url).port, PARLEY_PUBLIC_URL: other.url };
  const { code, of } = await doctor(env);
  expect(code).toBe(1);
  expect(of('server')).toMatchObject([
    { outcome: 'failed', message: expect.stringMatching(/^Another server responds at /) },
  ]);
  expect(of('public address')).toMatchObject([
    { outcome: 'failed', message: expect.stringMatching(/ leads to another server/) },
  ]);
  const right = await doctor({ PARLEY_PORT: new URL(own.url).port, PARLEY_PUBLIC_URL: own.url });
  expect(right.of('server')).toMatchObject([{ outcome: 'ok' }]);
  expect(right.of('public address')).toMatchObject([{ outcome: 'ok' }]);
  expect(right.of('proxy')).toMatchObject([
    { outcome: 'ok', message: 'requests arrive without one' },
  ]);
  expect(right.of('uploads')).toMatchObject([{ outcome: 'ok' }]);
  expect(right.of('idle websocket')).toMatchObject([{ outcome: 'skipped' }]);
  await own.close();

  rmSync(join(dataDir, 'parley.db'));
  expect((await doctor(env)).of('server')).toMatchObject([{ outcome: 'failed' }]);
  await other.close();
});

test('does not call addresses forgeable by clients if only programs on this machine can claim them', async () => {
  const server = await startServer({ PARLEY_TRUST_PROXY: '127.0.0.1,::1' }, dataDir);
  expect(await publicAddress(server.url, 'proxy')).toMatchObject([
    {
      outcome: 'ok',
      message: expect.stringMatching(/^requests arrive without one; .* programs on this machine/),
    },
  ]);
  await server.close();
});

test('detects that an address leads to the server of which the database is a restored copy', async () => {
  const old = await startServer();
  const archive = join(dataDir, 'backup.tar');
  const copy = join(dataDir, 'copy');
  expect(await runCommand(old.variables, 'backup', archive)).toMatchObject({ code: 0 });
  expect(await runCommand({ PARLEY_DATA: copy }, 'restore', archive)).toMatchObject({ code: 0 });
  const env = { PARLEY_DATA: copy, PARLEY_PUBLIC_URL: old.url };
  const leadsToOther = { outcome: 'failed', message: expect.stringMatching(/ another server/) };
  expect((await doctor(env)).of('public address')).toMatchObject([leadsToOther]);
  const restored = await startServer({}, copy);
  expect((await doctor(env)).of('public address')).toMatchObject([leadsToOther]);
  const own = await doctor({ PARLEY_DATA: copy, PARLEY_PUBLIC_URL: restored.url });
  expect(own.of('public address')).toMatchObject([{ outcome: 'ok' }]);
  await restored.close();
  await old.close();
});

test('expects no certain server if it is unknown whether there is a database', async () => {
  expect(await readInstanceId({ dataDir })).toEqual({ id: undefined });
  // Fails like a folder that may not be entered, but for root as well.
  const loop = join(dataDir, 'loop');
  symlinkSync(loop, loop);
  expect(await readInstanceId({ dataDir: loop })).toBeUndefined();
});

test('detects another program that responds like a server that is ready', async () => {
  respond = (_request, response) => void response.end('[]');
  expect((await doctor({ PARLEY_PORT: new URL(httpUrl).port })).of('server')).toMatchObject([
    { outcome: 'failed' },
  ]);
});

test('accepts a server of an older version, which does not say which database it uses', async () => {
  await createDataFolder(dataDir);
  respond = (_request, response) => void response.end('{"product":"parley"}');
  const env = { PARLEY_PORT: new URL(httpUrl).port, PARLEY_PUBLIC_URL: httpUrl };
  const { of } = await doctor(env);
  expect(of('server')).toMatchObject([{ outcome: 'ok' }]);
  expect(of('public address')).toMatchObject([{ outcome: 'ok' }]);
});

test.each([
  ['parley@localhost', 'warning'],
  ['Parley <parley@server>', 'warning'],
  ['Parley <parley@example.org>', 'ok'],
  ['parley@chat.example.org', 'ok'],
])('with a mail server, the sender %s gives: %s', async (PARLEY_MAIL_FROM, outcome) => {
  const env = { PARLEY_MAIL_FROM, PARLEY_SMTP_URL: 'smtp://localhost:1' };
  expect((await doctor(env)).of('variables')).toMatchObject([{ outcome }]);
  expect((await doctor({ PARLEY_MAIL_FROM })).of('variables')).toMatchObject([{ outcome: 'ok' }]);
});

test.each([
  ['http://localhost:1', 'ok'],
  ['http://127.0.0.1:1', 'ok'],
  ['http://[::1]:1', 'ok'],
  ['http://chat.localhost:1', 'ok'],
  ['http://localhost.invalid:1', 'warning'],
  ['http://127.invalid:1', 'warning'],
])('the public address %s gives: %s', async (PARLEY_PUBLIC_URL, outcome) => {
  expect((await doctor({ PARLEY_PUBLIC_URL })).of('variables')).toMatchObject([{ outcome }]);
});

test('warns of variables that are inconsistent', async () => {
  const { of } = await doctor({
    PARLEY_HOST: '0.0.0.0',
    PARLEY_RATE_LIMITS: 'false',
  });
  expect(of('variables').map(({ outcome }) => outcome)).toEqual(['warning', 'warning']);
  const https = await doctor({ PARLEY_PUBLIC_URL: 'https://nowhere.invalid' });
  expect(https.of('variables')).toMatchObject([
    { advice: expect.stringMatching(/^Set PARLEY_TRUST_PROXY to the address/) },
  ]);
  const plain = await doctor({ PARLEY_PUBLIC_URL: 'http://nowhere.invalid' });
  expect(plain.of('variables')).toMatchObject([{ message: expect.stringMatching(/not https/) }]);
});

test.each(['0.0.0.0/0', '::/0', '0.0.0.0/1', '10.0.0.0/7', '104.0.0.0/8', '2000::/3'])(
  'warns of trusted proxies in the overly large network %s',
  async (network) => {
    const { of } = await doctor({ PARLEY_TRUST_PROXY: `127.0.0.1,${network}` });
    expect(of('variables')).toMatchObject([
      { outcome: 'warning', message: `PARLEY_TRUST_PROXY trusts every address in ${network}.` },
    ]);
  },
);

test('warns of a trusted proxy of any address if other machines can reach the port', async () => {
  const found = async (env: Record<string, string>) =>
    (await doctor({ PARLEY_PUBLIC_URL: 'https://nowhere.invalid', ...env })).of('variables');
  expect(await found({ PARLEY_HOST: '0.0.0.0', PARLEY_TRUST_PROXY: 'true' })).toMatchObject([
    { outcome: 'warning', message: expect.stringMatching(/^PARLEY_TRUST_PROXY is true/) },
  ]);
  for (const env of [
    { PARLEY_HOST: '::1', PARLEY_TRUST_PROXY: 'true' },
    { PARLEY_HOST: '0.0.0.0', PARLEY_TRUST_PROXY: '172.18.0.0/16' },
  ]) {
    expect(await found(env)).toMatchObject([{ outcome: 'ok' }]);
  }
});

test.each([
  'true',
  '127.0.0.1',
  '10.0.0.0/8',
  '172.16.0.0/12',
  '104.16.0.0/13',
  'fc00::/7',
  '2a06:98c0::/29',
])('does not warn of trusted proxies in %s', async (PARLEY_TRUST_PROXY) => {
  expect((await doctor({ PARLEY_TRUST_PROXY })).of('variables')).toMatchObject([{ outcome: 'ok' }]);
});

test('warns of a data folder that is accessible to other users', async () => {
  chmodSync(dataDir, 0o755);
  expect((await doctor()).of('data folder')).toMatchObject([
    { outcome: 'warning', advice: expect.stringMatching(/chmod 700/) },
  ]);
});

test('fails if the path or a parent of the data folder is a file', async () => {
  const file = join(dataDir, 'file');
  writeFileSync(file, '');
  const inItsPlace = await doctor({ PARLEY_DATA: file });
  expect(inItsPlace.code).toBe(1);
  expect(inItsPlace.of('data folder')).toMatchObject([
    { outcome: 'failed', message: expect.stringMatching(/is not a folder/) },
  ]);
  const above = await doctor({ PARLEY_DATA: join(file, 'data', 'of', 'mine') });
  expect(above.code).toBe(1);
  expect(above.of('data folder')).toMatchObject([
    { outcome: 'failed', message: expect.stringContaining(`cannot create it in ${file}`) },
  ]);
});

test.skipIf(process.getuid?.() === 0 || process.platform === 'win32')(
  'fails if the data folder is not writable',
  async () => {
    chmodSync(dataDir, 0o500);
    const { code, of } = await doctor();
    chmodSync(dataDir, 0o700);
    expect(code).toBe(1);
    expect(of('data folder')).toMatchObject([
      { outcome: 'failed', advice: expect.stringMatching(/chown/) },
    ]);
    expect(of('database')).toMatchObject([{ outcome: 'skipped' }]);
  },
);

test.skipIf(process.getuid?.() === 0 || process.platform === 'win32')(
  'distinguishes files of another user from corrupt or missing ones',
  async () => {
    await createDataFolder(dataDir);
    chmodSync(join(dataDir, 'parley.db'), 0);
    expect((await doctor()).of('database')).toMatchObject([
      { outcome: 'failed', advice: expect.stringMatching(/chown/) },
    ]);
    chmodSync(dataDir, 0);
    const listed = await runCommand({ PARLEY_DATA: dataDir }, 'user', 'list');
    chmodSync(dataDir, 0o700);
    expect(listed).toMatchObject({ code: 1, stderr: expect.stringMatching(/^parley: Access to /) });
  },
);

test('fails if the database is corrupt', async () => {
  await createDataFolder(dataDir);
  writeFileSync(join(dataDir, 'parley.db'), 'this was a database');
  const { code, of } = await doctor();
  expect(code).toBe(1);
  expect(of('database')).toMatchObject([
    { outcome: 'failed', advice: expect.stringMatching(/restore the newest backup/) },
  ]);
});

test.skipIf(process.platform === 'win32')(
  'warns of a database that other users can read until it is restricted',
  async () => {
    await createDataFolder(dataDir);
    const file = join(dataDir, 'parley.db');
    chmodSync(file, 0o644);
    const { code, of } = await doctor();
    expect(code).toBe(0);
    expect(of('database')).toMatchObject([
      { outcome: 'warning', advice: expect.stringContaining(`chmod 600 ${file}`) },
    ]);
    const named = of('database')[0]?.advice.split('chmod 600 ')[1] ?? '';
    for (const each of named.split(' ')) chmodSync(each, 0o600);
    expect((await doctor()).of('database')).toMatchObject([{ outcome: 'ok' }]);
  },
);

test('warns of an older schema and fails for a newer one', async () => {
  const sqlite = openWritable(join(dataDir, 'parley.db'));
  const [first = ''] = Object.keys(migrations);
  await migrate(sqlite, { [first]: migrations[first] as never });
  sqlite.close();
  expect((await doctor()).of('schema')).toMatchObject([
    { outcome: 'warning', message: expect.stringMatching(/older/) },
  ]);

  const again = openWritable(join(dataDir, 'parley.db'));
  await migrate(again, { ...migrations, '999-future': { up: async () => {} } });
  again.close();
  const { code, of } = await doctor();
  expect(code).toBe(1);
  expect(of('schema')).toMatchObject([
    { outcome: 'failed', message: expect.stringMatching(/999-future belongs to a newer/) },
  ]);
});

test('warns of a database with a trigger that Parley does not create, which backup rejects as well', async () => {
  await createDataFolder(dataDir);
  const sqlite = openWritable(join(dataDir, 'parley.db'));
  sqlite.exec('create trigger own after insert on users begin select 1; end');
  sqlite.close();
  const message = 'The database has an unknown trigger own, which Parley does not create.';
  expect((await doctor()).of('schema')).toMatchObject([{ outcome: 'warning', message }]);
  const file = join(dataDir, 'own.tar');
  const backup = await runCommand({ PARLEY_DATA: dataDir }, 'backup', file);
  expect(backup).toMatchObject({ code: 1, stderr: expect.stringContaining(message) });
  expect(existsSync(file)).toBe(false);
});

test('warns of a database without tables', async () => {
  openWritable(join(dataDir, 'parley.db')).close();
  expect((await doctor()).of('schema')).toMatchObject([
    {
      outcome: 'warning',
      message: 'The database has no tables yet.',
      advice: expect.stringMatching(/^Start the server or run 'parley restore'/),
    },
  ]);
});

test('fails if the file of an upload is missing', async () => {
  await createDataFolder(dataDir);
  const sqlite = openWritable(join(dataDir, 'parley.db'));
  sqlite.exec(`insert into users
    (id, username, username_key, email, password_hash, language, volume, verified_at, created_at) values
    ('u1', 'Ada', 'ada', 'ada@example.org', '', 'en', 'middle', 1, 1)`);
  const file = '01a1fb46-7674-7dd3-8613-174481dfbd20.png';
  sqlite.exec(`insert into media (id, owner_id, kind, mime, size, file, width, height, created_at) values
    ('m1', 'u1', 'image', 'image/png', 70, '${file}', 1, 1, 1)`);
  sqlite.close();
  const { code, of } = await doctor();
  expect(code).toBe(1);
  expect(of('media')).toMatchObject([
    {
      outcome: 'failed',
      message: expect.stringMatching(/1 of 1 file is missing/),
      advice: expect.stringMatching(/^If PARLEY_DATA or PARLEY_MEDIA_STORE changed/),
    },
  ]);
});

const hello: RequestListener = (_request, response) => void response.end('hello');

/** Web servers at the public address, with a response and a certificate that tests change. */
let respond: RequestListener = hello;
const plain = createServer((request, response) => respond(request, response));
const secure = createTlsServer(selfSigned(), (request, response) => respond(request, response));
let httpUrl = '';
let httpsUrl = '';
beforeAll(async () => {
  httpUrl = `http://localhost:${await listenLocally(plain)}`;
  httpsUrl = `https://localhost:${await listenLocally(secure)}`;
});
afterAll(() => {
  plain.close();
  secure.close();
});
beforeEach(() => {
  respond = hello;
});

function useCertificate(certificate: Certificate): void {
  secure.setSecureContext(certificate);
  trust(certificate.cert);
  onTestFinished(() => trust());
}

async function publicAddress(url: string, check = 'public address'): Promise<Finding[]> {
  return (await doctor({ PARLEY_PUBLIC_URL: url })).of(check);
}

test('fails for a public address without a server, with another server, or without a trusted certificate', async () => {
  expect(await publicAddress('http://localhost:1')).toMatchObject([
    {
      outcome: 'failed',
      message: expect.stringMatching(/ECONNREFUSED/),
      advice: expect.stringMatching(/Start the proxy/),
    },
  ]);
  expect(await publicAddress('https://nowhere.invalid')).toMatchObject([
    { outcome: 'failed', advice: expect.stringMatching(/DNS/) },
  ]);
  expect(await publicAddress(httpUrl)).toMatchObject([
    { outcome: 'failed', message: expect.stringMatching(/not as Parley \(200\)/) },
  ]);
  expect(await publicAddress(httpsUrl)).toMatchObject([
    {
      outcome: 'failed',
      message: expect.stringMatching(/SELF_SIGNED/),
      advice: expect.stringMatching(/public certificate authority/),
    },
  ]);
});

test('explains a proxy that redirects or does not reach the server', async () => {
  respond = (_request, response) =>
    void response.writeHead(301, { location: 'https://chat.example.org/api/config' }).end();
  expect(await publicAddress(httpUrl)).toMatchObject([
    {
      outcome: 'failed',
      message: `${httpUrl} redirects to https://chat.example.org.`,
      advice: expect.stringContaining('set PARLEY_PUBLIC_URL to it'),
    },
  ]);
  respond = (_request, response) =>
    void response.writeHead(302, { location: 'app:open?url=https://chat.example.org' }).end();
  expect(await publicAddress(httpUrl)).toMatchObject([
    {
      outcome: 'failed',
      message: expect.stringMatching(/ redirects to an address with app:, which/),
      advice: 'Remove the redirect.',
    },
  ]);
  respond = (_request, response) => void response.writeHead(502).end();
  expect(await publicAddress(httpUrl)).toMatchObject([
    { outcome: 'failed', advice: expect.stringMatching(/^Start the server/) },
  ]);
});

test('explains http at a port for https, and the reverse', async () => {
  expect(await publicAddress(httpUrl.replace('http:', 'https:'))).toMatchObject([
    { outcome: 'failed', advice: expect.stringContaining('does not speak TLS') },
  ]);
  expect(await publicAddress(httpsUrl.replace('https:', 'http:'))).toMatchObject([
    { outcome: 'failed', advice: expect.stringMatching(/Start the proxy|does not speak HTTP/) },
  ]);
});

const YEAR = 365 * 24 * 3_600_000;
const EXPIRED = selfSigned({ from: -2 * YEAR, to: -YEAR });
const EARLY = selfSigned({ from: YEAR, to: 2 * YEAR });

test.each<[name: string, certificate: Certificate, message: RegExp, advice: RegExp]>([
  ['expired', EXPIRED, /^The certificate of localhost expired on \d{4}-/, /is right, renew it/],
  ['not valid yet', EARLY, /^The certificate of localhost becomes valid on /, /correct the clock/],
  [
    'for another host',
    selfSigned({ host: 'example.org' }),
    /not for the name localhost/,
    /PARLEY_PUBLIC_URL/,
  ],
])('explains a certificate that is %s', async (_name, certificate, message, advice) => {
  useCertificate(certificate);
  expect(await publicAddress(httpsUrl)).toMatchObject([
    {
      outcome: 'failed',
      message: expect.stringMatching(message),
      advice: expect.stringMatching(advice),
    },
  ]);
});

test.each([
  ['expired', EXPIRED, -1.5 * YEAR, 'ahead of'],
  ['is not valid yet', EARLY, 1.5 * YEAR, 'behind'],
])(
  'blames the clock if a certificate only seems to have %s',
  async (_name, certificate, difference, order) => {
    useCertificate(certificate);
    respond = (_request, response) => {
      response.setHeader('date', new Date(Date.now() + difference).toUTCString());
      response.end();
    };
    expect(await publicAddress(httpsUrl)).toMatchObject([
      {
        outcome: 'failed',
        message: expect.stringMatching(`^The clock of this machine .* ${order} that of localhost`),
        advice: expect.stringContaining('timedatectl'),
      },
    ]);
  },
);

test.each([
  [0, 'ok', /^agrees/],
  [60_000, 'warning', /is (?:59|60) s behind that of/],
  [-3_600_000, 'failed', /is 60 minutes ahead of that of/],
])(
  'compares the clock with one at the public address that differs by %d ms',
  async (difference, outcome, message) => {
    respond = (_request, response) => {
      response.setHeader('date', new Date(Date.now() + difference).toUTCString());
      response.end('{"product":"parley"}');
    };
    expect(await publicAddress(httpUrl, 'clock')).toMatchObject([
      { outcome, message: expect.stringMatching(message) },
    ]);
  },
);

test('skips what the running server must tell if there is none', async () => {
  respond = (_request, response) => void response.end('{"product":"parley"}');
  expect(await publicAddress(httpUrl, 'proxy')).toMatchObject([
    { outcome: 'skipped', message: expect.stringContaining('Needs the running server') },
  ]);
});

test.each([
  ['::1', 'http://[::1]:1'],
  ['::', 'http://[::1]:1'],
  ['0:0::0', 'http://[::1]:1'],
  ['0.0.0.0', 'http://127.0.0.1:1'],
  ['fe80::1%none', 'http://[fe80::1%none]:1'],
  ['nowhere.invalid', 'http://nowhere.invalid:1'],
])('looks for a server that listens on %s at %s', async (PARLEY_HOST, url) => {
  expect((await doctor({ PARLEY_HOST })).of('server')).toMatchObject([
    { outcome: 'warning', message: expect.stringContaining(`No server responds at ${url} (`) },
  ]);
});

test.each(['[::1]', '300.1.1.1', '127.0.0.1:3000', ' '])(
  'explains that %j is not a host to listen on',
  async (PARLEY_HOST) => {
    const { code, of } = await doctor({ PARLEY_HOST });
    expect(code).toBe(2);
    expect(of('variables')).toMatchObject([
      { outcome: 'failed', message: expect.stringContaining('such as 127.0.0.1.') },
    ]);
  },
);

test('cannot find a server on a port that the system chose', async () => {
  expect((await doctor({ PARLEY_PORT: '0' })).of('server')).toMatchObject([
    { outcome: 'warning', message: expect.stringContaining('PARLEY_PORT is 0') },
  ]);
});

test('fails if the server rejects the public address as a foreign origin', async () => {
  const server = await startServer({ PARLEY_PUBLIC_URL: 'https://chat.example.org' }, dataDir);
  const { of } = await doctor({ PARLEY_PUBLIC_URL: server.url });
  expect(of('public address')).toMatchObject([{ outcome: 'ok' }]);
  expect(of('websocket')).toMatchObject([
    { outcome: 'failed', message: expect.stringMatching(/foreign origin/) },
  ]);
  await server.close();
});
