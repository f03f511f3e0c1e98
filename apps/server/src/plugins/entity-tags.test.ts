import { afterAll, beforeAll, expect, test } from 'vitest';
import { beginChat } from '../../test/chatting.ts';
import { startServer, type TestServer, type TestUser } from '../../test/harness.ts';

let server: TestServer;
let anna: TestUser;
beforeAll(async () => {
  server = await startServer();
  anna = await server.signIn('Anna');
  await beginChat(anna, await server.signIn('Bert'));
});
afterAll(() => server.close());

const getChats = (etag?: string) =>
  fetch(`${server.url}/api/chatrooms/chats`, {
    headers: { cookie: anna.cookie, ...(etag !== undefined && { 'if-none-match': etag }) },
  });

test('sends 304 to a client that already has the chat list', async () => {
  const first = await getChats();
  const etag = first.headers.get('etag') ?? '';
  expect(etag).toMatch(/^W\/"[\w-]{43}"$/);
  const again = await getChats(etag);
  expect(again.status).toBe(304);
  expect(await again.text()).toBe('');
  expect(again.headers.get('etag')).toBe(etag);
});

test('sends the chat list again once it has changed', async () => {
  const etag = (await getChats()).headers.get('etag') ?? '';
  await beginChat(anna, await server.signIn('Carla'));
  const changed = await getChats(etag);
  expect(changed.status).toBe(200);
  expect(changed.headers.get('etag')).not.toBe(etag);
  expect(((await changed.json()) as { chatrooms: unknown[] }).chatrooms).toHaveLength(2);
});

test('adds no tag to error responses', async () => {
  const response = await fetch(`${server.url}/api/chatrooms/chats`);
  expect(response.status).toBe(401);
  expect(response.headers.get('etag')).toBeNull();
});
