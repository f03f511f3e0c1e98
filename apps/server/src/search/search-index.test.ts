import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { beginChat, send } from '../../test/chatting.ts';
import { addUpload, fillChat } from '../../test/fixtures.ts';
import { startServer, type TestServer, type TestUser } from '../../test/harness.ts';
import { indexAll } from '../../test/indexing.ts';
import { contents, search } from '../../test/search-requests.ts';

let server: TestServer;
let ada: TestUser;
let bob: TestUser;
let chatroomId: string;

// With more messages than are searched without an index, half of the first segment, and two segments.
describe.each([
  ['not indexed', 0, async () => {}],
  ['in a few blocks', 0, () => indexAll(server)],
  ['in many blocks', 1_700, () => indexAll(server)],
  ['in several segments', 3_400, () => indexAll(server)],
])('in messages that are %s', (_, count, prepare) => {
  beforeAll(async () => {
    server = await startServer();
    ada = await server.signIn('Ada');
    bob = await server.signIn('Bob');
    chatroomId = await beginChat(ada, bob, 'Hello');
    await fillChat(server, chatroomId, ada, count, (i) => `filler ${i}`);
  });
  afterAll(() => server.close());

  test('finds parts of words in any order, newest first, with an excerpt', async () => {
    const { seq } = await send(ada, chatroomId, 'Die Donaudampfschifffahrt beginnt');
    await send(bob, chatroomId, 'Ein Schiff auf der Donau');
    await send(bob, chatroomId, 'Nichts davon');
    await prepare();
    for (const body of [{ query: 'SCHIFF donau' }, { query: 'schiff dónau', chatroomId }]) {
      const { hits, cursor, total } = await search(ada, body);
      expect(hits.map(({ message }) => message.content)).toEqual([
        'Ein Schiff auf der Donau',
        'Die Donaudampfschifffahrt beginnt',
      ]);
      expect(cursor).toBeUndefined();
      expect(total).toBe('chatroomId' in body ? 2 : undefined);
      expect(hits[1]).toMatchObject({
        message: { sender: { username: 'Ada' }, chatroom: chatroomId, seq },
        excerpt: {
          text: 'Die Donaudampfschifffahrt beginnt',
          ranges: [
            { start: 4, end: 9 },
            { start: 14, end: 20 },
          ],
        },
      });
    }
  });

  test('finds umlauts by both spellings, and does not confuse them with other words', async () => {
    for (const text of ['Küchengerät', 'Kuechengeraet', 'Straße', 'Steuerung', 'ÉTÉ']) {
      await send(ada, chatroomId, text);
    }
    await prepare();
    expect(await contents(bob, { query: 'kuchengerat' })).toEqual(['Küchengerät']);
    expect(await contents(bob, { query: 'Küchengerät' })).toEqual(['Küchengerät']);
    expect(await contents(bob, { query: 'kuechengeraet' })).toEqual([
      'Kuechengeraet',
      'Küchengerät',
    ]);
    expect(await contents(bob, { query: 'strasse' })).toEqual(['Straße']);
    expect(await contents(bob, { query: 'STEUER' })).toEqual(['Steuerung']);
    expect(await contents(bob, { query: 'été' })).toEqual(['ÉTÉ']);
  });

  test('finds edited texts only by their new words, and deleted ones not at all', async () => {
    const edited = await send(ada, chatroomId, 'elephants everywhere');
    const deleted = await send(ada, chatroomId, 'elephants and giraffes');
    await prepare();
    await ada.request('PATCH', '/api/messages/edit', { messageId: edited._id, content: 'zebras' });
    await ada.request('DELETE', '/api/messages/delete', { messageId: deleted._id });
    for (const user of [ada, bob]) {
      for (const room of [{}, { chatroomId }]) {
        expect(await contents(user, { query: 'elephants', ...room })).toEqual([]);
        expect(await contents(user, { query: 'zebra', ...room })).toEqual(['zebras']);
      }
    }
    await prepare();
    expect(await contents(bob, { query: 'elephants' })).toEqual([]);
    expect(await contents(bob, { query: 'zebra' })).toEqual(['zebras']);
  });

  test('filters by sender, kind and time', async () => {
    const picture = await addUpload(server, ada);
    const recording = await addUpload(server, bob, { kind: 'audio', extension: 'webm' });
    await send(ada, chatroomId, picture.url);
    await send(bob, chatroomId, recording.url);
    await send(ada, chatroomId, 'see https://example.org/page.');
    await send(bob, chatroomId, 'mail me@example.org, then www.example.org');
    const plain = await send(bob, chatroomId, 'no link: example');
    await prepare();
    for (const room of [{}, { chatroomId }]) {
      expect(await contents(bob, { kind: 'image', ...room })).toEqual([picture.url]);
      expect(await contents(bob, { kind: 'audio', ...room })).toEqual([recording.url]);
      expect(await contents(bob, { kind: 'link', ...room })).toEqual([
        'mail me@example.org, then www.example.org',
        'see https://example.org/page.',
      ]);
      expect(await contents(bob, { kind: 'link', from: 'partner', ...room })).toEqual([
        'see https://example.org/page.',
      ]);
      expect(await contents(bob, { query: 'example', kind: 'image', ...room })).toEqual([]);
      expect(await contents(ada, { query: 'example', from: 'partner', ...room })).toEqual([
        'no link: example',
        'mail me@example.org, then www.example.org',
      ]);
      const at = Date.parse(plain.createdAt);
      expect(await contents(ada, { query: 'example', after: at + 1, ...room })).toEqual([]);
      expect(await contents(ada, { query: 'no link', after: at, ...room })).toEqual([
        'no link: example',
      ]);
      expect(await contents(ada, { query: 'no link', before: at, ...room })).toEqual([]);
    }
    const { hits } = await search(bob, { kind: 'image' });
    expect(hits[0]).toMatchObject({
      message: { kind: 'image' },
      excerpt: { text: '', ranges: [] },
    });
  });

  test('finds short words, and the first message of a day, in a chatroom', async () => {
    const text = await send(ada, chatroomId, 'Xy, xy');
    await prepare();
    expect(await contents(bob, { query: 'xy', chatroomId })).toEqual(['Xy, xy']);
    expect(await contents(bob, { query: 'y,', chatroomId })).toEqual(['Xy, xy']);
    const body = { chatroomId, order: 'oldest', limit: 1 } as const;
    const first = await search(bob, { ...body, after: 0 });
    expect(first.hits.map(({ message }) => message.content)).toEqual(['Hello']);
    const at = Date.parse(text.createdAt);
    expect((await search(bob, { ...body, after: at + 60_000 })).hits).toEqual([]);
    expect((await search(bob, { ...body, query: 'xy', after: at })).hits).toHaveLength(1);
  });
});
