import {
  containsWords,
  foldText,
  hasWebLink,
  longWords,
  parseSearchQuery,
  type Message,
  type SearchBody,
} from '@parley/contract';
import { casesOf } from '@parley/testing/scope';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { changeConsent, beginChat, readChatroom } from '../../test/chatting.ts';
import { addUpload, fillChat } from '../../test/fixtures.ts';
import { startServer, type TestServer, type TestUser } from '../../test/harness.ts';
import { indexAll } from '../../test/indexing.ts';
import { deleteMessage, editMessage, sendMessage } from '../messages/message.service.ts';
import { indexNext, indexOutdatedBlock } from './indexing.service.ts';
import { parseConditions } from './parse-conditions.ts';
import { createEffort } from './search-effort.ts';
import { searchMessages } from './search.service.ts';

const WORDS =
  'Schiff Donaudampfschifffahrt über Uebung Übung große Grosse Straße Steuerung Bäuerin fährt und oder ' +
  'ship shipping worship the there them übrigens naïve café Äpfel apple https://a.example/x www.b.example ' +
  '👩‍💻 don’t 100% a_b "quoted" ab';
const word = fc.constantFrom(...WORDS.split(' '));
const text = fc.array(word, { minLength: 1, maxLength: 6 }).map((words) => words.join(' '));

const action = fc.oneof(
  { weight: 6, arbitrary: fc.record({ type: fc.constant('send' as const), text }) },
  {
    weight: 3,
    arbitrary: fc.record({ type: fc.constant('edit' as const), text, which: fc.nat(2_000) }),
  },
  {
    weight: 3,
    arbitrary: fc.record({ type: fc.constant('delete' as const), which: fc.nat(2_000) }),
  },
  { weight: 1, arbitrary: fc.record({ type: fc.constantFrom('image', 'audio') }) },
  { weight: 1, arbitrary: fc.record({ type: fc.constantFrom('block', 'unblock') }) },
  { weight: 2, arbitrary: fc.record({ type: fc.constantFrom('index', 'index some') }) },
);
const step = fc.record({ action, room: fc.nat(2), isPartner: fc.boolean() });
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;

const part = fc
  .tuple(word, fc.nat(4), fc.nat(12))
  .map(([whole, start, length]) => whole.slice(start, start + length + 1));
const search = fc.record(
  {
    query: fc
      .array(fc.oneof(word, part), { minLength: 1, maxLength: 3 })
      .map((all) => all.join(' ')),
    from: fc.constantFrom('me' as const, 'partner' as const),
    kind: fc.constantFrom('image' as const, 'audio' as const, 'link' as const),
    limit: fc.constantFrom(1, 3, 20, 100),
    order: fc.constantFrom('newest' as const, 'oldest' as const),
  },
  { requiredKeys: [] },
);
const request = fc.record({ search, room: fc.option(fc.nat(2)), isPartner: fc.boolean() });

let server: TestServer;
let ada: TestUser;
let partners: TestUser[];
let rooms: string[];
beforeAll(async () => {
  server = await startServer();
  ada = await server.signIn('Ada');
  partners = [
    await server.signIn('Bob'),
    await server.signIn('Carla'),
    await server.signIn('Dora'),
  ];
  rooms = [];
  // Without trigrams, with them, and with a whole segment.
  for (const [i, count] of [20, 700, 3_500].entries()) {
    const partner = partners[i] ?? ada;
    const id = await beginChat(ada, partner, 'Hello');
    rooms.push(id);
    const all = fc.sample(text, { numRuns: 97, seed: i });
    await fillChat(server, id, partner, count, (n) => `${all[n % 97]} ${n}`);
  }
});
afterAll(() => server.close());

async function perform({ action: { type, ...rest }, room, isPartner }: Step) {
  const { ctx } = server;
  const chatroom = rooms[room] ?? '';
  const partner = partners[room] ?? ada;
  const user = isPartner ? partner : ada;
  if (type === 'send' && 'text' in rest) {
    const body = { text: rest.text, uploadId: undefined, textKind: 'text' } as const;
    await ignoreBlock(sendMessage(ctx, user.id, { chatroom }, body));
  } else if (type === 'image' || type === 'audio') {
    const extension = type === 'image' ? 'png' : 'webm';
    const { id: uploadId } = await addUpload(server, user, { kind: type, extension });
    const body = { text: undefined, uploadId, textKind: 'text' } as const;
    await ignoreBlock(sendMessage(ctx, user.id, { chatroom }, body));
  } else if ('which' in rest) {
    const own = (await history(user, chatroom)).filter(
      ({ sender, kind }) => sender.username === user.username && kind === 'text',
    );
    const message = own[rest.which % Math.max(1, own.length)];
    if (message === undefined) return;
    const { _id: messageId } = message;
    if ('text' in rest) {
      await ignoreBlock(editMessage(ctx, user.id, { messageId, content: rest.text }));
    } else {
      await deleteMessage(ctx, user.id, { messageId });
    }
  } else if (type === 'block' || type === 'unblock') {
    await changeConsent(ada, chatroom, type);
  } else if (type === 'index') {
    await indexAll(server);
  } else {
    await indexNext(ctx.storage, chatroom, { isQuiet: isPartner });
    await indexOutdatedBlock(ctx.storage);
  }
}

/** Users who have blocked their partner cannot write. */
async function ignoreBlock(written: Promise<unknown>): Promise<void> {
  await written.catch((error: unknown) => expect(error).toMatchObject({ code: 'partner_blocked' }));
}

/** Returns all messages of a chatroom that a user sees, oldest first. */
async function history(user: TestUser, chatroom: string): Promise<Message[]> {
  const all: Message[] = [];
  for (let before = ''; ;) {
    const page = await readChatroom(user, chatroom, `?limit=200${before}`);
    all.unshift(...page.chatroomMessages);
    if (!page.hasMore) return all;
    before = `&before=${all[0]?.seq}`;
  }
}

/** Returns those of a user's chatrooms in which the user has not blocked the partner. */
async function listUnblocked(user: TestUser, own: readonly string[]): Promise<string[]> {
  const opened = await Promise.all(own.map((id) => readChatroom(user, id, '?limit=1')));
  return own.filter((_id, i) => opened[i]?.chat.status !== 'blocked');
}

/** Finds messages by looking at each one. */
async function scan(
  user: TestUser,
  body: SearchBody,
  inChatrooms: readonly string[],
): Promise<string[]> {
  const words = parseSearchQuery(body.query ?? '');
  const all = (await Promise.all(inChatrooms.map((room) => history(user, room)))).flat();
  const found = all.filter(
    ({ kind, content, sender }) =>
      (words.length === 0 || (kind === 'text' && containsWords(foldText(content), words))) &&
      (body.from === undefined || (body.from === 'me') === (sender.username === user.username)) &&
      (body.kind === undefined ||
        (body.kind === 'link' ? kind === 'text' && hasWebLink(content) : kind === body.kind)),
  );
  found.sort((a, b) => {
    const byTime = a.createdAt.localeCompare(b.createdAt);
    if (body.chatroomId !== undefined) return a.seq - b.seq;
    return byTime === 0 ? (a._id < b._id ? -1 : 1) : byTime;
  });
  if (body.order !== 'oldest') found.reverse();
  return found.map(({ _id: id }) => id);
}

async function searchAllPages(user: TestUser, body: SearchBody): Promise<string[]> {
  const found: string[] = [];
  for (let cursor: string | undefined; ;) {
    const conditions = parseConditions({ ...body, ...(cursor !== undefined && { cursor }) });
    const effort = createEffort(conditions.words);
    const page = await searchMessages(server.ctx, user.id, conditions, effort);
    found.push(...page.hits.map(({ message }) => message._id));
    cursor = page.cursor;
    if (cursor === undefined) return found;
  }
}

test('finds what a scan of the history finds, whatever is sent, edited, deleted and blocked', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(step, { minLength: 10, maxLength: 30 }),
      fc.array(request, { minLength: 6, maxLength: 6 }),
      async (steps, requests) => {
        for (const each of steps) await perform(each);
        for (const {
          search: { order, ...conditions },
          room,
          isPartner,
        } of requests) {
          const user = isPartner ? (partners[room ?? 0] ?? ada) : ada;
          const own = isPartner ? [rooms[room ?? 0] ?? ''] : rooms;
          const inChatrooms = room === null ? await listUnblocked(user, own) : [rooms[room] ?? ''];
          const words = parseSearchQuery(conditions.query ?? '');
          const isTooShort = words.length > 0 && longWords(words).length === 0;
          if (room === null && isTooShort) continue;
          if (words.length === 0 && !conditions.from && !conditions.kind) continue;
          const body: SearchBody = {
            ...conditions,
            ...(room !== null && { chatroomId: rooms[room] ?? '' }),
            ...(room !== null && order && { order }),
          };
          // Limits of 1 would need thousands of requests.
          const isCommon = words.length === 0 || words.flat().some((each) => each.length < 4);
          if (isCommon) body.limit = 100;
          const expected = await scan(user, body, inChatrooms);
          expect(await searchAllPages(user, body), JSON.stringify(body)).toEqual(expected);
        }
      },
    ),
    // Shrinking would start from what was changed before.
    { numRuns: casesOf(6), endOnFailure: true },
  );
  // Thousands of requests, and other tests run at the same time.
}, 300_000);
