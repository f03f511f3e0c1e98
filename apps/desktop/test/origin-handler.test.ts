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

describe('the page', () => {
  test('every screen is the bundled document, under a policy of its own', async () => {
    for (const path of ['/', '/chatarea/chats/1', '/privacy']) {
      const response = await origin.request(path, { headers: { accept: HTML } });
      expect(await response.text()).toContain('<title>Parley</title>');
      expect(response.headers.get('content-security-policy')).toContain("default-src 'none'");
    }
  });

  test('its files come with their type; what is not there is not the document', async () => {
    const script = await origin.request('/assets/app-1a2b.js');
    expect(script.headers.get('content-type')).toContain('text/javascript');
    expect(script.headers.get('cache-control')).toContain('immutable');
    expect((await origin.request('/assets/app-gone.js')).status).toBe(404);
    const head = await origin.request('/assets/app-1a2b.js', { method: 'HEAD' });
    expect([head.status, await head.text()]).toEqual([200, '']);
  });
});

describe('signing in', () => {
  test('the cookie is kept, sent again, and carries the live connection', async () => {
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

  test('what changes something carries the server as its origin, whatever the page said', async () => {
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

describe('uploads', () => {
  test('10 MiB arrive whole and are played by ranges', async () => {
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

  test('what is larger never reaches the network', async () => {
    await origin.logIn();
    const response = await upload(makeWav(LIMITS.audioBytesMax + 128 * 1024));
    expect(response.status).toBe(413);
    expect(await response.json()).toMatchObject({ code: 'too_large' });
  });
});

describe('what is refused', () => {
  test.each(['https://evil.example/', 'http://localhost:1/api/users/current'])(
    '%s: another origin',
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
  ])('%s: a path that leaves the bundle', async (path, status) => {
    expect((await origin.request(path)).status).toBe(status);
  });

  test('anything but reading, outside the interface', async () => {
    expect((await origin.request('/chatarea', { method: 'POST', body: 'x' })).status).toBe(405);
  });
});

describe('without the server', () => {
  test('the page comes up, and everything else fails as a network does', async () => {
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

  test('a network that responds in its place names no hosts of media', async () => {
    for (const text of ['<h1>Sign in to the Wi-Fi</h1>', '{"avatarUrl":"https://b.example/"}']) {
      const handle = origin.handlerOver(async () => new Response(text));
      const response = await handle(new Request(`${backend.server.url}/api/config`));
      expect(await response.text()).toBe(text);
    }
    expect(origin.mediaOrigins()).toEqual([]);
  });
});
