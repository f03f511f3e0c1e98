import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { checkForUpdate } from './update-check.ts';
import { isNewer } from './version.ts';

test.each([
  ['1.2.4', '1.2.3', true],
  ['1.10.0', '1.9.9', true],
  ['v2.0.0', '1.99.99', true],
  ['1.2.3', '1.2.3', false],
  ['1.2.2', '1.2.3', false],
  ['1.2.3', '1.2.3-beta.1', true],
  ['1.2.3-beta.10', '1.2.3-beta.9', true],
  ['1.2.3-beta.1', '1.2.3-beta', true],
  ['1.2.3-beta', '1.2.3-alpha.5', true],
  ['1.2.3-beta', '1.2.3', false],
  ['1.2.3-1', '1.2.3-a', false],
  ['1.2', '1.1.0', false],
  ['latest', '1.0.0', false],
  [`9.0.0-${'a'.repeat(100)}`, '1.0.0', false],
  [`${'9'.repeat(400)}.0.0`, '1.0.0', false],
])('%s after %s: %s', (candidate, current, expected) => {
  expect(isNewer(candidate, current)).toBe(expected);
});

let server: Server;
let port: number;
const files: Record<string, string> = {
  '/good/latest-linux.yml': 'version: 1.3.0\nfiles:\n  - url: a.AppImage\npath: a.AppImage\n',
  '/good/latest-mac.yml': "version: '1.2.0'\n",
  '/good/latest.yml': 'version: 0.9.0\n',
  '/html/latest-linux.yml': '<html>version: 9.9.9 is out</html>',
};
beforeAll(async () => {
  server = createServer((request, reply) => {
    const body = files[request.url ?? ''];
    reply.writeHead(body === undefined ? 404 : 200).end(body);
  });
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  ({ port } = server.address() as AddressInfo);
});
afterAll(() => new Promise((resolve) => void server.close(resolve)));

function check(feed: string, platform: NodeJS.Platform) {
  return checkForUpdate({
    feed,
    platform,
    currentVersion: '1.2.0',
    // The same server behind an address of https.
    fetch: (url, init) =>
      fetch(url.replace('https://feed.example', `http://127.0.0.1:${port}`), init),
  });
}

test('each system has its own file, and is told the page to get it from', async () => {
  expect(await check('https://feed.example/good', 'linux')).toEqual({
    kind: 'newer',
    version: '1.3.0',
    page: 'https://feed.example/good/',
  });
  expect(await check('https://feed.example/good/', 'darwin')).toEqual({ kind: 'newest' });
  expect(await check('https://feed.example/good/', 'win32')).toEqual({ kind: 'newest' });
});

test.each([
  'https://feed.example/html',
  'https://feed.example/none',
  'http://feed.example/good',
  'nonsense',
])('%s tells nothing', async (feed) =>
  expect(await check(feed, 'linux')).toEqual({ kind: 'failed' }),
);
