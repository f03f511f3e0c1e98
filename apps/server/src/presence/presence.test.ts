import { setImmediate as turnOfEventLoop } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import type { PartnerPresence } from '@parley/contract';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest';
import { changeConsent, createPair, beginChat, send, type Pair } from '../../test/chatting.ts';
import { startServer, type TestServer, type TestUser } from '../../test/harness.ts';
import { connectLive, connectRaw, type LiveClient } from '../../test/live.ts';
import { applyPresence, PresenceWorld, type PresenceDevice } from '../../test/presence-world.ts';
import { IS_ON_POSTGRES } from '../../test/server-group.ts';
import { until } from '../../test/until.ts';
import type { Context } from '../context.ts';
import { createPresenceNotifier, type PresenceEvent } from './presence.service.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startServer();
});
afterAll(() => server.close());

let count = 0;
function createTwo(): Promise<Pair> {
  count += 1;
  return createPair(server, { names: [`ada-${count}`, `bob-${count}`] });
}

/** Reports whether a device is in use. */
function reportUse({ socket }: LiveClient, isActive = true): void {
  socket.emit('presence', { isActive });
}

/** Connects a device that follows the presence of partners, and waits until it is told. */
async function connectDevice(user: TestUser, isActive = true): Promise<LiveClient> {
  const live = await connectLive(server, user);
  reportUse(live, isActive);
  await until(() => presenceEvents(live).length > 0);
  return live;
}

function presenceEvents({ events }: LiveClient): PresenceEvent[] {
  return events.flatMap(([name, event]) => (name === 'presence' ? [event as PresenceEvent] : []));
}

/**
 * Returns what was told about a chatroom, in order, without repeats: a server that has just started
 * tells everything once more when all users have had time to return. What is told then replaces all
 * of what was told before.
 */
function changesIn(room: string, live: LiveClient): (PartnerPresence | null | undefined)[] {
  const told = presenceEvents(live).flatMap(({ rooms, isComplete }, i) => {
    if (room in rooms) return [rooms[room]];
    return isComplete && i > 0 ? [null] : [];
  });
  return told.filter((presence, i) => !isDeepStrictEqual(presence, told[i - 1]));
}

/** The chatrooms of further partners, who come online after everything else. */
const otherChatrooms = new Set<string>();

/**
 * Returns what a device shows, once a further partner has come online and everything before is told.
 */
async function shownAt(live: LiveClient, user: TestUser): Promise<Record<string, PartnerPresence>> {
  count += 1;
  const other = await server.signIn(`other-${count}`);
  const room = await beginChat(other, user);
  reportUse(await connectLive(server, other));
  await until(() => applyPresence(presenceEvents(live))[room]?.isOnline);
  otherChatrooms.add(room);
  const shown = Object.entries(applyPresence(presenceEvents(live)));
  return Object.fromEntries(shown.filter(([id]) => !otherChatrooms.has(id)));
}

async function share(user: TestUser, sharesPresence: boolean): Promise<void> {
  const { body } = await user.request('PATCH', '/api/users/settings', { sharesPresence });
  expect(body).toMatchObject({ sharesPresence });
}

async function lastSeenOf({ id }: TestUser): Promise<number | null | undefined> {
  const [row] = await server.ctx.storage.read((db) =>
    db.selectFrom('users').select('last_seen_at').where('id', '=', id).execute(),
  );
  return row?.last_seen_at;
}

const TIMES = { grace: 60_000, gather: 5, store: 600_000 };

/** A test that holds the time. On PostgreSQL, its connections would time out. */
const timed = test.skipIf(IS_ON_POSTGRES);

/** Holds the time of a notifier, but not of the database and of `until`. */
function holdTime(): void {
  vi.useFakeTimers({
    toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval', 'performance'],
  });
  onTestFinished(async () => {
    // The server's own notifier has heard of what happened, too.
    await pass(TIMES.grace);
    vi.useRealTimers();
  });
}

const pass = (ms: number) => vi.advanceTimersByTimeAsync(ms);

/** Lets time pass until a condition is met, much less than the grace. */
function untilTold(condition: () => boolean | undefined): Promise<unknown> {
  return until(async () => {
    await pass(TIMES.gather);
    return condition();
  });
}

/** Creates another partner of a user. */
async function createPartner(user: TestUser): Promise<{ id: string; room: string }> {
  count += 1;
  const partner = await server.signIn(`partner-${count}`);
  return { id: partner.id, room: await beginChat(partner, user) };
}

/** A notifier with short times, as in a server of its own, for devices without a connection. */
function startNotifier(ctx: Context = server.ctx, times = TIMES) {
  const told = new Map<string, PresenceEvent[]>();
  const notifier = createPresenceNotifier({
    ...ctx,
    times,
    send: (userId, event) => void told.get(userId)?.push(event),
  });
  onTestFinished(() => notifier.stop());
  return {
    ...notifier,
    follow(userId: string) {
      told.set(userId, told.get(userId) ?? []);
      notifier.follow(userId);
    },
    told: ({ id }: TestUser) => told.get(id) ?? [],
    shown: ({ id }: TestUser) => applyPresence(told.get(id) ?? []),
  };
}

const ONLINE = { isOnline: true };
const NEVER_SEEN = { isOnline: false };

test('partners see each other online on all devices that follow presence, and on no other one', async () => {
  const { ada, bob, room } = await createTwo();
  const older = await connectLive(server, ada);
  const [laptop, tablet] = [await connectDevice(ada), await connectDevice(ada, false)];
  expect(applyPresence(presenceEvents(laptop))).toEqual({ [room]: NEVER_SEEN });
  const bobLive = await connectDevice(bob);
  for (const live of [laptop, tablet]) {
    await until(() => applyPresence(presenceEvents(live))[room]?.isOnline);
  }
  expect(await shownAt(bobLive, bob)).toEqual({ [room]: ONLINE });
  expect(older.events).toEqual([]);
});

test('a device that is not in use, or that does not say so, does not make its user online', async () => {
  const { ada, bob, room } = await createTwo();
  const adaLive = await connectDevice(ada);
  await connectLive(server, bob);
  const bobLive = await connectDevice(bob, false);
  expect(await shownAt(adaLive, ada)).toEqual({ [room]: NEVER_SEEN });
  reportUse(bobLive);
  await until(() => applyPresence(presenceEvents(adaLive))[room]?.isOnline);
});

timed('a user is offline some time after the last device is no longer in use', async () => {
  const { ada, bob, room } = await createTwo();
  const other = await createPartner(ada);
  holdTime();
  const notifier = startNotifier();
  notifier.follow(ada.id);
  notifier.activate(bob.id);
  notifier.activate(bob.id);
  await untilTold(() => notifier.shown(ada)[room]?.isOnline);
  notifier.deactivate(bob.id);
  await pass(TIMES.grace * 2);
  notifier.activate(other.id);
  await untilTold(() => notifier.shown(ada)[other.room]?.isOnline);
  expect(notifier.shown(ada)[room]).toEqual(ONLINE);
  notifier.deactivate(bob.id);
  await pass(TIMES.grace);
  await untilTold(() => notifier.shown(ada)[room]?.isOnline === false);
  const lastSeen = await lastSeenOf(bob);
  expect(lastSeen).toBeGreaterThan(Date.now() - 120_000);
  expect((lastSeen ?? 0) % 60_000).toBe(0);
  expect(notifier.shown(ada)[room]?.lastSeenAt).toBe(new Date(lastSeen ?? 0).toISOString());
});

timed('a user who returns within the grace is not told to be offline', async () => {
  const { ada, bob, room } = await createTwo();
  const other = await createPartner(ada);
  holdTime();
  const notifier = startNotifier();
  notifier.follow(ada.id);
  for (let i = 0; i < 20; i += 1) {
    notifier.activate(bob.id);
    await pass(TIMES.grace / 3);
    notifier.deactivate(bob.id);
    await pass(TIMES.grace / 3);
  }
  notifier.activate(bob.id);
  await pass(TIMES.grace * 2);
  notifier.activate(other.id);
  await untilTold(() => notifier.shown(ada)[other.room]?.isOnline);
  const told = notifier.told(ada).map(({ rooms }) => rooms[room]);
  const first = told.findIndex((presence) => presence?.isOnline);
  expect(told.slice(first).filter((presence) => presence?.isOnline === false)).toEqual([]);
});

timed('a user who returns while the absence is being stored is online', async () => {
  const { ada, bob, room } = await createTwo();
  const others: { id: string; room: string }[] = [];
  for (let i = 0; i < 10; i += 1) others.push(await createPartner(ada));
  holdTime();
  const notifier = startNotifier();
  notifier.follow(ada.id);
  notifier.activate(bob.id);
  await untilTold(() => notifier.shown(ada)[room]?.isOnline);
  for (const [i, other] of others.entries()) {
    notifier.deactivate(bob.id);
    // Before, during and after the write.
    await pass(TIMES.grace + i);
    for (let turn = 0; turn < i; turn += 1) await turnOfEventLoop();
    notifier.activate(bob.id);
    await pass(TIMES.grace * 2);
    notifier.activate(other.id);
    await untilTold(() => notifier.shown(ada)[other.room]?.isOnline);
    expect(notifier.shown(ada)[room], `after ${i} ms`).toEqual(ONLINE);
  }
});

test('it is stored regularly when users who are online were last seen', async () => {
  const { bob } = await createTwo();
  const notifier = startNotifier(server.ctx, { ...TIMES, store: 50 });
  notifier.activate(bob.id);
  await until(async () => (await lastSeenOf(bob)) !== null);
});

test('a session that ends takes its user offline', async () => {
  const { ada, bob, room } = await createTwo();
  const adaLive = await connectDevice(ada);
  await connectDevice(bob);
  await until(() => applyPresence(presenceEvents(adaLive))[room]?.isOnline);
  await bob.request('GET', '/api/users/logout');
  await until(() => applyPresence(presenceEvents(adaLive))[room]?.isOnline === false);
  expect(applyPresence(presenceEvents(adaLive))[room]?.lastSeenAt).toMatch(/:00\.000Z$/);
});

test('users without a chatroom and members of a request do not see the presence of each other', async () => {
  const { ada, bob, room } = await createTwo();
  const eve = await server.signIn(`eve-${count}`);
  const request = await beginChat(eve, bob, 'Hi', { isRequest: true });
  const [eveLive, bobLive] = [await connectDevice(eve), await connectDevice(bob)];
  expect(await shownAt(eveLive, eve)).toEqual({});
  expect(await shownAt(bobLive, bob)).toEqual({ [room]: NEVER_SEEN });
  // Answering accepts the request.
  await send(bob, request, 'Hello');
  await until(() => applyPresence(presenceEvents(eveLive))[request]?.isOnline);
  expect(await shownAt(bobLive, bob)).toEqual({ [room]: NEVER_SEEN, [request]: ONLINE });
  expect(ada.id).not.toBe(eve.id);
});

test('a partner who blocks the user looks like one who does not share presence', async () => {
  const seen: unknown[] = [];
  for (const hide of [
    (bob: TestUser, room: string) => changeConsent(bob, room, 'block'),
    (bob: TestUser) => share(bob, false),
  ]) {
    const { ada, bob, room } = await createTwo();
    const [adaLive, bobLive] = [await connectDevice(ada), await connectDevice(bob)];
    await until(() => applyPresence(presenceEvents(adaLive))[room]?.isOnline);
    await hide(bob, room);
    await until(() => changesIn(room, adaLive).at(-1) === null);
    // What the partner does from now on is not told.
    reportUse(bobLive, false);
    reportUse(bobLive, true);
    reportUse(await connectDevice(bob));
    expect(await shownAt(adaLive, ada)).toEqual({});
    const again = await connectDevice(ada);
    expect(await shownAt(again, ada)).toEqual({});
    seen.push(changesIn(room, adaLive));
    expect(applyPresence(presenceEvents(bobLive))[room]).toBeUndefined();
  }
  expect(seen[0]).toEqual([NEVER_SEEN, ONLINE, null]);
  expect(seen[1]).toEqual(seen[0]);
});

test('a partner who blocks the user can change what they share without being noticed', async () => {
  const { ada, bob, room } = await createTwo();
  const adaLive = await connectDevice(ada);
  await changeConsent(bob, room, 'block');
  await until(() => changesIn(room, adaLive).at(-1) === null);
  const { length } = presenceEvents(adaLive);
  await share(bob, false);
  await share(bob, true);
  await share(bob, false);
  await changeConsent(bob, room, 'unblock');
  await changeConsent(bob, room, 'block');
  await shownAt(adaLive, ada);
  const since = presenceEvents(adaLive).slice(length);
  expect(since.filter(({ rooms }) => room in rooms)).toEqual([]);
});

test('the end of a block shows the presence again', async () => {
  const { ada, bob, room } = await createTwo();
  const [adaLive, bobLive] = [await connectDevice(ada), await connectDevice(bob)];
  await changeConsent(bob, room, 'block');
  expect(await shownAt(adaLive, ada)).toEqual({});
  expect(await shownAt(bobLive, bob)).toEqual({});
  await changeConsent(bob, room, 'unblock');
  expect(await shownAt(adaLive, ada)).toEqual({ [room]: ONLINE });
  expect(await shownAt(bobLive, bob)).toEqual({ [room]: ONLINE });
});

test('a user who does not share presence is told nothing and leaves no trace', async () => {
  const { ada, bob, room } = await createTwo();
  const notifier = startNotifier(server.ctx, { ...TIMES, store: 50 });
  const [adaLive, bobLive] = [await connectDevice(ada), await connectDevice(bob)];
  notifier.activate(bob.id);
  await until(async () => (await lastSeenOf(bob)) !== null);
  await share(bob, false);
  expect(await lastSeenOf(bob)).toBeNull();
  await until(() => Object.keys(applyPresence(presenceEvents(bobLive))).length === 0);
  expect(await shownAt(adaLive, ada)).toEqual({});
  // All users who are online are stored at the same time.
  notifier.activate(ada.id);
  await until(async () => (await lastSeenOf(ada)) !== null);
  expect(await lastSeenOf(bob)).toBeNull();
  const settings = bobLive.events.filter(([name]) => name === 'settings');
  expect(settings).toEqual([['settings', { sharesPresence: false }]]);

  await share(bob, true);
  expect(await shownAt(bobLive, bob)).toEqual({ [room]: ONLINE });
  expect(await shownAt(adaLive, ada)).toEqual({ [room]: ONLINE });
});

test('nothing is told about a deleted account, and when it was last seen is removed', async () => {
  const { ada, bob, room } = await createTwo();
  const notifier = startNotifier(server.ctx, { ...TIMES, grace: 300 });
  notifier.activate(bob.id);
  notifier.deactivate(bob.id);
  await until(async () => (await lastSeenOf(bob)) !== null);
  const { status } = await bob.request('DELETE', '/api/users/delete', { password: 'password' });
  expect(status).toBe(200);
  expect(await lastSeenOf(bob)).toBeFalsy();
  expect(await shownAt(await connectDevice(ada), ada)).toEqual({});
  expect(room).not.toBe('');
});

test('times more than an hour ago are told to half an hour', async () => {
  const { ada, bob, room } = await createTwo();
  const minute = Math.floor(Date.now() / 60_000) * 60_000;
  for (const [age, precision] of [
    [59, 1],
    [61, 30],
    [10_000, 30],
  ] as const) {
    const time = minute - age * 60_000;
    await server.ctx.storage.write(async ({ trx }) => {
      await trx.updateTable('users').set({ last_seen_at: time }).where('id', '=', bob.id).execute();
    });
    const told = Math.floor(time / precision / 60_000) * precision * 60_000;
    expect(applyPresence(presenceEvents(await connectDevice(ada)))).toEqual({
      [room]: { isOnline: false, lastSeenAt: new Date(told).toISOString() },
    });
  }
});

timed(
  'users who were online before a restart are not told to be offline until they could return',
  async () => {
    const { ada, bob, room } = await createTwo();
    holdTime();
    const before = startNotifier();
    before.activate(bob.id);
    before.follow(ada.id);
    await untilTold(() => before.shown(ada)[room]?.isOnline);
    await before.stop();
    expect(await lastSeenOf(bob)).not.toBeNull();

    const after = startNotifier();
    after.follow(ada.id);
    await untilTold(() => after.told(ada).length > 0);
    expect(after.told(ada)[0]).toEqual({ rooms: {}, isComplete: true });
    await pass(TIMES.grace);
    await untilTold(() => after.shown(ada)[room]?.isOnline === false);
  },
);

test('a flood of signals is told once and ends the connection', async () => {
  const { ada, bob, room } = await createTwo();
  const adaLive = await connectDevice(ada);
  const raw = await connectRaw(server, bob);
  // The last one says that the device is in use, as its user would go offline after the grace.
  for (let i = 0; i < 90; i += 1) {
    raw.socket.send(`42["presence",{"isActive":${i % 2 === 1}}]`);
  }
  await until(() => applyPresence(presenceEvents(adaLive))[room]?.isOnline);
  expect(await shownAt(adaLive, ada)).toEqual({ [room]: ONLINE });
  expect(changesIn(room, adaLive)).toEqual([NEVER_SEEN, ONLINE]);
  // The acceptance of the chat may be told, too, while both are offline.
  const told = presenceEvents(adaLive).filter(
    ({ rooms, isComplete }) => rooms[room]?.isOnline && !isComplete,
  );
  expect(told.length).toBeLessThan(2);
  for (let i = 0; i < 20; i += 1) raw.socket.send(`42["presence",{"isActive":${i % 2 === 0}}]`);
  expect(await raw.closed).toMatchObject({ reason: 'too many packets' });
});

test.each([
  ['no payload', '42["presence"]'],
  ['a text', '42["presence","x"]'],
  ['null', '42["presence",null]'],
  ['another type', '42["presence",{"isActive":1}]'],
])('a signal with %s is ignored', async (_name, frame) => {
  const { ada, bob, room } = await createTwo();
  const adaLive = await connectDevice(ada);
  const raw = await connectRaw(server, bob);
  raw.socket.send(frame);
  expect(await shownAt(adaLive, ada)).toEqual({ [room]: NEVER_SEEN });
  raw.socket.send('42["presence",{"isActive":true}]');
  await until(() => applyPresence(presenceEvents(adaLive))[room]?.isOnline);
});

test('many users who connect at the same time need few queries', async () => {
  const hub = await server.signIn('hub');
  const users: TestUser[] = [];
  for (let i = 0; i < 60; i += 1) {
    const user = await server.signIn(`user-${i}`);
    await beginChat(user, hub);
    users.push(user);
  }
  let reads = 0;
  const { storage } = server.ctx;
  const counting: typeof storage = Object.create(storage, {
    read: {
      value: (...args: Parameters<typeof storage.read>) => {
        reads += 1;
        return storage.read(...args);
      },
    },
  });
  const notifier = startNotifier({ ...server.ctx, storage: counting });
  notifier.follow(hub.id);
  for (const { id } of users) {
    notifier.follow(id);
    notifier.activate(id);
  }
  notifier.activate(hub.id);
  const isAllOnline = (shown: Record<string, PartnerPresence>, expected: number): boolean =>
    Object.values(shown).filter(({ isOnline }) => isOnline).length === expected;
  await until(() => isAllOnline(notifier.shown(hub), 60));
  for (const user of users) await until(() => isAllOnline(notifier.shown(user), 1));
  expect(reads).toBeLessThan(10);
  expect(notifier.told(hub).length).toBeLessThan(10);
});

const PROCESSES = 2;
const USERS = 3;
const where = fc.nat({ max: PROCESSES - 1 });
const who = fc.nat({ max: USERS - 1 });
const pick = fc.nat({ max: 20 });
const step = fc.oneof(
  {
    weight: 10,
    arbitrary: fc.record({
      do: fc.constant('connect' as const),
      who,
      where,
      isActive: fc.constantFrom(true, true, true, false),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({ do: fc.constant('use' as const), pick, isActive: fc.boolean() }),
  },
  { weight: 4, arbitrary: fc.record({ do: fc.constant('disconnect' as const), pick }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('cut' as const), pick }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('kill' as const), where }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('stop' as const), where }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('deafen' as const), where }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('notice' as const) }) },
  {
    weight: 3,
    arbitrary: fc.record({ do: fc.constant('block' as const), who, pick, isOn: fc.boolean() }),
  },
  {
    weight: 1,
    arbitrary: fc.record({ do: fc.constant('share' as const), who, isShared: fc.boolean() }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constant('pass' as const),
      ms: fc.integer({ min: 1, max: TIMES.grace * 2 }),
    }),
  },
);
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;

/** The first of three users, who has chats with the others, and what they have decided. */
class PresenceHistory {
  readonly world = new PresenceWorld(server.ctx, TIMES, PROCESSES);
  readonly users: TestUser[] = [];
  /** The chatrooms, with the indexes of their members. */
  readonly #rooms: { id: string; members: readonly [number, number] }[] = [];
  /** Who blocks whom, as chatroom and index. */
  readonly #blocks = new Set<string>();
  /** The indexes of users who share nothing. */
  readonly #hidden = new Set<number>();

  async begin(): Promise<void> {
    const { ada, bob, room } = await createTwo();
    const carol = await server.signIn(`carol-${count}`);
    this.users.push(ada, bob, carol);
    this.#rooms.push({ id: room, members: [0, 1] });
    this.#rooms.push({ id: await beginChat(ada, carol), members: [0, 2] });
  }

  user(i: number): TestUser {
    return this.users[i] as TestUser;
  }

  async take(each: Step): Promise<void> {
    const { world } = this;
    if (each.do === 'connect') world.connect(this.user(each.who).id, each.where, each.isActive);
    else if (each.do === 'kill') world.kill(each.where);
    else if (each.do === 'stop') await world.stop(each.where);
    else if (each.do === 'deafen') world.deafen(each.where);
    else if (each.do === 'notice') world.notice();
    else if (each.do === 'pass') await pass(each.ms);
    else if (each.do === 'share') {
      await share(this.user(each.who), each.isShared);
      if (each.isShared) this.#hidden.delete(each.who);
      else this.#hidden.add(each.who);
    } else if (each.do === 'block') await this.block(each.who, each.pick, each.isOn);
    else {
      const device = [...world.devices][each.pick % world.devices.size];
      if (device) this.useDevice(device, each);
    }
  }

  useDevice(device: PresenceDevice, each: Extract<Step, { do: 'use' | 'disconnect' | 'cut' }>) {
    if (each.do === 'use') this.world.use(device, each.isActive);
    else this.world[each.do](device);
  }

  async block(i: number, choice: number, isOn: boolean): Promise<void> {
    const own = this.#rooms.filter(({ members }) => members.includes(i));
    const room = own[choice % own.length]?.id ?? '';
    await changeConsent(this.user(i), room, isOn ? 'block' : 'unblock');
    if (isOn) this.#blocks.add(`${room} ${i}`);
    else this.#blocks.delete(`${room} ${i}`);
  }

  /** Returns the partners whose presence users are told, as pairs of a user and a chatroom. */
  told(): Map<string, TestUser> {
    const told = new Map<string, TestUser>();
    for (const { id, members } of this.#rooms) {
      const isHidden = members.some((i) => this.#hidden.has(i) || this.#blocks.has(`${id} ${i}`));
      if (isHidden) continue;
      const [a, b] = members.map((i) => this.user(i)) as [TestUser, TestUser];
      told.set(`${a.id} ${id}`, b).set(`${b.id} ${id}`, a);
    }
    return told;
  }

  /** Takes a step, and checks that it tells no one what they must not know. */
  async takeAndCheck(each: Step): Promise<void> {
    const before = this.told();
    const counts = new Map(this.listTold().map(({ events }) => [events, events.length]));
    await this.take(each);
    await this.world.drain(pass);
    const after = this.told();
    for (const { userId, events } of this.listTold()) {
      for (const { rooms } of events.slice(counts.get(events) ?? 0)) {
        for (const [room, presence] of Object.entries(rooms)) {
          const key = `${userId} ${room}`;
          if (presence !== null) expect(before.has(key) || after.has(key)).toBe(true);
        }
      }
    }
  }

  listTold(): { userId: string; events: readonly PresenceEvent[] }[] {
    return this.world.processes.flatMap(({ told }) =>
      [...told].map(([userId, events]) => ({ userId, events })),
    );
  }

  /** Checks that all devices show the truth, once everything is noticed and the grace is over. */
  async check(): Promise<void> {
    const { world } = this;
    for (const [i, { id }] of this.users.entries()) world.connect(id, i, false);
    world.notice();
    for (let i = 0; i < 3; i += 1) {
      await world.drain(pass);
      await pass(TIMES.grace);
    }
    await world.drain(pass);
    const told = this.told();
    for (const { userId, events } of this.listTold()) {
      const expected: Record<string, PartnerPresence> = {};
      for (const { id } of this.#rooms) {
        const partner = told.get(`${userId} ${id}`);
        if (partner) expected[id] = await this.presenceOf(partner);
      }
      expect(applyPresence(events)).toEqual(expected);
    }
  }

  async presenceOf(user: TestUser): Promise<PartnerPresence> {
    if ([...this.world.devices].some(({ userId, isActive }) => isActive && userId === user.id))
      return ONLINE;
    const time = await lastSeenOf(user);
    return typeof time === 'number'
      ? { isOnline: false, lastSeenAt: new Date(time).toISOString() }
      : NEVER_SEEN;
  }
}

timed(
  'after any history of devices, silent connections, killed processes and lost events, partners are told the truth',
  async () => {
    holdTime();
    await fc.assert(
      fc.asyncProperty(
        fc.array(step, { minLength: 5, maxLength: 40, size: 'max' }),
        async (steps) => {
          const history = new PresenceHistory();
          await history.begin();
          try {
            for (const each of steps) await history.takeAndCheck(each);
            await history.check();
          } finally {
            await history.world.close();
          }
        },
      ),
      { numRuns: 16, endOnFailure: true },
    );
  },
);
