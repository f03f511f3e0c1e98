import { expect, onTestFinished, test } from 'vitest';
import { packFile } from '../../scripts/pack-folder.ts';
import { startServer, type TestServer } from '../../test/harness.ts';

const index = await packFile('/index.html', Buffer.from('<!doctype html>'));

async function start(env: Record<string, string> = {}): Promise<TestServer> {
  const server = await startServer(env, undefined, new Map([['/index.html', index]]));
  onTestFinished(() => server.close());
  return server;
}

test.each(['/', '/api/config', '/api/users/current', '/api/nothing', '/api/avatars/Alice'])(
  '%s cannot be framed or sniffed and leaks no referrer, even as an error',
  async (path) => {
    const server = await start();
    const { headers } = await server.client().request('GET', path);
    expect(headers.get('x-content-type-options')).toBe('nosniff');
    expect(headers.get('x-frame-options')).toBe('DENY');
    expect(headers.get('referrer-policy')).toBe('no-referrer');
    expect(headers.get('cross-origin-opener-policy')).toBe('same-origin');
    expect(headers.get('cross-origin-resource-policy')).toBe('same-origin');
    expect(headers.get('permissions-policy')).toContain('microphone=(self)');
    expect(headers.get('content-security-policy')).toContain("default-src 'none'");
    expect(headers.get('access-control-allow-origin')).toBeNull();
    expect(headers.get('server') ?? headers.get('x-powered-by')).toBeNull();
  },
);

test('API responses are never cached', async () => {
  const server = await start();
  for (const path of ['/api/config', '/api/users/current', '/api/nothing']) {
    const { headers } = await server.client().request('GET', path);
    expect(headers.get('cache-control')).toBe('no-store');
  }
});

test('the client only runs its own scripts and only connects to its own server', async () => {
  const server = await start();
  const { headers } = await server.client().request('GET', '/');
  const policy = headers.get('content-security-policy')?.split('; ');
  expect(policy).toContain("script-src 'self'");
  expect(policy).toContain("connect-src 'self'");
  expect(policy).toContain("img-src 'self' data: blob:");
  expect(policy).toContain("frame-ancestors 'none'");
  expect(policy?.join('; ')).not.toMatch(/script-src[^;]*unsafe|https?:/);
});

test('allows the configured hosts of avatars, emoji and media', async () => {
  const server = await start({
    PARLEY_AVATAR_URL: 'https://robots.example.org/v1/{name}.svg',
    PARLEY_EMOJI_URL: 'https://emoji.example.org/{style}/{code}.png',
    PARLEY_MEDIA_URL: 'https://media.example.org/parley/',
  });
  const { headers } = await server.client().request('GET', '/');
  const policy = headers.get('content-security-policy')?.split('; ');
  expect(policy).toContain(
    "img-src 'self' data: blob: https://robots.example.org https://emoji.example.org https://media.example.org",
  );
  expect(policy).toContain("media-src 'self' blob: https://media.example.org");
});

test('sends HSTS only over https', async () => {
  const server = await start({ PARLEY_TRUST_PROXY: 'true' });
  const get = (headers: Record<string, string>) =>
    server.client().request('GET', '/', undefined, headers);
  expect((await get({})).headers.get('strict-transport-security')).toBeNull();
  const secure = await get({ 'x-forwarded-proto': 'https' });
  expect(secure.headers.get('strict-transport-security')).toMatch(/^max-age=\d+$/);
});
