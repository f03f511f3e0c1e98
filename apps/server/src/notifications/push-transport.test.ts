import type { LookupAddress } from 'node:dns';
import { createServer as createTcpServer, type Server, type Socket } from 'node:net';
import { afterEach, describe, expect, onTestFinished, test } from 'vitest';
import { selfSigned } from '../../test/certificate.ts';
import { listenLocally } from '../../test/listen-locally.ts';
import { startPushService, type BrowserSubscription } from '../../test/push-service.ts';
import { trust } from '../../test/trust.ts';
import { createPushDelivery } from './push-delivery.ts';
import { parseEndpoint } from './push-endpoint.ts';
import { createPushTransport } from './push-transport.ts';
import { isPublicAddress } from './public-addresses.ts';
import type { ResolveName } from './resolve-name.ts';
import { createVapid } from './vapid.ts';

const vapid = createVapid('17'.repeat(32), 'mailto:operator@example.org');

const closers: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0)) await close();
});

interface Setup {
  allowed?: string[];
  resolve?: ResolveName;
  timeout?: number;
}

function createSender({ allowed = [], ...options }: Setup) {
  const transport = createPushTransport({ allowed, timeout: 1_000, ...options });
  closers.push(() => transport.close());
  const delivery = createPushDelivery(transport, vapid, { recordPush: () => undefined });
  return ({ body: { endpoint, keys } }: Pick<BrowserSubscription, 'body'>) =>
    delivery.deliver({ endpoint, keys, json: Buffer.from('{}'), topic: 'topic', isUrgent: true });
}

async function startService(isSecure = false) {
  const service = await startPushService(isSecure ? selfSigned() : undefined);
  closers.push(() => service.close());
  return service;
}

/** A server that accepts connections and does with them what `handle` does. */
async function startTcp(handle: (server: Server) => void): Promise<string> {
  const server = createTcpServer();
  handle(server);
  const port = await listenLocally(server);
  closers.push(() => server.close());
  return `http://127.0.0.1:${port}`;
}

/** Resolves names to these addresses, one list after the other. */
function resolver(...answers: string[][]): ResolveName & { asked: string[] } {
  const asked: string[] = [];
  const resolve: ResolveName = (hostname, _options, callback) => {
    asked.push(hostname);
    const answer = answers[Math.min(asked.length, answers.length) - 1] ?? [];
    const addresses = answer.map((address): LookupAddress => ({
      address,
      family: address.includes(':') ? 6 : 4,
    }));
    callback(null, addresses);
  };
  return Object.assign(resolve, { asked });
}

describe('addresses', () => {
  test.each([
    '0.0.0.0',
    '0.1.2.3',
    '10.0.0.1',
    '100.64.0.1',
    '100.127.255.255',
    '127.0.0.1',
    '127.255.255.254',
    '169.254.169.254',
    '172.16.0.1',
    '172.31.255.255',
    '192.0.0.8',
    '192.0.2.1',
    '192.88.99.1',
    '192.168.1.1',
    '198.18.0.1',
    '198.19.255.255',
    '198.51.100.7',
    '203.0.113.9',
    '224.0.0.1',
    '239.255.255.250',
    '240.0.0.1',
    '255.255.255.255',
    '::',
    '::1',
    '::7f00:1',
    '::ffff:127.0.0.1',
    '::ffff:7f00:1',
    '::ffff:8.8.8.8',
    '64:ff9b::7f00:1',
    '64:ff9b::8.8.8.8',
    '64:ff9b:1::1',
    '100::1',
    '2001::1',
    '2001:0:7f00:1::1',
    '2001:db8::1',
    '2001:20::1',
    '2002:7f00:1::1',
    '2002:808:808::1',
    '3fff::1',
    '5f00::1',
    'fc00::1',
    'fd12:3456::1',
    'fe80::1',
    'fe80::1%eth0',
    'fe80::1%1',
    '2606:4700::1111%eth0',
    'fec0::1',
    'ff02::1',
    'ff0e::1',
    '',
    'localhost',
    '127.1',
    '0x7f.0.0.1',
    '1.1.1',
    '1.1.1.1.1',
  ])('%s is not public', (address) => {
    expect(isPublicAddress(address)).toBe(false);
  });

  test.each([
    '1.1.1.1',
    '8.8.8.8',
    '100.63.255.255',
    '100.128.0.0',
    '172.15.0.1',
    '172.32.0.1',
    '192.0.1.1',
    '198.17.0.1',
    '223.255.255.255',
    '2606:4700::1111',
    '2a00:1450:4001::200e',
    '2003::1',
    '2001:200::1',
  ])('%s is public', (address) => {
    expect(isPublicAddress(address)).toBe(true);
  });
});

describe('endpoints', () => {
  test.each([
    'http://push.example.org/a',
    'https://push.example.org:8443/a',
    'https://push.example.org:80/a',
    'https://user@push.example.org/a',
    'https://user:password@push.example.org/a',
    'https://push.example.org/a#b',
    'ftp://push.example.org/a',
    'file:///etc/passwd',
    'javascript:alert(1)',
    'push.example.org',
    'https://localhost/a',
    'https://intranet/a',
    'https://foo.localhost/a',
    'https://foo.localhost./a',
    'https://printer.local/a',
    'https://db.internal/a',
    'https://router.home.arpa/a',
    'https://127.0.0.1/a',
    'https://127.1/a',
    'https://2130706433/a',
    'https://0x7f000001/a',
    'https://0177.0.0.1/a',
    'https://127.0.0.1./a',
    'https://①②⑦.⓪.⓪.①/a',
    'https://169.254.169.254/latest/meta-data/',
    'https://[::1]/a',
    'https://[::ffff:127.0.0.1]/a',
    'https://[::ffff:8.8.8.8]/a',
    'https://[64:ff9b::7f00:1]/a',
    'https://[2002:7f00:1::]/a',
    'https://[fe80::1]/a',
    'https://[fd00::1]/a',
    'https://[fe80::1%25eth0]/a',
    `https://push.example.org/${'a'.repeat(1_000)}`,
    '',
  ])('%s is refused', (endpoint) => {
    expect(parseEndpoint(endpoint, ['https://push.lan:8443'])).toBeUndefined();
  });

  test.each([
    'https://fcm.googleapis.com/fcm/send/abc:def',
    'https://updates.push.services.mozilla.com:443/wpush/v2/gAAA?x=y',
    'https://web.push.apple.com/QGu',
    'https://[2606:4700::1111]/a',
    'https://8.8.8.8/a',
    'https://push.lan:8443/a',
  ])('%s is allowed', (endpoint) => {
    expect(parseEndpoint(endpoint, ['https://push.lan:8443'])?.href).toBeDefined();
  });
});

describe('connections', () => {
  const endpoint = 'https://push.example.org/subscription';

  test.each([
    [['127.0.0.1']],
    [['::1']],
    [['10.1.2.3', '192.168.0.1', 'fd00::1']],
    [['::ffff:127.0.0.1']],
    [['169.254.169.254']],
    [['fe80::1%lo']],
    [[]],
  ])('are not made to a name that resolves to %j', async (addresses) => {
    const service = await startService();
    const { body } = service.subscribe(vapid.publicKey);
    const resolve = resolver(addresses);
    const outcome = await createSender({ resolve })({ body: { ...body, endpoint } });
    expect(outcome).toEqual({ result: 'refused', isTemporary: false, reason: 'ENOTPUBLIC' });
    expect(resolve.asked.length).toBeGreaterThan(0);
  });

  test('are judged by the addresses that they are made to, each time', async () => {
    const { body } = (await startService()).subscribe(vapid.publicKey);
    // Nothing listens at the public address of the first answer, as it is one of this machine's tests.
    const resolve = resolver(['127.0.0.1'], ['10.0.0.1'], ['127.0.0.1']);
    const send = createSender({ resolve, timeout: 300 });
    for (let i = 0; i < 3; i += 1) {
      expect((await send({ body: { ...body, endpoint } })).reason).toBe('ENOTPUBLIC');
    }
    expect(resolve.asked).toHaveLength(3);
  });

  test('are not made to a private address in the URL, even if it was stored', async () => {
    const service = await startService(true);
    const { body } = service.subscribe(vapid.publicKey);
    const outcome = await createSender({})({ body });
    expect(outcome).toMatchObject({ result: 'refused', reason: 'endpoint not allowed' });
  });

  test('that are idle keep no other service waiting', async () => {
    const sockets = new Set<Socket>();
    const accept = (server: Server) =>
      server.on('connection', (socket) => {
        sockets.add(socket.on('error', () => undefined));
        socket.on('close', () => sockets.delete(socket));
        socket.on('data', (chunk) => {
          if (!chunk.includes('\r\n\r\n')) return;
          socket.write('HTTP/1.1 201 Created\r\nContent-Length: 0\r\n\r\n');
        });
      });
    const origins = await Promise.all(Array.from({ length: 110 }, () => startTcp(accept)));
    const { body } = (await startService()).subscribe(vapid.publicKey);
    const send = createSender({ allowed: origins, timeout: 10_000 });
    for (const origin of origins) {
      const outcome = await send({ body: { ...body, endpoint: `${origin}/a` } });
      expect(outcome.result).toBe('accepted');
    }
    await expect.poll(() => sockets.size).toBeLessThanOrEqual(50);
    expect(sockets.size).toBeGreaterThan(0);
  });

  test('are made with TLS to an origin that the operator allows, if its certificate is valid', async () => {
    const certificate = selfSigned();
    const service = await startPushService(certificate);
    closers.push(() => service.close());
    const subscription = service.subscribe(vapid.publicKey);
    const send = createSender({ allowed: [service.origin] });
    expect(await send(subscription)).toMatchObject({ result: 'unreachable', isTemporary: true });
    expect(subscription.attempts).toBe(0);
    trust(certificate.cert);
    onTestFinished(() => trust());
    const trusting = createSender({ allowed: [service.origin] });
    expect(await trusting(subscription)).toMatchObject({ result: 'accepted' });
    expect(service.violations).toEqual([]);
    expect(subscription.received).toHaveLength(1);
  });
});

describe('responses', () => {
  test.each([
    [200, {}, { result: 'accepted', isTemporary: false }],
    [201, {}, { result: 'accepted', isTemporary: false }],
    [404, {}, { result: 'ended', isTemporary: false }],
    [410, {}, { result: 'ended', isTemporary: false }],
    [400, {}, { result: 'refused', isTemporary: false }],
    [403, {}, { result: 'refused', isTemporary: false }],
    [413, {}, { result: 'refused', isTemporary: false }],
    [301, { location: 'http://127.0.0.1:1/' }, { result: 'refused', isTemporary: false }],
    [307, { location: 'https://push.example.org/' }, { result: 'refused', isTemporary: false }],
    [429, {}, { result: 'refused', isTemporary: true }],
    [429, { 'retry-after': '120' }, { result: 'refused', isTemporary: true, retryAfter: 120_000 }],
    [429, { 'retry-after': '-5' }, { result: 'refused', isTemporary: true }],
    [503, { 'retry-after': '9e9' }, { result: 'refused', isTemporary: true }],
    [
      503,
      { 'retry-after': '99999999' },
      { result: 'refused', isTemporary: true, retryAfter: 3_600_000 },
    ],
    [
      500,
      { 'retry-after': 'Thu, 01 Jan 1970 00:00:00 GMT' },
      { result: 'refused', isTemporary: true, retryAfter: 0 },
    ],
  ])('a status of %i with %j is understood', async (status, headers, expected) => {
    const service = await startService();
    const subscription = service.subscribe(vapid.publicKey);
    subscription.respond = (response) => void response.writeHead(status, headers).end('text');
    const outcome = await createSender({ allowed: [service.origin] })(subscription);
    expect(outcome).toEqual({ ...expected, reason: `status ${status}` });
    // Redirects are not followed.
    expect(subscription.attempts).toBe(1);
  });

  test('that do not end are cut off', async () => {
    const service = await startService();
    const subscription = service.subscribe(vapid.publicKey);
    let written = 0;
    let isClosed = false;
    subscription.respond = (response) => {
      response.writeHead(201);
      const timer = setInterval(() => {
        written += 1_000;
        response.write('x'.repeat(1_000));
      }, 1);
      response.on('close', () => {
        clearInterval(timer);
        isClosed = true;
      });
    };
    const send = createSender({ allowed: [service.origin] });
    expect((await send(subscription)).result).toBe('accepted');
    await expect.poll(() => isClosed).toBe(true);
    expect(written).toBeLessThan(1_000_000);
  });

  test('whose bodies are sent slowly occupy the connection until the time is over', async () => {
    const service = await startService();
    const subscription = service.subscribe(vapid.publicKey);
    let isClosed = false;
    subscription.respond = (response) => {
      response.writeHead(201).write('x');
      response.on('close', () => (isClosed = true));
    };
    const startedAt = performance.now();
    const { result } = await createSender({ allowed: [service.origin], timeout: 2_000 })(
      subscription,
    );
    expect(result).toBe('accepted');
    expect(performance.now() - startedAt).toBeGreaterThan(1_900);
    await expect.poll(() => isClosed).toBe(true);
  });

  test.each<[string, (server: Server) => void]>([
    ['never responds', () => undefined],
    [
      'sends its headers slowly',
      (server) =>
        server.on('connection', (socket) => {
          const timer = setInterval(() => socket.write('H'), 100);
          socket.on('close', () => clearInterval(timer)).on('error', () => undefined);
        }),
    ],
    [
      'sends no HTTP',
      (server) =>
        server.on('connection', (socket) => {
          socket.on('error', () => undefined).end('hello\n');
        }),
    ],
    [
      'sends endless headers',
      (server) =>
        server.on('connection', (socket) => {
          socket.on('error', () => undefined).write('HTTP/1.1 201 OK\r\n');
          const timer = setInterval(() => socket.write(`x: ${'y'.repeat(10_000)}\r\n`), 1);
          socket.on('close', () => clearInterval(timer));
        }),
    ],
    [
      'switches to another protocol',
      (server) =>
        server.on('connection', (socket) => {
          const lines = ['HTTP/1.1 101 Switching Protocols', 'Connection: Upgrade', 'Upgrade: x'];
          socket.on('error', () => undefined).write(`${lines.join('\r\n')}\r\n\r\n`);
        }),
    ],
    [
      'closes the connection',
      (server) =>
        server.on('connection', (socket) => {
          socket.on('error', () => undefined).destroy();
        }),
    ],
  ])('of a service that %s are not waited for', async (_name, handle) => {
    const origin = await startTcp(handle);
    const { body } = (await startService()).subscribe(vapid.publicKey);
    const outcome = await createSender({ allowed: [origin] })({
      body: { ...body, endpoint: `${origin}/a` },
    });
    expect(outcome).toMatchObject({ result: 'unreachable', isTemporary: true });
  });
});
