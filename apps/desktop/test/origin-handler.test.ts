import { LIMITS } from '@parley/contract';
import { makeWav } from '@parley/testing';
import { io } from 'socket.io-client';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import {
  ada,
  json,
  openOrigin,
  startBackend,
  type Backend,
  type Origin,
} from './support/origin.ts';

const HTML = 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8';

let backend: Backend;
let origin: Origin;

beforeAll(async () => {
  backend = await startBackend();
}, 60_000);
afterAll(() => backend.dispose());
beforeEach(async () => {
  origin = await openOrigin(backend);
});

async function upload(file: Buffer<ArrayBuffer>): Promise<Response> {
  const body = new FormData();
  body.append('audio', new Blob([file], { type: 'audio/wav' }), 'voice.wav');
  return origin.request('/api/upload/audio', { method: 'POST', body });
}

describe('the origin handler', () => {
  test('serves the bundled document with its own policy for every screen', async () => {
    for (const path of ['/', '/chatarea/chats/1', '/privacy']) {
      const response = await origin.request(path, { headers: { accept: HTML } });
      expect(await response.text()).toContain('<title>Parley</title>');
      expect(response.headers.get('content-security-policy')).toContain("default-src 'none'");
    }
  });

  test('serves files with their type, and 404 for missing files', async () => {
    const script = await origin.request('/assets/app-1a2b.js');
    expect(script.headers.get('content-type')).toContain('text/javascript');
    expect(script.headers.get('cache-control')).toContain('immutable');
    expect((await origin.request('/assets/app-gone.js')).status).toBe(404);
    const head = await origin.request('/assets/app-1a2b.js', { method: 'HEAD' });
    expect([head.status, await head.text()]).toEqual([200, '']);
  });
});

describe('signing in', () => {
  test('keeps the session cookie, which also authenticates the live connection', async () => {
    expect((await origin.request('/api/users/current')).status).toBe(401);
    await origin.logIn();
    const current = await origin.request('/api/users/current');
    expect(await current.json()).toMatchObject({ username: 'ada', usermail: ada.email });
    expect(origin.session.cookie()).toContain('parley.sid=');

    const socket = io(backend.server.url, {
      transports: ['websocket'],
      reconnection: false,
      extraHeaders: { cookie: origin.session.cookie(), origin: backend.server.url },
    });
    await new Promise<void>((resolve, reject) => {
      socket.on('connect', resolve);
      socket.on('connect_error', reject);
    });
    socket.disconnect();
  });

  test('allows requests that change data, regardless of the origin header that the page has set', async () => {
    await origin.logIn();
    for (const headers of [{}, { origin: 'https://evil.example' }]) {
      const response = await origin.request('/api/users/volume', {
        method: 'PATCH',
        headers: { 'content-type': 'application/json', ...headers },
        body: JSON.stringify({ volume: 'full' }),
      });
      expect(response.status).toBe(200);
    }
  });
});

describe('logging out', () => {
  test('empties the cache of the session when the page asks the browser to', async () => {
    await origin.logIn();
    expect((await origin.request('/api/users/logout')).status).toBe(200);
    expect(origin.clearedCaches()).toBe(0);
    const response = await origin.request('/api/users/clear-cache', { method: 'POST' });
    expect(response.status).toBe(200);
    expect(origin.clearedCaches()).toBe(1);
  });
});

describe('uploads', () => {
  test('uploads of 10 MiB arrive complete and can be requested by ranges', async () => {
    await origin.logIn();
    const file = makeWav(LIMITS.audioBytesMax);
    const response = await upload(file);
    expect(response.status).toBeLessThan(300);
    const { url } = (await response.json()) as { url: string };
    const { pathname } = new URL(url);

    const part = await origin.request(pathname, { headers: { range: 'bytes=0-99' } });
    expect(part.status).toBe(206);
    expect(part.headers.get('content-range')).toBe(`bytes 0-99/${file.length}`);
    expect(Buffer.from(await part.arrayBuffer())).toEqual(file.subarray(0, 100));

    const end = await origin.request(pathname, { headers: { range: `bytes=${file.length - 8}-` } });
    expect([end.status, (await end.arrayBuffer()).byteLength]).toEqual([206, 8]);
    expect((await origin.request(pathname, { headers: { accept: HTML } })).status).toBe(403);
    origin.session.clear();
    expect((await origin.request(pathname)).status).toBeGreaterThanOrEqual(400);
  });

  test('uploads that are too large never reach the network', async () => {
    await origin.logIn();
    const response = await upload(makeWav(LIMITS.audioBytesMax + 128 * 1024));
    expect(response.status).toBe(413);
    expect(await response.json()).toMatchObject({ code: 'too_large' });
  });
});

describe('refused requests', () => {
  test.each(['https://evil.example/', 'http://localhost:1/api/users/current'])(
    'a request to the other origin %s gets 403',
    async (url) => {
      await origin.logIn();
      const response = await origin.handle(new Request(url));
      expect(response.status).toBe(403);
    },
  );

  test.each([
    ['/api/../../../../etc/passwd', 404],
    ['/%2e%2e/%2e%2e/etc/passwd', 404],
    ['/assets/%2e%2e/%2e%2e/package.json', 404],
    ['/assets/..%2f..%2fpackage.json', 404],
    ['/assets\\..\\..\\package.json', 404],
  ])('a request for %s, a path outside the bundle, gets %s', async (path, status) => {
    expect((await origin.request(path)).status).toBe(status);
  });

  test('a request outside the API with a method other than GET and HEAD gets 405', async () => {
    expect((await origin.request('/chatarea', { method: 'POST', body: 'x' })).status).toBe(405);
  });
});

describe('without the server', () => {
  test('the page loads, and all other requests fail with a network error', async () => {
    await origin.request('/api/config');
    await origin.logIn();
    await origin.request('/api/users/current');
    await backend.server.stop();
    try {
      expect((await origin.request('/', { headers: { accept: HTML } })).status).toBe(200);
      for (const path of ['/api/config', '/api/users/current', '/api/chatrooms/chats']) {
        expect((await origin.request(path)).type).toBe('error');
      }
      const message = json('POST', { chatroom: '1', content: 'Hi' });
      expect((await origin.request('/api/messages/send', message)).type).toBe('error');
    } finally {
      await backend.server.start();
    }
    expect((await origin.request('/api/users/current')).status).toBe(200);
  }, 60_000);

  test('the response of a captive portal does not change the media origins', async () => {
    for (const text of ['<h1>Sign in to the Wi-Fi</h1>', '{"avatarUrl":"https://b.example/"}']) {
      const handle = origin.handlerOver(async () => new Response(text));
      const response = await handle(new Request(`${backend.server.url}/api/config`));
      expect(await response.text()).toBe(text);
    }
    expect(origin.mediaOrigins()).toEqual([]);
  });
});
