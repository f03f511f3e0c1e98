import { LIMITS } from '@parley/contract';
import { makeWav, runServer, serverFromSources, type RunningServer } from '@parley/testing';
import { join } from 'node:path';
import { io } from 'socket.io-client';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { openLastAnswers, type LastAnswers } from '../src/main/origin/last-answers.ts';
import { createOriginHandler } from '../src/main/origin/origin-handler.ts';
import { makeBundle, NO_VAULT, type Bundle } from './support/bundle.ts';
import { createSessionFetch, type SessionFetch } from './support/session-fetch.ts';

const HTML = 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8';
const ada = { email: 'ada@example.org', username: 'ada', password: 'correct horse' };

let server: RunningServer;
let bundle: Bundle;
let lastAnswers: LastAnswers;
let session: SessionFetch;
let handle: (request: Request) => Promise<Response>;
let mediaOrigins: string[];

beforeAll(async () => {
  server = await runServer({ PARLEY_RATE_LIMITS: 'false' }, serverFromSources);
  bundle = await makeBundle();
  const data = { ...ada, language: 'en' };
  const plain = createSessionFetch();
  await plain.fetch(`${server.url}/api/users/register`, json('POST', data));
  const key = await server.keyFor(ada.email);
  const verified = await plain.fetch(
    `${server.url}/api/users/register/verify`,
    json('POST', { email: ada.email, key }),
  );
  expect(verified.status).toBe(200);
}, 60_000);

afterAll(async () => {
  await server.dispose();
  await bundle.dispose();
});

beforeEach(async () => {
  session = createSessionFetch();
  mediaOrigins = [];
  lastAnswers = await openLastAnswers(join(bundle.folder, 'none'), NO_VAULT);
  handle = handlerOver(session.fetch);
});

/** The handler over a network. */
function handlerOver(fetch: SessionFetch['fetch']): typeof handle {
  return createOriginHandler({
    serverOrigin: server.url,
    pageOrigin: server.url,
    assets: bundle.assets,
    lastAnswers,
    fetch,
    mediaOrigins: () => mediaOrigins,
    onMediaOrigins: (found) => {
      mediaOrigins = found;
    },
  });
}

function json(method: string, data: object): RequestInit {
  return {
    method,
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(data),
  };
}

/** Asks as the page does. */
function ask(path: string, init: RequestInit = {}): Promise<Response> {
  return handle(new Request(new URL(path, server.url), init));
}

async function logIn(): Promise<void> {
  const answer = await ask('/api/users/login', json('POST', ada));
  expect(await answer.json()).toMatchObject({ isVerified: true });
}

async function upload(file: Buffer<ArrayBuffer>): Promise<Response> {
  const body = new FormData();
  body.append('audio', new Blob([file], { type: 'audio/wav' }), 'voice.wav');
  return ask('/api/upload/audio', { method: 'POST', body });
}

describe('the page', () => {
  test('every screen is the bundled document, under a policy of its own', async () => {
    for (const path of ['/', '/chatarea/chats/1', '/privacy']) {
      const answer = await ask(path, { headers: { accept: HTML } });
      expect(await answer.text()).toContain('<title>Parley</title>');
      expect(answer.headers.get('content-security-policy')).toContain("default-src 'none'");
    }
  });

  test('its files come with their type; what is not there is not the document', async () => {
    const script = await ask('/assets/app-1a2b.js');
    expect(script.headers.get('content-type')).toContain('text/javascript');
    expect(script.headers.get('cache-control')).toContain('immutable');
    expect((await ask('/assets/app-gone.js')).status).toBe(404);
    const head = await ask('/assets/app-1a2b.js', { method: 'HEAD' });
    expect([head.status, await head.text()]).toEqual([200, '']);
  });
});

describe('signing in', () => {
  test('the cookie is kept, sent again, and carries the live connection', async () => {
    expect((await ask('/api/users/current')).status).toBe(401);
    await logIn();
    const current = await ask('/api/users/current');
    expect(await current.json()).toMatchObject({ username: 'ada', usermail: ada.email });
    expect(session.cookie()).toContain('parley.sid=');

    const socket = io(server.url, {
      transports: ['websocket'],
      reconnection: false,
      extraHeaders: { cookie: session.cookie(), origin: server.url },
    });
    await new Promise<void>((resolve, reject) => {
      socket.on('connect', resolve);
      socket.on('connect_error', reject);
    });
    socket.disconnect();
  });

  test('what changes something carries the server as its origin, whatever the page said', async () => {
    await logIn();
    for (const headers of [{}, { origin: 'https://evil.example' }]) {
      const answer = await ask('/api/users/volume', {
        method: 'PATCH',
        headers: { 'content-type': 'application/json', ...headers },
        body: JSON.stringify({ volume: 'full' }),
      });
      expect(answer.status).toBe(200);
    }
  });
});

describe('uploads', () => {
  test('10 MiB arrive whole and are played by ranges', async () => {
    await logIn();
    const file = makeWav(LIMITS.audioBytesMax);
    const answer = await upload(file);
    expect(answer.status).toBeLessThan(300);
    const { url } = (await answer.json()) as { url: string };
    const { pathname } = new URL(url);

    const part = await ask(pathname, { headers: { range: 'bytes=0-99' } });
    expect(part.status).toBe(206);
    expect(part.headers.get('content-range')).toBe(`bytes 0-99/${file.length}`);
    expect(Buffer.from(await part.arrayBuffer())).toEqual(file.subarray(0, 100));

    const end = await ask(pathname, { headers: { range: `bytes=${file.length - 8}-` } });
    expect([end.status, (await end.arrayBuffer()).byteLength]).toEqual([206, 8]);
    expect((await ask(pathname, { headers: { accept: HTML } })).status).toBe(403);
    session.clear();
    expect((await ask(pathname)).status).toBeGreaterThanOrEqual(400);
  });

  test('what is larger never reaches the network', async () => {
    await logIn();
    const answer = await upload(makeWav(LIMITS.audioBytesMax + 128 * 1024));
    expect(answer.status).toBe(413);
    expect(await answer.json()).toMatchObject({ code: 'too_large' });
  });
});

describe('what is refused', () => {
  test.each(['https://evil.example/', 'http://localhost:1/api/users/current'])(
    '%s: another origin',
    async (url) => {
      await logIn();
      const answer = await handle(new Request(url));
      expect(answer.status).toBe(403);
    },
  );

  test.each([
    ['/api/../../../../etc/passwd', 404],
    ['/%2e%2e/%2e%2e/etc/passwd', 404],
    ['/assets/%2e%2e/%2e%2e/package.json', 404],
    ['/assets/..%2f..%2fpackage.json', 404],
    ['/assets\\..\\..\\package.json', 404],
  ])('%s: a path that leaves the bundle', async (path, status) => {
    expect((await ask(path)).status).toBe(status);
  });

  test('anything but reading, outside the interface', async () => {
    expect((await ask('/chatarea', { method: 'POST', body: 'x' })).status).toBe(405);
  });
});

describe('the server is gone', () => {
  test('the page comes up with what was known last, and everything else fails as a network does', async () => {
    await ask('/api/config');
    await logIn();
    await ask('/api/users/current');
    await ask('/api/chatrooms/chats');
    await server.stop();
    try {
      expect((await ask('/', { headers: { accept: HTML } })).status).toBe(200);
      expect(await (await ask('/api/users/current')).json()).toMatchObject({ username: 'ada' });
      expect(await (await ask('/api/chatrooms/chats')).json()).toMatchObject({ chatrooms: [] });
      expect((await ask('/api/users/sessions')).type).toBe('error');
      const sent = await ask('/api/messages/send', json('POST', { chatroom: '1', content: 'Hi' }));
      expect(sent.type).toBe('error');
    } finally {
      await server.start();
    }
    expect((await ask('/api/users/current')).status).toBe(200);
  }, 60_000);

  test('a network that answers in its place spoils nothing that was known', async () => {
    await ask('/api/config');
    await logIn();
    await ask('/api/users/current');
    const before = lastAnswers.recall('/api/config');
    const answering = (text: string) => handlerOver(async () => new Response(text));
    const [html, other] = ['<h1>Sign in to the Wi-Fi</h1>', '{"avatarUrl":"https://b.example/"}'];
    for (const [path, text] of [
      ['/api/config', html],
      ['/api/config', other],
      ['/api/users/current', html],
      ['/api/users/current', 'null'],
    ] as const) {
      const told = await answering(text)(new Request(`${server.url}${path}`));
      expect(await told.text()).toBe(text);
    }
    expect(lastAnswers.recall('/api/config')).toBe(before);
    expect(lastAnswers.recall('/api/users/current')).toContain('ada');
    expect(mediaOrigins).toEqual([]);
  });

  test('an answer that comes in after the sign-out is not kept', async () => {
    await logIn();
    let letIn: (() => void) | undefined;
    const slow = handlerOver(async (url, init) => {
      const answer = await session.fetch(url, init);
      await new Promise<void>((resolve) => (letIn = resolve));
      return answer;
    });
    const late = slow(new Request(`${server.url}/api/users/current`));
    await expect.poll(() => letIn).toBeDefined();
    await ask('/api/users/logout');
    letIn?.();
    expect(await (await late).json()).toMatchObject({ username: 'ada' });
    expect(lastAnswers.recall('/api/users/current')).toBeUndefined();
  });

  test('nothing of a person stays once the server says that their session is over', async () => {
    await logIn();
    await ask('/api/users/current');
    session.clear();
    expect((await ask('/api/chatrooms/chats')).status).toBe(401);
    expect(lastAnswers.recall('/api/users/current')).toBeUndefined();
  });

  test('nothing of a person stays once they signed out', async () => {
    await logIn();
    await ask('/api/users/current');
    expect(lastAnswers.recall('/api/users/current')).toContain('ada');
    expect((await ask('/api/users/logout')).status).toBeLessThan(400);
    expect(lastAnswers.recall('/api/users/current')).toBeUndefined();
  });
});
