import { API_VERSION } from '@parley/contract';
import { runServer, serverFromSources, type RunningServer } from '@parley/testing';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { lookUp } from '../src/main/servers/look-up.ts';
import {
  listMediaOrigins,
  probeServer,
  type ProbeResult,
} from '../src/main/servers/probe-server.ts';
import { createSessionFetch } from './support/session-fetch.ts';

let server: RunningServer;
let other: Server;
let otherPort: number;
beforeAll(async () => {
  server = await runServer({ PARLEY_RATE_LIMITS: 'false' }, serverFromSources);
  other = createServer((request, reply) => {
    const version = /^\/v(\d+)\//.exec(request.url ?? '')?.[1];
    if (request.url === '/api/config') reply.end(responses[0]);
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

function probe(origin: string, fetch = createSessionFetch().fetch): Promise<ProbeResult> {
  return probeServer(origin, { fetch, findRefusedFingerprint: () => 'sha256/AAA' });
}
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
