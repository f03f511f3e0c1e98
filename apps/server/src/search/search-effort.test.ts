import type { SearchBody } from '@parley/contract';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { beginChat } from '../../test/chatting.ts';
import { fillChat } from '../../test/fixtures.ts';
import { startServer, type TestServer, type TestUser } from '../../test/harness.ts';
import { indexAll } from '../../test/indexing.ts';
import { search } from '../../test/search-requests.ts';
import { parseConditions } from './parse-conditions.ts';
import { createEffort } from './search-effort.ts';
import { listSearchableChatrooms } from './search-index.repository.ts';
import { matchTasks } from './search-matches.ts';
import { searchMessages } from './search.service.ts';
import { createSource, planTask, planTasks } from './search-source.ts';

let server: TestServer;
let ada: TestUser;
let chatroomId: string;
beforeAll(async () => {
  server = await startServer();
  ada = await server.signIn('Ada');
  chatroomId = await beginChat(ada, await server.signIn('Bob'), 'Hello');
  await fillChat(server, chatroomId, ada, 640, (i) => `needle ${i}`);
  await indexAll(server);
});
afterAll(() => server.close());

test.each([
  ['a word', { query: 'needle' }],
  ['a sender', { from: 'me' as const }],
])(
  'a search for %s beyond its bound looks at one block per chatroom, and continues after it',
  async (_, body) => {
    const conditions = parseConditions(body);
    const found = await server.ctx.storage.read(async (db) => {
      const [room] = await listSearchableChatrooms(db, { userId: ada.id });
      if (!room) throw new Error('the chatroom is missing');
      const source = createSource(room, false);
      const effort = createEffort(conditions.words);
      effort.spend('message', 1_000_000);
      const rest = new Map();
      const looked: number[] = [];
      for (let i = 0; i < 3; i += 1) {
        const options = { enough: 100, effort, rest };
        const [result] = await matchTasks(db, [planTask(source, false)], conditions, options);
        source.next = (result?.doneTo ?? 0) - 1;
        const ranges = result?.ranges ?? [];
        looked.push(ranges.reduce((sum, { first, last }) => sum + last - first + 1, 0));
      }
      return { looked, next: source.next };
    });
    // The message with `seq` 641 is alone in its block.
    expect(found).toEqual({ looked: [1, 32, 32], next: 576 });
  },
);

test('reads few messages that are in no block at a time', () => {
  const room = { chatroom_id: chatroomId, last_seq: 5_000, number: 1, newest_at: 0 };
  const plan = (indexedSeq: number, isOldestFirst: boolean) =>
    planTasks(
      createSource({ ...room, indexed_seq: indexedSeq }, isOldestFirst),
      isOldestFirst,
      32,
    ).map(({ first, last, isIndexed }) => [first, last, isIndexed]);
  expect(plan(0, false)).toEqual([[4_489, 5_000, false]]);
  expect(plan(0, true)).toEqual([[1, 512, false]]);
  expect(plan(4_000, true)).toEqual([
    [1, 3_328, true],
    [3_329, 4_000, true],
    [4_001, 4_512, false],
  ]);
  expect(plan(5_000, false)).toEqual([
    [3_329, 5_000, true],
    [1, 3_328, true],
  ]);
});

test('a search that needs several requests finds everything once, newest first', async () => {
  const expected: number[] = [];
  for (const name of ['Carla', 'Dora', 'Emil']) {
    const room = await beginChat(ada, await server.signIn(name), 'Hello');
    const text = (i: number) => (i % 100 === 7 ? 'haystack ' : '') + 'ä'.repeat(9_000);
    await fillChat(server, room, ada, 130, text);
    expected.push(8 + 1, 108 + 1);
    // Minutes apart, as a page ends between messages of different times.
    await server.ctx.storage.write(async ({ trx }) => {
      await trx
        .updateTable('messages')
        .set({ created_at: sql<number>`created_at - (200 - seq) * 60000` })
        .where('chatroom_id', '=', room)
        .execute();
    });
  }
  const seqs: number[] = [];
  const efforts: number[] = [];
  for (let cursor: string | undefined; ;) {
    const body = { query: 'haystack', ...(cursor !== undefined && { cursor }) };
    const conditions = parseConditions(body);
    const effort = createEffort(conditions.words);
    const page = await searchMessages(server.ctx, ada.id, conditions, effort);
    seqs.push(...page.hits.map(({ message }) => message.seq));
    efforts.push(effort.milliseconds);
    cursor = page.cursor;
    if (cursor === undefined) break;
  }
  expect(efforts.length).toBeGreaterThan(1);
  // None reads what was sent after the last message of the page before.
  expect(Math.max(...efforts)).toBeLessThan(130);
  expect(seqs.toSorted((a, b) => a - b)).toEqual(expected.toSorted((a, b) => a - b));
});

test.each([
  ['links', 'Linda', {}],
  ['links with a word', 'Luke', { query: 'link' }],
])(
  'a search for %s in long texts needs several requests, and finds each once',
  async (_, name, body) => {
    const room = await beginChat(ada, await server.signIn(name), 'Hello');
    const texts = (kind: string) => (i: number) =>
      `link ${i % 50 === 7 ? `https://${kind}.example ` : ''}${'ä'.repeat(9_900)}`;
    await fillChat(server, room, ada, 150, texts('stored'));
    await indexAll(server);
    await fillChat(server, room, ada, 350, texts('new'));
    for (const order of ['newest', 'oldest'] as const) {
      const seqs: number[] = [];
      let requests = 0;
      for (let cursor: string | undefined; ;) {
        const page = await search(ada, {
          ...body,
          kind: 'link',
          chatroomId: room,
          limit: 100,
          order,
          ...(cursor !== undefined && { cursor }),
        });
        seqs.push(...page.hits.map(({ message }) => message.seq));
        requests += 1;
        cursor = page.cursor;
        if (cursor === undefined) break;
      }
      const expected = Array.from({ length: 10 }, (__, i) => 9 + 50 * i);
      expect(seqs).toEqual(order === 'oldest' ? expected : expected.toReversed());
      expect(requests).toBeGreaterThan(1);
    }
  },
);

/** Returns the milliseconds that a search counts. */
async function effortOf(body: SearchBody): Promise<number> {
  const conditions = parseConditions(body);
  const effort = createEffort(conditions.words);
  await searchMessages(server.ctx, ada.id, conditions, effort);
  return effort.milliseconds;
}

test('counts the messages of the page and the length of the texts in which it marks words', async () => {
  const room = await beginChat(ada, await server.signIn('Frida'), 'Hello');
  await fillChat(server, room, ada, 40, (i) => `${i < 20 ? 'short' : 'long'} ${'x'.repeat(9_000)}`);
  await indexAll(server);
  const of = (limit: number, query?: string) =>
    effortOf({ chatroomId: room, limit, ...(query === undefined ? { from: 'me' } : { query }) });
  const marked = (await of(20, 'short')) - (await of(1, 'short'));
  expect(marked / 19).toBeGreaterThan(0.3);
  const unmarked = (await of(20)) - (await of(1));
  expect(unmarked / 19).toBeCloseTo(0.02);
});

test('counts what it takes to find the first message of a time', async () => {
  const body = { chatroomId, query: 'absent', order: 'oldest' } as const;
  const early = await effortOf({ ...body, before: 1 });
  // The binary search in 641 messages.
  expect(early).toBeGreaterThan(0.05);
  expect(early).toBeLessThan(0.1);
});
