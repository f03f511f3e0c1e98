import { afterEach, beforeEach, expect, test } from 'vitest';
import { beginChat, send } from '../../test/chatting.ts';
import { fillChat } from '../../test/fixtures.ts';
import { startServer, type TestServer, type TestUser } from '../../test/harness.ts';
import { indexAll } from '../../test/indexing.ts';
import { contents } from '../../test/search-requests.ts';
import { until } from '../../test/until.ts';
import { hasTrigrams, INDEX_LIMITS, trigramsOf } from '../storage/search-blocks.ts';
import type { Storage } from '../storage/storage.ts';
import { indexNext, indexOutdatedBlock } from './indexing.service.ts';

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

const indexedSeq = () =>
  server.ctx.storage.read(async (db) => {
    const rooms = db.selectFrom('search_rooms').select('indexed_seq');
    const room = await rooms.where('chatroom_id', '=', chatroomId).executeTakeFirst();
    return room?.indexed_seq ?? 0;
  });

const readIndex = () =>
  server.ctx.storage.read(async (db) => ({
    blocks: await db.selectFrom('search_blocks').selectAll().orderBy('id').execute(),
    trigrams: await db.selectFrom('search_trigrams').selectAll().execute(),
  }));

/** Makes messages look as if they had been stored by a version without an index. */
async function removeIndex(): Promise<void> {
  await server.ctx.storage.write(async ({ trx }) => {
    await trx.deleteFrom('search_rooms').execute();
    await trx.updateTable('messages').set({ created_at: 1 }).execute();
  });
}

test('messages of earlier versions are found at once and indexed in the background', async () => {
  await fillChat(server, chatroomId, ada, 700, (i) => `needle ${i}`);
  await indexAll(server);
  await until(async () => {
    // The background job may still be indexing.
    await removeIndex();
    return (await readIndex()).blocks.length === 0;
  });
  expect(await contents(bob, { query: 'needle', limit: 100 })).toHaveLength(700);
  server = await server.restart();
  await until(async () => (await indexedSeq()) === 701);
  expect(await contents(bob, { query: 'needle', limit: 100 })).toHaveLength(700);
  expect((await readIndex()).trigrams).not.toEqual([]);
});

test('the log says when the messages of earlier versions are indexed', async () => {
  await fillChat(server, chatroomId, ada, 1_100, (i) => `needle ${i}`);
  // The job of the server before may have begun late, and index them after they were removed.
  const line = await until(async () => {
    await removeIndex();
    server = await server.restart();
    await until(async () => (await indexedSeq()) === 1_101);
    const isCaughtUp = () => server.log.find((each) => each.includes('has caught up'));
    return until(isCaughtUp, 2_000).catch(() => undefined);
  }, 60_000);
  // The last block is not full.
  expect(JSON.parse(line)).toMatchObject({ level: 30, messages: 1_088, ms: expect.any(Number) });
});

test('the log says nothing when the few messages are indexed that waited during a restart', async () => {
  await fillChat(server, chatroomId, ada, 100, (i) => `needle ${i}`);
  await removeIndex();
  server = await server.restart();
  await until(async () => (await indexedSeq()) === 101);
  await server.close();
  expect(server.log.join()).not.toContain('has caught up');
});

test('indexing continues where it was interrupted', async () => {
  // Too many messages for a single step.
  await fillChat(server, chatroomId, ada, 200, (i) => `needle ${i}`);
  // Once the background job has indexed the chatroom, it does not search for it again soon.
  await removeIndex();
  server = await server.restart();
  await until(async () => (await indexedSeq()) === 201);
  await removeIndex();
  const { storage } = server.ctx;
  const step = () => indexNext(storage, chatroomId, { isQuiet: true });
  await step();
  const before = await indexedSeq();
  expect(before).toBeGreaterThan(0);
  let writes = 0;
  const interrupted: Storage = {
    ...storage,
    write: (work) => {
      writes += 1;
      return writes === 1 ? storage.write(work) : Promise.reject(new Error('interrupted'));
    },
  };
  const failed = indexNext(interrupted, chatroomId, { isQuiet: true });
  await expect(failed).rejects.toThrow('interrupted');
  expect(await indexedSeq()).toBeGreaterThanOrEqual(before);
  expect(await contents(bob, { query: 'needle', limit: 100 })).toHaveLength(200);
  while ((await step()).hasMore);
  expect(await indexedSeq()).toBe(201);
  expect(await contents(bob, { query: 'needle', limit: 100 })).toHaveLength(200);
});

test('many new messages of a chatroom are indexed without waiting', async () => {
  await fillChat(server, chatroomId, ada, 140, (i) => `needle ${i}`);
  await until(async () => (await indexedSeq()) === 128);
});

test('a changed message is removed from the index at once and indexed again', async () => {
  await fillChat(server, chatroomId, ada, 600, (i) => `filler ${i}`);
  const { _id: messageId } = await send(ada, chatroomId, 'elephants');
  await indexAll(server);
  const hasTrigram = async (trigram: string) =>
    (await readIndex()).trigrams.some((row) => row.trigram === trigram);
  expect(await hasTrigram('pha')).toBe(true);
  await server.ctx.storage.write(async ({ trx }) => {
    await trx
      .updateTable('messages')
      .set({ content: 'giraffes' })
      .where('id', '=', messageId)
      .execute();
    const outdated = trx.selectFrom('search_blocks').selectAll().where('is_outdated', '=', 1);
    expect(await outdated.execute()).toMatchObject([{ text: '' }]);
    const trigrams = trx.selectFrom('search_trigrams').selectAll().where('trigram', '=', 'pha');
    expect(await trigrams.execute()).toEqual([]);
  });
  expect(await contents(bob, { query: 'giraffes' })).toEqual(['giraffes']);
  await indexAll(server);
  expect(await hasTrigram('pha')).toBe(false);
  expect(await hasTrigram('gir')).toBe(true);
});

test('the index contains exactly the texts and their trigrams', async () => {
  await fillChat(server, chatroomId, ada, 3_500, (i) => `Wört ${i % 7 === 0 ? 'Straße' : i}`);
  await indexAll(server);
  const { blocks, trigrams } = await readIndex();
  expect(blocks).toHaveLength(Math.ceil(3_501 / 32));
  const expected = new Set(blocks.flatMap(({ text }) => Array.from(trigramsOf(text))));
  const first = Math.min(...trigrams.map(({ segment }) => segment));
  const ofFirst = trigrams.filter(({ segment }) => segment === first);
  const ofBlocks = new Set(
    blocks.slice(0, 104).flatMap(({ text }) => Array.from(trigramsOf(text))),
  );
  expect(new Set(ofFirst.map(({ trigram }) => trigram))).toEqual(ofBlocks);
  expect(expected.size).toBeGreaterThan(100);
  // The second segment has too few blocks.
  expect(hasTrigrams(3_500, 3_501)).toBe(false);
  expect(trigrams).toHaveLength(ofFirst.length);
  const everywhere = ofFirst.find(({ trigram }) => trigram === 'wor');
  expect(everywhere).toMatchObject({ early: 2 ** 52 - 1, late: 2 ** 52 - 1 });
});

/** Returns a text in which each trigram is another one than in any other text, with `length` characters. */
const uniqueText = (index: number, length: number) =>
  String.fromCodePoint(
    ...Array.from({ length }, (_, i) => 0x4e00 + ((index * length + i) % 20_000)),
  );

test('blocks with too many trigrams or too long texts are searched without them', async () => {
  // The texts of 320 messages have too many trigrams for a block each, and those of the next 320 are too long.
  await fillChat(server, chatroomId, ada, 319, (i) => `first ${i} ${uniqueText(i, 120)}`);
  await fillChat(server, chatroomId, ada, 320, (i) => `second ${i} ${'z'.repeat(3_000)}`);
  await fillChat(server, chatroomId, ada, 320, (i) => `third ${i}`);
  await indexAll(server);
  const { blocks, trigrams } = await readIndex();
  expect(blocks.map(({ text }) => text === '').indexOf(true)).toBe(10);
  expect(blocks.filter(({ text }) => text === '')).toHaveLength(10);
  expect(trigrams.some(({ trigram }) => trigram === 'fir' || trigram === 'zzz')).toBe(false);
  expect(trigrams.some(({ trigram }) => trigram === 'thi')).toBe(true);
  for (const room of [{}, { chatroomId }]) {
    const all = { limit: 100, ...room };
    expect(await contents(bob, { query: 'second 31', ...all })).toHaveLength(13);
    expect(await contents(bob, { query: 'first 300', ...all })).toHaveLength(1);
    expect(await contents(bob, { query: 'third 300', ...all })).toHaveLength(1);
  }
});

test('a segment contains a limited number of trigrams', async () => {
  await fillChat(server, chatroomId, ada, 1_599, (i) => uniqueText(i, 90));
  await fillChat(server, chatroomId, ada, 100, (i) => `last ${uniqueText(2_000 + i, 40)}`);
  await indexAll(server);
  const { trigrams } = await readIndex();
  expect(trigrams.length).toBeLessThanOrEqual(INDEX_LIMITS.ofSegment);
  expect(await contents(bob, { query: `last ${uniqueText(2_050, 40)}` })).toHaveLength(1);
});

/** A storage in which something happens before its second write. */
function interruptedBy(action: () => Promise<unknown>): Storage {
  const { storage } = server.ctx;
  let writes = 0;
  const write: Storage['write'] = async (work, options) => {
    writes += 1;
    if (writes === 2) await action();
    return storage.write(work, options);
  };
  return { ...storage, write };
}

test('a message that changes while it is indexed leaves nothing of its former text', async () => {
  await fillChat(server, chatroomId, ada, 300, (i) => `filler ${i}`);
  const { _id: messageId } = await send(ada, chatroomId, 'elephants');
  const change = () => ada.request('PATCH', '/api/messages/edit', { messageId, content: 'zebras' });
  const disturbed = interruptedBy(change);
  let outcome = { isDone: true, hasMore: true };
  while (outcome.isDone && outcome.hasMore) {
    outcome = await indexNext(disturbed, chatroomId, { isQuiet: true });
  }
  await indexAll(server);
  const { blocks, trigrams } = await readIndex();
  expect(blocks.filter(({ text }) => text.includes('elephants'))).toEqual([]);
  expect(trigrams.filter(({ trigram }) => trigram === 'pha')).toEqual([]);
  expect(await contents(bob, { query: 'zebras' })).toEqual(['zebras']);
});

test('a block that changes all the time does not keep others from being written', async () => {
  await fillChat(server, chatroomId, ada, 40, (i) => `filler ${i}`);
  const first = await send(ada, chatroomId, 'first');
  await beginChat(bob, await server.signIn('Eve'), 'second');
  await indexAll(server);
  await server.ctx.storage.write(({ trx }) =>
    trx.updateTable('search_blocks').set({ is_outdated: 1, text: '' }).execute(),
  );
  let count = 0;
  const change = () =>
    ada.request('PATCH', '/api/messages/edit', { messageId: first._id, content: `${count++}` });
  const visited: (number | undefined)[] = [];
  for (let afterId = 0; ;) {
    const block = await indexOutdatedBlock(interruptedBy(change), afterId);
    if (block === undefined) break;
    visited.push(block.id);
    afterId = block.id;
  }
  expect(visited).toEqual([...new Set(visited)]);
  expect(visited.length).toBeGreaterThan(1);
});
