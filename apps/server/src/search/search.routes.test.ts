import { sql } from 'kysely';
import { afterEach, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { changeConsent, beginChat, send } from '../../test/chatting.ts';
import { eraseAccount, fillChat } from '../../test/fixtures.ts';
import { startServer, type TestServer, type TestUser } from '../../test/harness.ts';
import { indexAll } from '../../test/indexing.ts';
import { contents, search } from '../../test/search-requests.ts';

let server: TestServer;
let ada: TestUser;
let bob: TestUser;
let chatroomId: string;
beforeEach(async () => {
  server = await startServer();
  ada = await server.signIn('Ada');
  bob = await server.signIn('Bob');
  chatroomId = await beginChat(ada, bob, 'Hello');
});
afterEach(() => server.close());

/** Returns the status and the error code of a search. */
async function attempt(user: TestUser, body: unknown): Promise<[number, string | undefined]> {
  const response = await user.request('POST', '/api/messages/search', body);
  return [response.status, response.body.code];
}

test('finds a message from when it is sent until it is indexed and afterwards', async () => {
  for (let i = 0; i < 40; i += 1) await send(ada, chatroomId, `needle ${i}`);
  expect(await contents(bob, { query: 'needle' })).toHaveLength(40);
  // The background job has indexed a full block in the meantime, or has not.
  await indexAll(server);
  await send(ada, chatroomId, 'needle again');
  expect(await contents(bob, { query: 'needle' })).toHaveLength(41);
});

test('returns each hit of several chatrooms once, newest first, over all pages', async () => {
  const carla = await server.signIn('Carla');
  const other = await beginChat(ada, carla, 'common 0');
  for (let i = 1; i < 60; i += 1) {
    await send(ada, i % 3 === 0 ? other : chatroomId, `common ${i}`);
    if (i === 40) await indexAll(server);
  }
  const expected = Array.from({ length: 60 }, (_, i) => `common ${59 - i}`);
  for (const limit of [1, 7, 20, 100]) {
    expect(await contents(ada, { query: 'common', limit })).toEqual(expected);
  }
  expect(await contents(carla, { query: 'common', limit: 7 })).toHaveLength(20);
});

test('pages through a chatroom from the oldest message on', async () => {
  await fillChat(server, chatroomId, ada, 700, (i) => `word ${i}`);
  await indexAll(server);
  await fillChat(server, chatroomId, bob, 20, (i) => `word ${700 + i}`);
  const expected = Array.from({ length: 720 }, (_, i) => `word ${i}`);
  const body = { chatroomId, query: 'word', limit: 99 };
  expect(await contents(ada, { ...body, order: 'oldest' })).toEqual(expected);
  expect(await contents(ada, body)).toEqual(expected.toReversed());
});

test('counts the hits in a chatroom up to 999', async () => {
  await fillChat(server, chatroomId, ada, 1_100, (i) => (i < 1_000 ? 'many' : 'some'));
  await indexAll(server);
  const count = async (query: string) => (await search(bob, { chatroomId, query, limit: 1 })).total;
  expect(await count('some')).toBe(100);
  expect(await count('many')).toBe(999);
  expect(await count('none')).toBe(0);
  const { cursor = '' } = await search(bob, { chatroomId, query: 'some', limit: 1 });
  expect((await search(bob, { chatroomId, query: 'some', cursor })).total).toBeUndefined();
});

describe('shows only what the history shows', () => {
  test('withheld messages and those of declined requests', async () => {
    await changeConsent(bob, chatroomId, 'block');
    await send(ada, chatroomId, 'withheld secret');
    await changeConsent(bob, chatroomId, 'unblock');
    const carla = await server.signIn('Carla');
    const request = await beginChat(carla, bob, 'requested secret', { isRequest: true });
    for (const prepare of [async () => {}, () => indexAll(server)]) {
      await prepare();
      expect(await contents(bob, { query: 'secret' })).toEqual(['requested secret']);
      expect(await contents(bob, { query: 'secret', chatroomId })).toEqual([]);
      expect((await search(bob, { query: 'secret', chatroomId })).total).toBe(0);
      expect(await contents(ada, { query: 'secret' })).toEqual(['withheld secret']);
    }
    await changeConsent(bob, request, 'decline');
    expect(await contents(bob, { query: 'secret' })).toEqual([]);
    expect(await attempt(bob, { query: 'secret', chatroomId: request })).toEqual([
      404,
      'room_not_found',
    ]);
    expect(await contents(carla, { query: 'secret' })).toEqual(['requested secret']);
  });

  test('a blocked chat only in itself, as the chat list no longer shows it', async () => {
    await send(ada, chatroomId, 'the secret of Ada');
    await send(bob, chatroomId, 'the secret of Bob');
    const found = ['the secret of Bob', 'the secret of Ada'];
    await changeConsent(bob, chatroomId, 'block');
    for (const prepare of [async () => {}, () => indexAll(server)]) {
      await prepare();
      expect(await contents(bob, { query: 'secret' })).toEqual([]);
      expect(await contents(bob, { query: 'secret', chatroomId })).toEqual(found);
      expect(await contents(ada, { query: 'secret' })).toEqual(found);
    }
    await changeConsent(bob, chatroomId, 'unblock');
    expect(await contents(bob, { query: 'secret' })).toEqual(found);
  });

  test('nothing of deleted accounts and of chatrooms of others', async () => {
    await send(ada, chatroomId, 'the secret of Ada');
    await send(bob, chatroomId, 'the secret of Bob');
    await indexAll(server);
    const carla = await server.signIn('Carla');
    expect(await contents(carla, { query: 'secret' })).toEqual([]);
    expect(await attempt(carla, { query: 'secret', chatroomId })).toEqual([404, 'room_not_found']);
    await eraseAccount(server, ada);
    expect(await contents(bob, { query: 'secret' })).toEqual(['the secret of Bob']);
    await indexAll(server);
    expect(await contents(bob, { query: 'secret' })).toEqual(['the secret of Bob']);
    await eraseAccount(server, bob);
    const left = await server.ctx.storage.read(async (db) => [
      ...(await db.selectFrom('search_rooms').select('number as id').execute()),
      ...(await db.selectFrom('search_blocks').select('id').execute()),
      ...(await db.selectFrom('search_trigrams').select('segment as id').execute()),
    ]);
    expect(left).toEqual([]);
  });
});

describe('rejects', () => {
  test.each([
    [{}, 'invalid_request'],
    [{ query: '  ' }, 'invalid_request'],
    [{ query: '\u00ad' }, 'invalid_request'],
    [{ query: 'a'.repeat(101) }, 'invalid_request'],
    [{ query: 'ab cd' }, 'search_too_short'],
    [{ query: '😀😀' }, 'search_too_short'],
    [{ query: 'ab', from: 'me' }, 'search_too_short'],
    [{ query: 'word', order: 'oldest' }, 'invalid_request'],
    [{ query: 'word', limit: 101 }, 'invalid_request'],
    [{ query: 'word', limit: 0 }, 'invalid_request'],
    [{ query: 'word', cursor: 's5' }, 'invalid_request'],
    [{ query: 'word', cursor: 'x' }, 'invalid_request'],
    [{ query: 'word', kind: 'text' }, 'invalid_request'],
    [{ query: 'word', before: 1.5 }, 'invalid_request'],
    [{ query: 'word', chatroomId: 'x' }, 'invalid_request'],
  ])('%j with %s', async (body, code) => {
    expect(await attempt(ada, body)).toEqual([400, code]);
  });

  test('a cursor of all chatrooms in one of them', async () => {
    await fillChat(server, chatroomId, ada, 5, () => 'word');
    const { cursor = '' } = await search(ada, { query: 'word', limit: 1 });
    expect(await attempt(ada, { query: 'word', chatroomId, cursor })).toEqual([
      400,
      'invalid_request',
    ]);
  });

  test('chatrooms that are unknown', async () => {
    const body = { query: 'word', chatroomId: '01000000-0000-7000-8000-000000000000' };
    expect(await attempt(ada, body)).toEqual([404, 'room_not_found']);
  });
});

// Whatever has a meaning in queries, patterns, JSON or encodings.
test.each([
  ['quotes', `"it's"`],
  ['operators', 'AND OR NOT NEAR(x) abc*'],
  ['wildcards', '100%_\\%'],
  ['brackets', '[{("<>")}]'],
  ['right-to-left text', 'שלום مرحبا'],
  ['an emoji of several characters', '👩‍👩‍👧👩‍👩‍👧👩‍👩‍👧'],
  ['other scripts', 'привет 日本語テスト'],
  ['a lone surrogate', 'abc\ud800def'],
  ['many equal letters', 'a'.repeat(99)],
  ['a combining accent', 'cafe\u0301s'],
])('finds %s literally', async (_, text) => {
  await send(ada, chatroomId, `before ${text} after`);
  await send(ada, chatroomId, 'something else');
  await indexAll(server);
  for (const room of [{}, { chatroomId }]) {
    expect(await contents(bob, { query: text, ...room })).toHaveLength(1);
    expect(await contents(bob, { query: `${text}x`, ...room })).toHaveLength(0);
  }
});

test('leaves what is searched out of the log', async () => {
  await search(ada, { query: 'confidential' });
  await attempt(ada, { query: 'confidential', limit: 1_000 });
  expect(server.log.join('')).not.toContain('confidential');
});

test('limits searches by their work, so that one over many pages leaves others', async () => {
  // The test may take longer than the minute of the limit.
  vi.useFakeTimers({ toFake: ['Date'] });
  onTestFinished(() => void vi.useRealTimers());
  server = await server.restart({ PARLEY_RATE_LIMITS: 'true' });
  for (let i = 0; i < 150; i += 1) {
    expect(await attempt(bob, { query: 'hello' })).toEqual([200, undefined]);
  }
  // Contains all trigrams of the word, but not the word.
  await fillChat(server, chatroomId, ada, 512, () => 'abcd bcde '.repeat(990));
  // The server indexes them at any time.
  await indexAll(server);
  let count = 0;
  while ((await attempt(bob, { query: 'abcde' }))[0] === 200) count += 1;
  expect(count).toBeGreaterThan(80);
  expect(count).toBeLessThan(250);
  expect(await attempt(bob, { query: 'hello' })).toEqual([429, 'rate_limited']);
  expect(await attempt(ada, { query: 'hello' })).toEqual([200, undefined]);
});

test('a search that fails costs what it has taken until then', async () => {
  vi.useFakeTimers({ toFake: ['Date'] });
  onTestFinished(() => void vi.useRealTimers());
  await fillChat(server, chatroomId, ada, 512, () => `needle ${'abcd '.repeat(1_900)}`);
  await indexAll(server);
  server = await server.restart({ PARLEY_RATE_LIMITS: 'true' });
  // Leaves little to use up.
  for (let i = 0; i < 1_050; i += 1) await attempt(bob, { query: 'a' });
  // The table is needed only to show what was found.
  const rename = (from: string, to: string) =>
    server.ctx.storage.write(({ trx }) =>
      sql`alter table ${sql.ref(from)} rename to ${sql.ref(to)}`.execute(trx),
    );
  await rename('reactions', 'missing');
  let count = 0;
  while ((await attempt(bob, { chatroomId, query: 'needle' }))[0] === 500) count += 1;
  await rename('missing', 'reactions');
  expect(count).toBeGreaterThan(4);
  expect(count).toBeLessThan(40);
  expect(await attempt(bob, { query: 'hello' })).toEqual([429, 'rate_limited']);
});

test('a search that is rejected costs little', async () => {
  server = await server.restart({ PARLEY_RATE_LIMITS: 'true' });
  for (let i = 0; i < 150; i += 1) {
    expect(await attempt(bob, { query: 'a' })).toEqual([400, 'search_too_short']);
  }
  expect(await attempt(bob, { query: 'hello' })).toEqual([200, undefined]);
});
