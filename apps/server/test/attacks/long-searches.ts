import { indexNext } from '../../src/search/indexing.service.ts';
import { BLOCK_SIZE } from '../../src/storage/search-blocks.ts';
import { defineAttack, type AttackTarget } from './attack.ts';
import { addChatroom, addMessages } from './bulk-data.ts';
import { PersistentConnection, sendTogether } from './persistent-connection.ts';
import { rawSend, withCookie } from './raw-connection.ts';

const CONNECTIONS = 300;
const ACCOUNTS = 8;
const MESSAGES = 600;
const CHARACTERS = 10_000;

/** Characters that take long to fold, or fold to many others: the first one of each kind, and how many follow it. */
const ALPHABETS = [
  ['hangul', 0xac00, 11_172],
  ['rare', 0x2_0000, 40_000],
  ['ligature', 0xfdfa, 1],
  ['letters', 0x61, 26],
] as const;

/** Messages of an indexed chatroom, a segment of them, in which the searchers change theirs. */
const INDEXED = 3_328;

interface Searcher {
  readonly cookie: string;
  readonly chatrooms: readonly string[];
  /** Ids of own messages in an indexed chatroom with as many trigrams as possible, one per block. */
  readonly indexed: readonly string[];
}

/**
 * What each connection searches for: nothing that is there, or what is in most messages. In between, it changes a
 * message.
 */
const SEARCHES: readonly (((searcher: Searcher, i: number) => object) | undefined)[] = [
  undefined,
  () => ({ query: '0123' }),
  ({ chatrooms }, i) => ({ query: '0123', chatroomId: chatrooms[i % chatrooms.length] }),
  ({ chatrooms }, i) => ({ query: '0', chatroomId: chatrooms[i % chatrooms.length] }),
  () => ({ query: '\u0627\u0644\u0644', limit: 100 }),
  ({ chatrooms }, i) => ({ query: 'abc', chatroomId: chatrooms[i % chatrooms.length], limit: 100 }),
  ({ chatrooms }, i) => ({
    query: '\u{20000}',
    order: 'oldest',
    chatroomId: chatrooms[i % chatrooms.length],
  }),
];

/** Searches long texts of other scripts while the server is still indexing them. */
export const longSearches = defineAttack({
  summary:
    '300 connections of 8 accounts search 10,000 of the longest messages that are hard to fold',
  // Folded texts that wait to be collected.
  growthMax: 300,
  async prepare(server) {
    const { storage } = server.ctx;
    const searchers: Searcher[] = [];
    for (let i = 0; i < ACCOUNTS; i += 1) {
      const { id, cookie } = await server.signIn(`Searcher${i}`);
      const chatrooms: string[] = [];
      for (const [name, first, size] of ALPHABETS) {
        const partner = await server.signIn(`${name}${i}`);
        const chatroom = await addChatroom(storage, id, partner.id);
        const text = (n: number) => createText(first, size, n);
        await addMessages(storage, chatroom, partner.id, MESSAGES / ALPHABETS.length, text);
        chatrooms.push(chatroom);
      }
      const partner = await server.signIn(`indexed${i}`);
      const chatroom = await addChatroom(storage, id, partner.id);
      const text = (n: number) => createText(0x4e00, 20_000, n).slice(0, 90);
      await addMessages(storage, chatroom, id, INDEXED, text);
      while ((await indexNext(storage, chatroom, { isQuiet: true })).hasMore);
      const rows = await storage.read((db) =>
        db.selectFrom('messages').select('id').where('chatroom_id', '=', chatroom).execute(),
      );
      searchers.push({
        cookie,
        chatrooms,
        indexed: rows.map((row) => row.id).filter((_, n) => n % BLOCK_SIZE === 0),
      });
    }
    return { searchers };
  },
  async run(target: AttackTarget<{ searchers: Searcher[] }>) {
    const { searchers } = target.prepared;
    const counts: Record<string, number> = {};
    const connections = Array.from({ length: CONNECTIONS }, () => new PersistentConnection(target));
    for (let round = 0; !target.signal.aborted; round += 1) {
      const requests = connections.map((_, i) => {
        const searcher = searchers[i % searchers.length];
        const createBody = SEARCHES[(i + round) % SEARCHES.length];
        if (searcher === undefined) throw new Error('there are no accounts');
        const request = createBody
          ? rawSend('POST', '/api/messages/search', createBody(searcher, i))
          : changeOf(searcher, i + round);
        return withCookie(request, searcher.cookie);
      });
      for (const status of await sendTogether(connections, requests)) {
        counts[status] = (counts[status] ?? 0) + 1;
      }
    }
    return counts;
  },
});

/** Returns the request that changes one of the indexed messages of a searcher, in another block than the last one. */
function changeOf({ indexed }: Searcher, i: number): string {
  const messageId = indexed[i % indexed.length] ?? '';
  return rawSend('PATCH', '/api/messages/edit', { messageId, content: `changed ${i}` });
}

/** Returns a text of many different characters, which is the same for the same seed. */
function createText(first: number, size: number, seed: number): string {
  let state = seed + 1;
  const next = () => (state = (state * 16_807) % 2_147_483_647);
  return Array.from({ length: CHARACTERS }, () =>
    String.fromCodePoint(first + (next() % size)),
  ).join('');
}
