import { afterAll, beforeAll, expect, test } from 'vitest';
import { startServer, type TestServer } from '../../test/harness.ts';
import { drawAvatar, requestAvatar } from './avatar.service.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startServer();
});
afterAll(() => server.close());

const getAvatar = (name: string, headers: Record<string, string> = {}) =>
  server.client().request('GET', `/api/avatars/${encodeURIComponent(name)}`, undefined, headers);

test('draws the same robot for all spellings of a name and another one for another name', async () => {
  const first = await getAvatar('Jürgen');
  expect(first.status).toBe(200);
  expect(first.headers.get('content-type')).toBe('image/svg+xml; charset=utf-8');
  expect(first.body).toMatch(/^<svg .*<\/svg>$/s);
  expect((await getAvatar('ju\u0308rgen')).body).toBe(first.body);
  expect((await getAvatar('Alice')).body).not.toBe(first.body);
});

test('sends avatars with a sandbox policy and a cache lifetime', async () => {
  const { headers } = await getAvatar('Alice');
  expect(headers.get('content-security-policy')).toContain('sandbox');
  expect(headers.get('x-content-type-options')).toBe('nosniff');
  expect(headers.get('cache-control')).toMatch(/^public, max-age=\d+/);
});

test('draws robots that have at most 4 KiB when compressed', () => {
  for (let i = 0; i < 300; i += 1) {
    const { identity, gzip, br } = drawAvatar(`user${i}`);
    expect(gzip?.length).toBeLessThanOrEqual(4_096);
    expect(br?.length).toBeLessThanOrEqual(4_096);
    expect(identity.toString()).toMatch(/^<svg .*<\/svg>$/s);
    // The SVG is well-formed even if a pattern was removed.
    const opened = identity.toString().match(/<g[ >]/g)?.length;
    expect(identity.toString().match(/<\/g>/g)).toHaveLength(opened ?? 0);
  }
});

test('compresses avatars and marks them as immutable at the URL from the configuration', async () => {
  const { body: config } = await server.client().request('GET', '/api/config');
  const path = config.avatarUrl.replace('{name}', 'Alice');
  const { headers, body } = await server.client().request('GET', path);
  expect(headers.get('content-encoding')).toMatch(/^(?:br|gzip)$/);
  expect(headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
  expect(body).toBe((await getAvatar('Alice')).body);
  const other = await server.client().request('GET', '/api/avatars/Alice?v=another');
  expect(other.headers.get('cache-control')).toMatch(/^public, max-age=604800/);
});

test('draws at most one robot per turn of the event loop and limits the queue', async () => {
  let turns = 0;
  let isDone = false;
  const countTurns = () => {
    turns += 1;
    if (!isDone) setImmediate(countTurns);
  };
  setImmediate(countTurns);
  const flood = Array.from({ length: 1_100 }, (_, i) => requestAvatar(`flood${i}`, '192.0.2.1'));
  const outcomes = Promise.allSettled(flood);
  await requestAvatar('Neighbor', '192.0.2.2');
  // Only the robot in progress and one from the queue are drawn before this one.
  expect(turns).toBeLessThan(10);
  const rejected = (await outcomes).filter(({ status }) => status === 'rejected');
  isDone = true;
  expect(rejected).toHaveLength(100);
  for (const outcome of rejected) {
    expect(outcome).toMatchObject({ reason: { code: 'unavailable' } });
  }
  expect(turns).toBeGreaterThanOrEqual(1_000);
}, 60_000);

test('responds with 304 if the client already has the avatar', async () => {
  const etag = (await getAvatar('Alice')).headers.get('etag') ?? '';
  const again = await getAvatar('Alice', { 'if-none-match': `"other", W/${etag}` });
  expect(again).toMatchObject({ status: 304, body: '' });
  expect(again.headers.get('etag')).toBe(etag);
  expect((await getAvatar('Alice', { 'if-none-match': '"other"' })).status).toBe(200);
});

test.each([
  ['the longest name', '𝒶'.repeat(20), 200],
  ['markup', '<script>alert(1)</script>', 200],
  ['a path', '../../etc/passwd', 200],
  ['a name that is too long', 'x'.repeat(65), 400],
  ['a name that is far too long', 'x'.repeat(5000), 400],
])('responds to %s with status %i', async (_, name, status) => {
  const response = await getAvatar(name);
  expect(response.status).toBe(status);
  expect(JSON.stringify(response.body)).not.toContain('alert');
});

test('rejects an invalid percent encoding', async () => {
  const response = await server.client().request('GET', '/api/avatars/%E0%A4%A');
  expect(response).toMatchObject({ status: 400, body: { code: 'invalid_request' } });
});
