import { API_VERSION } from '@parley/contract';
import { runServer, serverFromSources, type RunningServer } from '@parley/testing';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { findRedirect } from '../src/main/servers/find-redirect.ts';
import { lookUp } from '../src/main/servers/look-up.ts';
import {
  listMediaOrigins,
  probeServer,
  type ProbeResult,
} from '../src/main/servers/probe-server.ts';
import { FakeClientRequest } from './support/fake-client-request.ts';
import { createSessionFetch } from './support/session-fetch.ts';

let server: RunningServer;
let other: Server;
let otherPort: number;
beforeAll(async () => {
  server = await runServer({ PARLEY_RATE_LIMITS: 'false' }, serverFromSources);
  other = createServer((request, reply) => {
    const version = /^\/v(\d+)\//.exec(request.url ?? '')?.[1];
    const [location] = redirects;
    if (location !== undefined) reply.writeHead(302, { location }).end();
    else if (request.url === '/api/config') reply.end(responses[0]);
    else reply.writeHead(version === undefined ? 404 : 200).end();
  });
  await new Promise<void>((resolve) => void other.listen(0, '127.0.0.1', resolve));
  otherPort = (other.address() as AddressInfo).port;
}, 60_000);
afterAll(async () => {
  await server.dispose();
  await new Promise((resolve) => void other.close(resolve));
});

/** The body of the next response of the other server. */
const responses = [''];
/** The address to which the other server redirects all requests, if any. */
let redirects: string[] = [];

function probe(origin: string, fetch = createSessionFetch().fetch): Promise<ProbeResult> {
  return probeServer(origin, {
    fetch,
    findRedirect: (url) => findRedirect(request, url),
    findRefusedFingerprint: () => 'sha256/AAA',
  });
}
/** Creates a request of the fake of Electron. */
const request = (options: object) =>
  new FakeClientRequest({ ...options, session: { net: createSessionFetch() } }) as never;
const refuse = (name: string) => () => Promise.reject(new Error(`net::${name}`));

describe('probing an origin', () => {
  test('finds Parley with its version', async () => {
    expect(await probe(server.url)).toMatchObject({ kind: 'parley', mediaOrigins: [] });
  });

  test.each([
    ['<html>hello</html>', 'not-parley'],
    ['{"product":"other","apiVersion":1}', 'not-parley'],
    ['{"product":"parley"}', 'not-parley'],
    [`{"product":"parley","apiVersion":${API_VERSION}}`, 'not-parley'],
    [`{"product":"parley","apiVersion":${API_VERSION - 1}}`, 'server-too-old'],
    ['{"product":"parley","apiVersion":99,"new":true}', 'server-too-new'],
    ['{"product":"parley","apiVersion":99,"minApiVersion":98}', 'server-too-new'],
    [`{"product":"parley","apiVersion":99,"minApiVersion":${API_VERSION}}`, 'not-parley'],
    [`{"product":"parley","apiVersion":${API_VERSION},"minApiVersion":"1"}`, 'not-parley'],
    ['', 'not-parley'],
  ])('with the response %j results in %s', async (body, kind) => {
    responses[0] = body;
    expect(await probe(`http://127.0.0.1:${otherPort}`)).toEqual({ kind });
  });

  test('reports the address of a redirect', async () => {
    for (const [location, url] of [
      [`${server.url}/api/config`, `${server.url}/api/config`],
      ['/login', `http://127.0.0.1:${otherPort}/login`],
    ] as const) {
      redirects = [location];
      expect(await probe(`http://127.0.0.1:${otherPort}`)).toEqual({ kind: 'redirect', url });
    }
    redirects = [];
  });

  test('reports an unknown host and a refused connection', async () => {
    expect(await probe('http://no-such-host.invalid')).toEqual({ kind: 'no-such-host' });
    expect(await probe('http://127.0.0.1:1')).toEqual({ kind: 'no-connection' });
    for (const name of ['ERR_TIMED_OUT', 'ERR_SSL_PROTOCOL_ERROR', 'ERR_INTERNET_DISCONNECTED']) {
      expect(await probe('https://a.example', refuse(name))).toEqual({ kind: 'no-connection' });
    }
  });

  test('reports an untrusted certificate with its fingerprint', async () => {
    for (const name of ['ERR_CERT_AUTHORITY_INVALID', 'ERR_CERT_DATE_INVALID']) {
      expect(await probe('https://a.example', refuse(name))).toEqual({
        kind: 'certificate',
        fingerprint: 'sha256/AAA',
      });
    }
  });
});

test('listMediaOrigins accepts only valid hosts', () => {
  const config = (mediaBase: string) => ({ mediaBase, avatarUrl: '/api/avatars/{name}.svg' });
  const of = (mediaBase: string) => listMediaOrigins('https://a.example', config(mediaBase));
  expect(of('https://cdn.example:8443/x/')).toEqual(['https://cdn.example:8443']);
  for (const hostile of ['https://*/', 'https://x;sandbox/', "https://'none'/", 'data:x']) {
    expect(of(hostile)).toEqual([]);
  }
});

const found: ProbeResult = { kind: 'parley', version: '1.0.0', mediaOrigins: [] };
async function lookUpAmong(typed: string, servers: Record<string, ProbeResult>) {
  const probed: string[] = [];
  const { result } = await lookUp(typed, async (origin) => {
    probed.push(origin);
    return servers[origin] ?? { kind: 'no-connection' };
  });
  return { result, probed };
}

describe('looking up a server', () => {
  test('tries https first, and http only if https does not respond', async () => {
    const { result, probed } = await lookUpAmong('chat.example.org', {
      'https://chat.example.org': found,
      'http://chat.example.org': found,
    });
    expect(result).toEqual({ kind: 'found', origin: 'https://chat.example.org', version: '1.0.0' });
    expect(probed).toEqual(['https://chat.example.org']);
  });

  test('reports a server without encryption as such, even if http was typed', async () => {
    const servers = { 'http://192.168.1.20:3000': found };
    for (const typed of ['192.168.1.20:3000', 'http://192.168.1.20:3000']) {
      expect((await lookUpAmong(typed, servers)).result).toMatchObject({
        kind: 'found-plain',
        origin: 'http://192.168.1.20:3000',
      });
    }
  });

  test('accepts a server without encryption on this machine', async () => {
    const servers = { 'http://localhost:3000': found };
    expect((await lookUpAmong('localhost:3000', servers)).result.kind).toBe('found');
  });

  test('never falls back to http if the certificate is untrusted', async () => {
    const { result, probed } = await lookUpAmong('http://a.example', {
      'https://a.example': { kind: 'certificate', fingerprint: 'sha256/AAA' },
      'http://a.example': found,
    });
    expect(result).toEqual({
      kind: 'certificate',
      origin: 'https://a.example',
      fingerprint: 'sha256/AAA',
    });
    expect(probed).toHaveLength(1);
  });

  const redirect = (url: string): ProbeResult => ({ kind: 'redirect', url });

  test('follows encrypted redirects of the same path, and reports where it ends', async () => {
    const servers = {
      'https://example.org': redirect('https://www.example.org/api/config'),
      'https://www.example.org': redirect('https://chat.example.org/api/config'),
      'https://chat.example.org': found,
      'https://plain.example': redirect('http://chat.example/api/config'),
      'http://chat.example': found,
      'https://own.example': redirect('https://self.example/api/config'),
      'https://self.example': { kind: 'certificate', fingerprint: 'sha256/AAA' },
    } as const;
    const resultOf = async (typed: string) => (await lookUpAmong(typed, servers)).result;
    expect(await resultOf('example.org')).toMatchObject({
      kind: 'found',
      origin: 'https://chat.example.org',
    });
    expect(await resultOf('plain.example')).toMatchObject({
      kind: 'found-plain',
      origin: 'http://chat.example',
    });
    expect(await resultOf('own.example')).toMatchObject({
      kind: 'certificate',
      origin: 'https://self.example',
    });
  });

  test('names the target of another redirect, and ends in a circle', async () => {
    const servers = {
      'https://a.example': redirect('https://login.example/login?from=a'),
      'http://plain.example': redirect('https://evil.example/api/config'),
      'https://evil.example': found,
      'https://b.example': redirect('https://c.example/api/config'),
      'https://c.example': redirect('https://b.example/api/config'),
      'https://d.example': redirect('https://d.example/api/config'),
    };
    const resultOf = async (typed: string) => (await lookUpAmong(typed, servers)).result;
    expect(await resultOf('a.example')).toEqual({
      kind: 'redirect',
      host: 'a.example',
      to: 'login.example',
    });
    expect(await resultOf('plain.example')).toEqual({
      kind: 'redirect',
      host: 'plain.example',
      to: 'evil.example',
    });
    const { result, probed } = await lookUpAmong('b.example', servers);
    expect(result.kind).toBe('redirect');
    expect(probed).toHaveLength(4);
    expect(await resultOf('d.example')).toMatchObject({ kind: 'redirect', to: 'd.example' });
  });

  test('reports each failure with the host', async () => {
    const servers: Record<string, ProbeResult> = {
      'https://a.example': { kind: 'server-too-old' },
    };
    expect((await lookUpAmong('a.example', servers)).result).toEqual({
      kind: 'server-too-old',
      host: 'a.example',
    });
    expect((await lookUpAmong('b.example', servers)).result).toEqual({
      kind: 'no-connection',
      host: 'b.example',
    });
    expect((await lookUpAmong('a b', servers)).result).toEqual({ kind: 'invalid' });
  });

  test('finds a real server on this machine', async () => {
    const { result } = await lookUp(new URL(server.url).host, (origin) => probe(origin));
    expect(result).toMatchObject({ kind: 'found', origin: server.url });
  });
});

test("listMediaOrigins lists the origins other than the server's own", () => {
  const own = 'https://a.example';
  const avatarUrl = '/api/avatars/{name}.svg';
  expect(listMediaOrigins(own, { mediaBase: '/media/', avatarUrl })).toEqual([]);
  expect(
    listMediaOrigins(own, {
      mediaBase: 'https://cdn.example/x/',
      avatarUrl: 'https://cdn.example/{name}',
    }),
  ).toEqual(['https://cdn.example']);
  expect(listMediaOrigins(own, { mediaBase: 'data:x', avatarUrl: 'file:///{name}' })).toEqual([]);
});
