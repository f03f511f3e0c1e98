import { afterAll, beforeAll, expect, test } from 'vitest';
import { beginChat } from '../../test/chatting.ts';
import { startServer, type TestServer, type TestUser } from '../../test/harness.ts';
import { sendRaw } from '../../test/raw-request.ts';

let server: TestServer;
let anna: TestUser;
beforeAll(async () => {
  server = await startServer();
  anna = await server.signIn('Anna');
  for (let i = 0; i < 10; i += 1) await beginChat(anna, await server.signIn(`Partner${i}`));
});
afterAll(() => server.close());

const get = (path: string, encoding: string) => {
  const headers = { cookie: anna.cookie, 'accept-encoding': encoding };
  return sendRaw(server.url, { method: 'GET', path, headers, body: undefined }, 10_000);
};

test('compresses a long JSON response if the client accepts it', async () => {
  const plain = await get('/api/chatrooms/chats', 'identity');
  expect(plain.headers['content-encoding']).toBeUndefined();
  const packed = await get('/api/chatrooms/chats', 'br, gzip');
  expect(packed.headers['content-encoding']).toBe('gzip');
  expect(Number(packed.headers['content-length'])).toBeLessThan(plain.text.length / 2);
  for (const { headers } of [plain, packed]) expect(headers.vary).toBe('accept-encoding');

  const unpacked = await anna.request('GET', '/api/chatrooms/chats');
  expect(unpacked.headers.get('content-encoding')).toBe('gzip');
  expect(unpacked.body).toEqual(JSON.parse(plain.text));
});

test('does not compress short responses and files that are already compressed', async () => {
  for (const path of ['/api/users/current', '/api/nothing']) {
    const { headers } = await get(path, 'gzip');
    expect(headers['content-encoding']).toBeUndefined();
    expect(headers.vary).toBeUndefined();
  }
  expect((await get('/api/avatars/Anna', 'br, gzip')).headers['content-encoding']).toBe('br');
});
