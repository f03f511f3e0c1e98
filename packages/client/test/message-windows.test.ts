import { LIMITS } from '@parley/contract';
import { isLongRun } from '@parley/testing/scope';
import fc from 'fast-check';
import { afterEach, beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { withDeleted, withMessage } from '../src/stores/loaded-chatroom.ts';
import { shownPart, WINDOW_MAX } from '../src/stores/message-window.ts';
import { NaiveServer, ROOM, settle, WindowWorld } from './window-world.ts';

/** The most messages that may be loaded: those that are shown, and the newest ones. */
const LOADED_MAX = 2 * WINDOW_MAX + LIMITS.pageMax;

beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] }));
afterEach(() => void vi.useRealTimers());

const at = fc.double({ min: 0, max: 0.999, noNaN: true });
const step = fc.oneof(
  { weight: 4, arbitrary: fc.record({ do: fc.constant('send' as const), isOwn: fc.boolean() }) },
  { weight: 4, arbitrary: fc.record({ do: fc.constant('edit' as const), at }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('delete' as const), at }) },
  {
    weight: 1,
    arbitrary: fc.record({
      do: fc.constant('delete-many' as const),
      at,
      count: fc.integer({ min: 10, max: 300 }),
    }),
  },
  { weight: 4, arbitrary: fc.record({ do: fc.constant('jump' as const), at }) },
  { weight: 4, arbitrary: fc.record({ do: fc.constant('older' as const) }) },
  { weight: 4, arbitrary: fc.record({ do: fc.constant('newer' as const) }) },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constantFrom('scroll-up' as const, 'scroll-down' as const),
      count: fc.integer({ min: 2, max: 30 }),
    }),
  },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('newest' as const) }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('read' as const), at }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constantFrom('leave' as const, 'open' as const) }) },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant('lose-events' as const),
      count: fc.integer({ min: 1, max: 30 }),
    }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('reload' as const) }) },
  { weight: 10, arbitrary: fc.record({ do: fc.constant('advance' as const), pick: fc.nat(9) }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('advance-all' as const) }) },
);
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;

async function take(world: WindowWorld, action: Step): Promise<void> {
  const { server, jumps } = world;
  const remove = (place: number): void => {
    const deleted = server.delete(place);
    if (deleted) world.tell((room) => withDeleted(room, deleted, true), deleted.rev);
  };
  switch (action.do) {
    case 'send': {
      const message = server.send(action.isOwn);
      return world.tell((room) => withMessage(room, message, true), message.rev);
    }
    case 'edit': {
      const edited = server.edit(action.at);
      return edited && world.tell((room) => withMessage(room, edited, true), edited.rev);
    }
    case 'delete':
      return remove(action.at);
    case 'delete-many':
      for (let i = 0; i < action.count; i += 1) remove(action.at);
      return undefined;
    case 'jump': {
      const seq = 1 + Math.floor(action.at * (server.messages.at(-1)?.seq ?? 1));
      return void jumps.jumpTo(ROOM, { seq });
    }
    case 'older':
      return void jumps.loadOlder(ROOM);
    case 'newer':
      return void jumps.loadNewer(ROOM);
    case 'scroll-up':
    case 'scroll-down':
      for (let i = 0; i < action.count; i += 1) {
        void jumps[action.do === 'scroll-up' ? 'loadOlder' : 'loadNewer'](ROOM);
        await world.advanceAll();
        world.read(action.do === 'scroll-up' ? 0 : 0.999);
      }
      return undefined;
    case 'newest':
      return jumps.showNewest(ROOM);
    case 'read':
      return world.read(action.at);
    case 'leave':
    case 'open':
      return world[action.do]();
    case 'lose-events':
      world.lost = action.count;
      return undefined;
    case 'reload':
      world.stores.rooms.getState().removeEntry(ROOM);
      return world.open();
    case 'advance':
      return world.advance(action.pick);
    case 'advance-all':
      return world.advanceAll();
  }
}

/** Expects that the loaded parts are what the server has there, without a hole. */
function expectAsOnServer({ server, room }: WindowWorld): void {
  if (!room) throw new Error('the chatroom is not loaded');
  const { messages, detached, hasMore } = room;
  const between = (first = Infinity, last = Infinity) =>
    server.messages.filter(({ seq }) => seq >= first && seq <= last);
  expect(messages).toEqual(between(messages[0]?.seq));
  if (!hasMore) expect(messages).toEqual(server.messages);
  if (!detached) return;
  const [first, last] = [detached.messages[0]?.seq, detached.messages.at(-1)?.seq];
  expect(detached.messages).toEqual(between(first, last));
  expect(last).toBeLessThan(messages[0]?.seq ?? Infinity);
  if (!detached.hasMore) expect(detached.messages[0]).toEqual(server.messages[0]);
}

function expectSorted({ room }: WindowWorld): void {
  if (!room) return;
  for (const part of [room.messages, room.detached?.messages ?? []]) {
    expect(part.every(({ seq }, index) => index === 0 || seq > (part[index - 1]?.seq ?? 0))).toBe(
      true,
    );
  }
  expect(room.messages.length + (room.detached?.messages.length ?? 0)).toBeLessThan(LOADED_MAX);
  expect(room.detached?.messages).not.toEqual([]);
}

test('what is loaded is an uninterrupted part of the chatroom, whatever happens in whatever order', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom(0, 30, 700, 2_500),
      fc.array(step, { minLength: 5, maxLength: 60 }),
      async (count, steps) => {
        const world = new WindowWorld(new NaiveServer(count));
        try {
          world.open();
          await world.advanceAll();
          for (const action of steps) {
            await take(world, action);
            expectSorted(world);
          }
          world.lost = 0;
          await world.advanceAll();
          if (!world.room) {
            world.open();
            await world.advanceAll();
          }
          world.loader.requestResync(ROOM);
          await world.advanceAll();
          expectAsOnServer(world);
        } finally {
          world.stop.abort();
        }
      },
    ),
    { numRuns: isLongRun ? 2_000 : 150 },
  );
});

/** Creates a client that has opened a chatroom of so many messages. */
async function openChatroom(count: number, readSeq = count) {
  const server = new NaiveServer(count);
  server.readSeq = readSeq;
  const world = new WindowWorld(server);
  world.open();
  await world.advanceAll();
  onTestFinished(() => world.stop.abort());
  return world;
}

const shownSeqs = ({ room }: WindowWorld): number[] =>
  room ? shownPart(room).messages.map(({ seq }) => seq) : [];

test('returns to where the user was reading, also after the chatroom was released', async () => {
  const world = await openChatroom(3_000);
  void world.jumps.jumpTo(ROOM, { seq: 1_000 });
  await world.advanceAll();
  world.read(0.5);
  const place = world.stores.view.getState().findPosition?.()?.seq;
  expect(place).toBe(1_000);
  world.leave();
  world.open();
  expect(world.pending).toEqual([]);
  expect(shownSeqs(world)).toContain(1_000);
  world.read(0.5);
  world.leave();
  world.stores.rooms.getState().removeEntry(ROOM);
  world.open();
  await world.advanceAll();
  expect(shownSeqs(world)).toContain(1_000);
  expect(shownSeqs(world)).not.toContain(3_000);
});

test('opens at the newest messages, with the first unread one, if some have arrived since', async () => {
  const world = await openChatroom(3_000);
  void world.jumps.jumpTo(ROOM, { seq: 1_000 });
  await world.advanceAll();
  world.read(0.5);
  world.leave();
  const message = world.server.send(false);
  world.tell((room) => withMessage(room, message, true), message.rev);
  world.open();
  expect(world.pending).toEqual([]);
  expect(shownSeqs(world).slice(-2)).toEqual([3_000, 3_001]);
});

test('a reload keeps the place where the user reads, and does not undo a jump', async () => {
  const world = await openChatroom(3_000);
  void world.jumps.jumpTo(ROOM, { seq: 1_000 });
  await world.advanceAll();
  world.read(0.5);
  // As a server that was restored from a backup.
  world.server.rev -= 1;
  world.server.deletions.push({ _id: 'm3000', seq: 3_000, rev: 2_999 });
  world.server.messages.pop();
  world.loader.requestResync(ROOM);
  await world.advanceAll();
  expect(shownSeqs(world)).toContain(1_000);
  expect(world.room?.messages.at(-1)?.seq).toBe(2_999);

  world.server.rev -= 1;
  world.loader.requestResync(ROOM);
  // The changes, and then the newest messages, of which the response has not arrived.
  for (let i = 0; i < 3; i += 1) await world.advance(0);
  expect(world.pending).toHaveLength(1);
  void world.jumps.jumpTo(ROOM, { seq: 2_000 });
  await settle();
  // The page is older than the chatroom in memory, so that it is fetched again.
  for (let i = 0; i < 4; i += 1) await world.advance(1);
  expect(shownSeqs(world)).toContain(2_000);
  world.read(0.5);
  await world.advanceAll();
  expect(shownSeqs(world)).toContain(2_000);
});

test('a jump to a message just above those that are loaded shows it', async () => {
  const world = await openChatroom(3_000);
  while (shownSeqs(world).length < WINDOW_MAX) {
    void world.jumps.loadOlder(ROOM);
    await world.advanceAll();
  }
  const target = (shownSeqs(world)[0] ?? 0) - 20;
  const jump = world.jumps.jumpTo(ROOM, { seq: target });
  await world.advanceAll();
  expect(await jump).toEqual({ messageId: `m${target}` });
  expect(shownSeqs(world)).toContain(target);
});

test('going to the newest messages during a reload is not undone', async () => {
  const world = await openChatroom(3_000);
  void world.jumps.jumpTo(ROOM, { seq: 1_000 });
  await world.advanceAll();
  world.read(0.5);
  world.server.rev -= 1;
  world.loader.requestResync(ROOM);
  // Until the response with the messages where the user reads.
  for (let i = 0; i < 5; i += 1) await world.advance(0);
  world.jumps.showNewest(ROOM);
  world.read(0.999);
  await world.advanceAll();
  expect(world.room?.detached).toBeUndefined();
});

test('a chatroom in which many messages arrive keeps a bounded number of them', async () => {
  for (const isReadingAbove of [false, true]) {
    const world = await openChatroom(300);
    world.read(isReadingAbove ? 0 : 0.999);
    const place = shownSeqs(world)[0] ?? 0;
    for (let i = 0; i < 3_000; i += 1) {
      const message = world.server.send(false);
      world.tell((room) => withMessage(room, message, true), message.rev);
      expectSorted(world);
    }
    if (isReadingAbove) expect(shownSeqs(world)).toContain(place);
    else expect(shownSeqs(world).at(-1)).toBe(3_300);
    world.leave();
    for (let i = 0; i < 1_000; i += 1) {
      const message = world.server.send(false);
      world.tell((room) => withMessage(room, message, true), message.rev);
    }
    expect(world.room).toBeUndefined();
  }
});

test('leaves the detached messages once all of them are deleted', async () => {
  const world = await openChatroom(3_000);
  void world.jumps.jumpTo(ROOM, { seq: 1_000 });
  await world.advanceAll();
  const seqs = shownSeqs(world);
  for (const seq of seqs) {
    const rev = (world.server.rev += 1);
    world.tell((room) => withDeleted(room, { _id: `m${seq}`, rev }, true), rev);
  }
  expect(world.room?.detached).toBeUndefined();
  expect(shownSeqs(world).at(-1)).toBe(3_000);
});

test('reading 100,000 messages from end to end keeps a bounded number of them', async () => {
  const world = await openChatroom(100_000);
  const seen = new Set<number>();
  const note = (): void => {
    const { room } = world;
    if (!room) throw new Error('the chatroom is not loaded');
    shownPart(room).messages.forEach(({ seq }) => seen.add(seq));
    expectSorted(world);
  };
  while (world.room && shownPart(world.room).hasMore) {
    void world.jumps.loadOlder(ROOM);
    await world.advanceAll();
    note();
  }
  expect(seen.size).toBe(100_000);
  seen.clear();
  note();
  while (world.room?.detached) {
    void world.jumps.loadNewer(ROOM);
    await world.advanceAll();
    note();
  }
  expect(seen.size).toBe(100_000);
  expect(world.room?.messages.at(-1)?.seq).toBe(100_000);
});
