import { LIMITS, type Message } from '@parley/contract';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { fillChat } from '../../test/fixtures.ts';
import { changesSince, beginChat, readChatroom } from '../../test/chatting.ts';
import { startServer, type TestServer, type TestUser } from '../../test/harness.ts';
import { ChatroomMirror } from '../../test/chatroom-mirror.ts';
import { RESPONSE_BYTES } from '../messages/bounded-read.ts';

/** Number of messages in each of the two chatrooms: more than three pages. */
const COUNT = 90;

/** Bytes that message metadata and the last message may add to a full response. */
const MARGIN = 150_000;

let server: TestServer;
let alice: TestUser;
let rooms: [string, string];
beforeAll(async () => {
  server = await startServer();
  alice = await server.signIn('Alice');
  const bob = await server.signIn('Bob');
  const carol = await server.signIn('Carol');
  rooms = [await beginChat(alice, bob), await beginChat(alice, carol)];
  // An emoji takes four bytes in UTF-8; JSON encodes a control character with six.
  await fillChat(server, rooms[0], bob, COUNT, () => '😀'.repeat(LIMITS.messageMax));
  await fillChat(server, rooms[1], carol, COUNT, () => '\u0001'.repeat(LIMITS.messageMax));
});
afterAll(() => server.close());

const bytes = (value: unknown) => Buffer.byteLength(JSON.stringify(value));
const seqs = (messages: readonly Message[]) => messages.map(({ seq }) => seq);
const ALL = Array.from({ length: COUNT + 1 }, (_, i) => i + 1);

test.each([0, 1])(
  'pages of a chatroom with long messages stay small and cover all messages: %i',
  async (i) => {
    const room = rooms[i] ?? '';
    const newest = await readChatroom(alice, room, `?limit=${LIMITS.pageMax}`);
    expect(newest.chatroomMessages.at(-1)?.seq).toBe(COUNT + 1);

    const seen: number[] = [];
    let before = '';
    for (let hasMore = true; hasMore;) {
      const page = await readChatroom(alice, room, `?limit=${LIMITS.pageMax}${before}`);
      expect(bytes(page)).toBeLessThan(RESPONSE_BYTES + MARGIN);
      expect(page.chatroomMessages.length).toBeGreaterThan(0);
      seen.unshift(...seqs(page.chatroomMessages));
      before = `&before=${page.chatroomMessages[0]?.seq}`;
      ({ hasMore } = page);
    }
    expect(seen).toEqual(ALL);
  },
);

test('a resync of chatrooms with long messages takes small responses and completes', async () => {
  const first = await changesSince(alice, { [rooms[0]]: 0, [rooms[1]]: 0 }, 1_000);
  expect(first.hasMore).toBe(true);
  expect(bytes(first)).toBeLessThan(RESPONSE_BYTES + MARGIN);

  const mirror = new ChatroomMirror();
  const requests = await mirror.resync(alice, rooms, 1_000);
  // Each response except the last is full, and none is empty.
  expect(requests).toBeLessThan(12);
  for (const room of rooms) {
    expect(seqs(mirror.room(room))).toEqual(ALL);
    expect(mirror.revs[room]).toBe(COUNT + 1);
  }
});
