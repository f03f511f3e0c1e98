import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { changeConsent, createPair, beginChat } from '../../test/chatting.ts';
import { startServer, type TestServer, type TestUser } from '../../test/harness.ts';
import { connectLive, connectRaw, type LiveClient } from '../../test/live.ts';
import { until } from '../../test/until.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startServer();
});
afterAll(() => server.close());

let count = 0;
async function createTwo() {
  count += 1;
  const pair = await createPair(server, { names: [`ada-${count}`, `bob-${count}`] });
  const adaLive = await connectLive(server, pair.ada);
  return { ...pair, adaLive, bobLive: await connectLive(server, pair.bob) };
}

/** Reports that the user of a connection is typing. */
function type({ socket }: LiveClient, chatroom: unknown): void {
  socket.emit('typing', { chatroom });
}

const toldOf = (live: LiveClient) =>
  live.events.flatMap(([name, event]) =>
    name === 'typing' ? [(event as { chatroom: string }).chatroom] : [],
  );

/** Waits until a user is told that the partner is typing. Signals of two partners have no order. */
const untilTold = (live: LiveClient, chatroom: string) =>
  until(() => toldOf(live).includes(chatroom));

/**
 * Returns the chatrooms in which a user was told that the partner is typing, once a partner who may
 * tell has done so after everything before.
 */
async function toldTo(live: LiveClient, user: TestUser): Promise<unknown[]> {
  count += 1;
  const other = await server.signIn(`other-${count}`);
  const room = await beginChat(other, user);
  type(await connectLive(server, other), room);
  await untilTold(live, room);
  return toldOf(live).filter((chatroom) => chatroom !== room);
}

test('only the partner is told, on all devices', async () => {
  const { ada, bob, room, adaLive, bobLive } = await createTwo();
  const tablet = await connectLive(server, bob);
  type(adaLive, room);
  await untilTold(bobLive, room);
  expect(await toldTo(bobLive, bob)).toEqual([room]);
  await until(() => tablet.events.length === bobLive.events.length);
  expect(tablet.events).toEqual(bobLive.events);
  expect(await toldTo(adaLive, ada)).toEqual([]);
});

test('users without a chatroom and members of a request do not show that they are typing', async () => {
  const { ada, bob, room, adaLive, bobLive } = await createTwo();
  const eve = await server.signIn(`eve-${count}`);
  const eveLive = await connectLive(server, eve);
  type(eveLive, room);
  const request = await beginChat(eve, bob, 'Hi', { isRequest: true });
  type(eveLive, request);
  type(bobLive, request);
  expect(await toldTo(bobLive, bob)).toEqual([]);
  expect(await toldTo(eveLive, eve)).toEqual([]);
  expect(await toldTo(adaLive, ada)).toEqual([]);
});

test.each(['ada', 'bob'] as const)(
  'nothing is told after %s has blocked the other',
  async (who) => {
    const { ada, bob, room, adaLive, bobLive } = await createTwo();
    type(adaLive, room);
    await untilTold(bobLive, room);
    expect(await toldTo(bobLive, bob)).toEqual([room]);
    await changeConsent(who === 'ada' ? ada : bob, room, 'block');
    // Not the block as such, but whom to tell is looked up again.
    type(bobLive, room);
    expect(await toldTo(adaLive, ada)).toEqual([]);
  },
);

test.each(['ada', 'bob'] as const)(
  'nothing is told if %s does not share who is typing',
  async (who) => {
    const { ada, bob, room, adaLive, bobLive } = await createTwo();
    const [user, partner] = who === 'ada' ? [ada, bob] : [bob, ada];
    const change = { sharesTyping: false };
    const { body } = await user.request('PATCH', '/api/users/settings', change);
    expect(body).toMatchObject(change);
    type(adaLive, room);
    type(bobLive, room);
    const [live, partnerLive] = who === 'ada' ? [adaLive, bobLive] : [bobLive, adaLive];
    expect(await toldTo(partnerLive, partner)).toEqual([]);
    expect(live.events.filter(([name]) => name === 'typing')).toEqual([]);
  },
);

test('a change of settings does not lift the limit of signals', async () => {
  const { ada, bob, room, adaLive, bobLive } = await createTwo();
  type(adaLive, room);
  await untilTold(bobLive, room);
  const before = toldOf(bobLive).length;
  for (const sharesTyping of [false, true, true]) {
    await ada.request('PATCH', '/api/users/settings', { sharesTyping });
    type(adaLive, room);
  }
  expect((await toldTo(bobLive, bob)).length).toBe(before);
});

test('a flood of signals reaches the partner once and ends the connection', async () => {
  const { ada, bob, room, bobLive } = await createTwo();
  const raw = await connectRaw(server, ada);
  for (let i = 0; i < 50; i += 1) raw.socket.send(`42["typing",{"chatroom":"${room}"}]`);
  await untilTold(bobLive, room);
  expect(await toldTo(bobLive, bob)).toEqual([room]);
  for (let i = 0; i < 100; i += 1) {
    raw.socket.send(`42["typing",{"chatroom":"${randomUUID()}"}]`);
  }
  expect(await raw.closed).toMatchObject({ reason: 'too many packets' });
});

test.each([
  ['no payload', '42["typing"]'],
  ['a text', '42["typing","x"]'],
  ['null', '42["typing",null]'],
  ['a chatroom that is not an id', '42["typing",{"chatroom":"x"}]'],
  ['a chatroom that is not a text', '42["typing",{"chatroom":{"a":1}}]'],
])('a signal with %s is ignored', async (_name, frame) => {
  const { ada, room, bob, bobLive } = await createTwo();
  const raw = await connectRaw(server, ada);
  raw.socket.send(frame);
  raw.socket.send(`42["typing",{"chatroom":"${room}"}]`);
  await untilTold(bobLive, room);
  expect(await toldTo(bobLive, bob)).toEqual([room]);
  raw.socket.terminate();
});
