import { LIMITS, type Message } from '@parley/contract';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { fillRoom } from '../../test/arrange.ts';
import { changesSince, createRoom, openRoom } from '../../test/chatting.ts';
import { startServer, type TestServer, type TestUser } from '../../test/harness.ts';
import { RoomMirror } from '../../test/room-mirror.ts';
import { RESPONSE_BYTES } from '../messages/bounded-read.ts';

/** Of each of the two rooms: three pages and more. */
const COUNT = 90;

/** What one answer holds besides its messages' contents, and the message that fills it. */
const MARGIN = 150_000;

let server: TestServer;
let alice: TestUser;
let rooms: [string, string];
beforeAll(async () => {
  server = await startServer();
  alice = await server.signIn('Alice');
  const bob = await server.signIn('Bob');
  const carol = await server.signIn('Carol');
  rooms = [await createRoom(alice, bob), await createRoom(alice, carol)];
  // 40 kB in the database; what JSON makes of control characters is longer still.
  await fillRoom(server, rooms[0], bob, COUNT, () => '😀'.repeat(LIMITS.messageMax));
  await fillRoom(server, rooms[1], carol, COUNT, () => '\u0001'.repeat(LIMITS.messageMax));
});
afterAll(() => server.close());

const bytes = (answer: unknown) => Buffer.byteLength(JSON.stringify(answer));
const seqs = (messages: readonly Message[]) => messages.map(({ seq }) => seq);
const ALL = Array.from({ length: COUNT + 1 }, (_, i) => i + 1);

test.each([0, 1])(
  'pages of a room full of them stay small and lead through all of it: %i',
  async (i) => {
    const room = rooms[i] ?? '';
    const newest = await openRoom(alice, room, `?limit=${LIMITS.pageMax}`);
    expect(newest.chatroomMessages.at(-1)?.seq).toBe(COUNT + 1);

    const seen: number[] = [];
    let before = '';
    for (let hasMore = true; hasMore;) {
      const page = await openRoom(alice, room, `?limit=${LIMITS.pageMax}${before}`);
      expect(bytes(page)).toBeLessThan(RESPONSE_BYTES + MARGIN);
      expect(page.chatroomMessages.length).toBeGreaterThan(0);
      seen.unshift(...seqs(page.chatroomMessages));
      before = `&before=${page.chatroomMessages[0]?.seq}`;
      ({ hasMore } = page);
    }
    expect(seen).toEqual(ALL);
  },
);

test('catching up with rooms full of them takes small steps and becomes complete', async () => {
  const first = await changesSince(alice, { [rooms[0]]: 0, [rooms[1]]: 0 }, 1_000);
  expect(first.hasMore).toBe(true);
  expect(bytes(first)).toBeLessThan(RESPONSE_BYTES + MARGIN);

  const mirror = new RoomMirror();
  const requests = await mirror.catchUp(alice, rooms, 1_000);
  // Each but the last is full, and none is for nothing.
  expect(requests).toBeLessThan(12);
  for (const room of rooms) {
    expect(seqs(mirror.room(room))).toEqual(ALL);
    expect(mirror.revs[room]).toBe(COUNT + 1);
  }
});
