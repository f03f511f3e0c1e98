import { connect } from 'node:net';
import { once } from 'node:events';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { Agent, request as httpRequest } from 'node:http';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { packFile } from '../../scripts/pack-folder.ts';
import { startServer, type TestServer } from '../../test/harness.ts';
import { until } from '../../test/until.ts';
import { readWebPack, writeWebPack, type WebFile } from './web-pack.ts';

const INDEX = `<!doctype html><title>Parley</title>${'<p>words</p>'.repeat(100)}`;
const SCRIPT = 'export const answer = 42;'.repeat(100);
const PICTURE = Buffer.from('89504e470d0a1a0a', 'hex');

const WORKER = "addEventListener('fetch', () => undefined);".repeat(100);

let server: TestServer;
let files: Map<string, WebFile>;
beforeAll(async () => {
  const contents = {
    '/index.html': Buffer.from(INDEX),
    '/assets/main-1a2b.js': Buffer.from(SCRIPT),
    '/icon.png': PICTURE,
    '/service-worker.js': Buffer.from(WORKER),
  };
  files = new Map(
    await Promise.all(
      Object.entries(contents).map(
        async ([path, bytes]) => [path, await packFile(path, bytes)] as const,
      ),
    ),
  );
  server = await startServer({}, undefined, readWebPack(writeWebPack(files)));
});
afterAll(() => server.close());

interface RawResponse {
  status: number | undefined;
  headers: Record<string, string | string[] | undefined>;
  body: Buffer;
}

/** Sends a request without decompressing the response or resolving dots, as `fetch` does. */
function raw(
  path: string,
  headers: Record<string, string> = {},
  method = 'GET',
): Promise<RawResponse> {
  return new Promise((resolve, reject) => {
    const { hostname, port } = new URL(server.url);
    httpRequest({ hostname, port, path, method, headers }, (response) => {
      const parts: Buffer[] = [];
      response.on('data', (part: Buffer) => parts.push(part));
      response.on('end', () =>
        resolve({
          status: response.statusCode,
          headers: response.headers,
          body: Buffer.concat(parts),
        }),
      );
    })
      .on('error', reject)
      .end();
  });
}

describe('content encoding', () => {
  test.each([
    [undefined, undefined],
    ['identity', undefined],
    ['gzip', 'gzip'],
    ['gzip, deflate, br', 'br'],
    ['gzip, br;q=0', 'gzip'],
    ['*', 'br'],
    ['br;q=0, *;q=0', undefined],
    ['x-none', undefined],
  ])('responds to Accept-Encoding: %s with the encoding %s', async (accepted, encoding) => {
    const response = await raw('/', accepted === undefined ? {} : { 'accept-encoding': accepted });
    expect(response.status).toBe(200);
    expect(response.headers['content-encoding']).toBe(encoding);
    expect(response.headers['vary']).toBe('accept-encoding');
    expect(response.headers['content-length']).toBe(String(response.body.length));
    const decode = { br: brotliDecompressSync, gzip: gunzipSync }[encoding ?? ''];
    expect((decode?.(response.body) ?? response.body).toString()).toBe(INDEX);
  });

  test('sends files that are already compressed unchanged', async () => {
    const { headers, body } = await raw('/icon.png', { 'accept-encoding': 'br, gzip' });
    expect(headers['content-encoding']).toBeUndefined();
    expect(body).toEqual(PICTURE);
  });
});

describe('caching', () => {
  test('makes files with a hash in their name immutable and revalidates others', async () => {
    expect((await raw('/assets/main-1a2b.js')).headers['cache-control']).toBe(
      'public, max-age=31536000, immutable',
    );
    expect((await raw('/')).headers['cache-control']).toBe('no-cache');
    expect((await raw('/icon.png')).headers['cache-control']).toBe('no-cache');
  });

  test('responds with 304 for the encoding that the browser has and with 200 for another', async () => {
    const br = { 'accept-encoding': 'br' };
    const etag = String((await raw('/', br)).headers['etag']);
    const again = await raw('/', { ...br, 'if-none-match': etag });
    expect(again.status).toBe(304);
    expect(again.body).toHaveLength(0);
    expect(again.headers['etag']).toBe(etag);
    expect((await raw('/', { 'if-none-match': etag })).status).toBe(200);
  });
});

describe('the service worker', () => {
  test('is a script that browsers always revalidate', async () => {
    const { status, headers, body } = await raw('/service-worker.js', {
      'accept-encoding': 'gzip',
    });
    expect(status).toBe(200);
    expect(headers['content-type']).toBe('text/javascript; charset=utf-8');
    expect(headers['cache-control']).toBe('no-cache');
    expect(headers['content-security-policy']).toContain("default-src 'none'");
    expect(gunzipSync(body).toString()).toContain(WORKER);
  });

  test('changes when the headers of the page change', async () => {
    const read = async (url: string) => {
      const response = await fetch(`${url}/service-worker.js`);
      return { etag: response.headers.get('etag'), text: await response.text() };
    };
    const sameAgain = await startServer({}, undefined, files);
    const otherMedia = await startServer(
      { PARLEY_MEDIA_URL: 'https://media.example.org/' },
      undefined,
      files,
    );
    try {
      const script = await read(server.url);
      expect(await read(sameAgain.url)).toEqual(script);
      const other = await read(otherMedia.url);
      expect(other.text).not.toBe(script.text);
      expect(other.etag).not.toBe(script.etag);
    } finally {
      await sameAgain.close();
      await otherMedia.close();
    }
  });
});

describe('navigation', () => {
  const navigation = { accept: 'text/html,application/xhtml+xml' };

  test.each(['/', '/chatarea', '/chatarea/chats/new-chatroom/j%C3%BCrgen', '/no/such/screen'])(
    'serves the client for navigation to %s',
    async (path) => {
      const response = await raw(path, navigation);
      expect(response.status).toBe(200);
      expect(response.body.toString()).toBe(INDEX);
      expect(response.headers['content-type']).toBe('text/html; charset=utf-8');
    },
  );

  test.each([
    ['/api/no-such-call', navigation],
    ['/api', navigation],
    ['/assets/gone-3c4d.js', navigation],
    ['/socket.io/nothing', navigation],
    ['/missing.png', { accept: 'image/*' }],
    ['/../package.json', {}],
    ['/assets/%2e%2e/%2e%2e/package.json', {}],
    ['/assets/..%5c..%5cpackage.json', {}],
    ['/__proto__', {}],
    ['/%00', {}],
  ])('responds with 404 to %s', async (path, headers) => {
    const response = await raw(path, headers);
    expect(response.status).toBe(404);
    expect(JSON.parse(response.body.toString())).toMatchObject({ code: 'not_found' });
  });

  test('responds to HEAD with the headers of GET and no body', async () => {
    const response = await raw('/chatarea', navigation, 'HEAD');
    expect(response.status).toBe(200);
    expect(response.headers['content-length']).toBe(String(INDEX.length));
    expect(response.body).toHaveLength(0);
  });

  test.each(['POST', 'PUT', 'DELETE'])('responds with 404 to %s of a screen', async (method) => {
    expect((await raw('/chatarea', navigation, method)).status).toBe(404);
  });
});

describe('content shared from other apps', () => {
  const body = new FormData();
  body.append('text', 'A text');
  body.append('files', new Blob([new Uint8Array(1024 * 1024)], { type: 'image/png' }), 'a.png');

  test.each<[string, RequestInit]>([
    ['a form', { body }],
    ['a form of an app without an origin', { body, headers: { origin: 'null' } }],
    ['no body', {}],
    ['a body of an unknown type', { body: 'x', headers: { 'content-type': 'x/y' } }],
    ['an invalid body', { body: '{', headers: { 'content-type': 'application/json' } }],
  ])('redirects %s that no service worker has received to an explanation', async (_, options) => {
    const { url } = server;
    const response = await fetch(`${url}/share`, {
      ...options,
      method: 'POST',
      redirect: 'manual',
    });
    expect(response.status).toBe(303);
    expect(response.headers.get('location')).toBe('/share?error=missed');
  });

  test('explains two large pictures as well, after which the connection is used again', async () => {
    const pictures = new FormData();
    const bytes = new Uint8Array(12.5 * 1024 * 1024);
    for (const name of ['a.png', 'b.png']) {
      pictures.append('files', new Blob([bytes], { type: 'image/png' }), name);
    }
    const form = new Response(pictures);
    const content = Buffer.from(await form.arrayBuffer());
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    onTestFinished(() => agent.destroy());
    const share = () => {
      const headers = { 'content-type': form.headers.get('content-type') ?? '' };
      const request = httpRequest(`${server.url}/share`, { method: 'POST', agent, headers });
      request.end(content);
      return once(request, 'response').then(([response]) => {
        response.resume();
        const { statusCode, headers: received, socket } = response;
        return [statusCode, received.location, socket.localPort];
      });
    };
    const first = await share();
    expect(first).toEqual([303, '/share?error=missed', expect.any(Number)]);
    expect(await share()).toEqual(first);
  });

  test('responds only after it has read everything', async () => {
    const { hostname, port, host } = new URL(server.url);
    const socket = connect(Number(port), hostname).setEncoding('utf8');
    onTestFinished(() => void socket.destroy());
    let text = '';
    socket.on('data', (piece: string) => (text += piece));
    socket.write(`POST /share HTTP/1.1\r\nhost: ${host}\r\ncontent-length: 8\r\n\r\npart`);
    const [accepted] = await once(server.app.server, 'connection');
    await until(() => accepted.bytesRead > 0);
    await raw('/');
    expect(text).toBe('');
    socket.write('rest');
    await until(() => text.startsWith('HTTP/1.1 303 '));
  });

  test('logs nothing if the client closes the connection while it sends', async () => {
    const logged = server.log.length;
    const { hostname, port, host } = new URL(server.url);
    const socket = connect(Number(port), hostname);
    socket.write(`POST /share HTTP/1.1\r\nhost: ${host}\r\ncontent-length: 1000\r\n\r\npart`);
    const [accepted] = await once(server.app.server, 'connection');
    await until(() => accepted.bytesRead > 0);
    socket.destroy();
    await until(() => server.log.slice(logged).some((line) => line.includes('client error')));
    expect((await raw('/')).status).toBe(200);
    expect(server.log.slice(logged).join()).not.toMatch(/"level":[4-6]0/);
  });
});

test('serves only the API without a build', async () => {
  const bare = await startServer();
  try {
    const client = bare.client();
    expect((await client.request('GET', '/', undefined, { accept: 'text/html' })).status).toBe(404);
    expect((await client.request('GET', '/api/config')).status).toBe(200);
  } finally {
    await bare.close();
  }
});
