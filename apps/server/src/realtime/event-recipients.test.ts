import { randomUUID } from 'node:crypto';
import type { ServerEvents } from '@parley/contract';
import {
  serverEvents,
  type EventRecipients,
  type ServerEventSchema,
} from '@parley/contract/schemas';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { changeConsent, beginChat, expectStatus, readChatroom, send } from '../../test/chatting.ts';
import {
  CHAT_CASES,
  EVENT_CASES,
  type ActedChat,
  type EventCase,
  type SignalCall,
} from '../../test/event-cases.ts';
import { startServer, userAt, type TestServer, type TestUser } from '../../test/harness.ts';
import { connectLive, type LiveClient } from '../../test/live.ts';
import { until } from '../../test/until.ts';
import { waitForErasure } from '../../test/wait-for-erasure.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startServer();
});
afterAll(() => server.close());

/** Devices of the user who acts, of another session of that user, of the partner and of a user without the chat. */
const DEVICES = ['acting', 'other', 'partner', 'outsider'] as const;
type Device = (typeof DEVICES)[number];

const RECIPIENTS: Readonly<Record<EventRecipients, readonly Device[]>> = {
  members: ['acting', 'other', 'partner'],
  member: ['acting', 'other'],
  partner: ['partner'],
  user: ['acting', 'other'],
  session: ['acting'],
};

interface EventWorld extends ActedChat {
  readonly partner: TestUser;
  readonly outsider: TestUser;
  readonly lives: Readonly<Record<Device, LiveClient>>;
  /** The member who does not share what the event tells. */
  readonly silent: Member | undefined;
}

type Member = 'user' | 'partner';

interface Situation {
  readonly isUndecided?: boolean;
  readonly blocker?: Member;
  readonly silent?: Member;
  /** The setting that the silent member has switched off. */
  readonly shared?: string;
}

let count = 0;
async function createEventWorld(situation: Situation): Promise<EventWorld> {
  const { isUndecided = false, blocker, silent, shared = '' } = situation;
  count += 1;
  const names = ['user', 'partner', 'outsider'].map((name) => `${name}-${count}`);
  const users = await Promise.all(names.map((name) => server.signIn(name)));
  const [user, partner, outsider] = users as [TestUser, TestUser, TestUser];
  const room = isUndecided
    ? await beginChat(partner, user, 'Hello', { isUndecided })
    : await beginChat(user, partner);
  await send(partner, room, 'Hi');
  const { chatroomMessages } = await readChatroom(user, room);
  const members = { user, partner };
  if (blocker) await changeConsent(members[blocker], room, 'block');
  if (silent) {
    const body = { [shared]: false };
    expectStatus(await members[silent].request('PATCH', '/api/users/settings', body), 200);
  }
  const second = userAt(server.url, user);
  await server.renewSession(second);
  const lives = {
    acting: await connectLive(server, user),
    other: await connectLive(server, second),
    partner: await connectLive(server, partner),
    outsider: await connectLive(server, outsider),
  };
  for (const { socket, events } of Object.values(lives)) {
    socket.emit('presence', { isActive: false });
    await until(() => events.some(([name]) => name === 'presence'));
  }
  const ownMessageId = chatroomMessages[0]?._id ?? '';
  const partnerMessageId = chatroomMessages.at(-1)?._id ?? '';
  return { ...members, outsider, room, ownMessageId, partnerMessageId, lives, silent };
}

/** Returns whether a device has received an event that is due to what was done in a chatroom. */
function hasReceived({ events }: LiveClient, name: keyof ServerEvents, room: string): boolean {
  const { isCaused = (payload) => JSON.stringify(payload).includes(room) } = EVENT_CASES[name];
  return events.some(([each, payload]) => each === name && isCaused(payload as never, room));
}

function emitSignal(socket: LiveClient['socket'], [name, payload]: SignalCall): void {
  socket.emit(name, payload);
}

/** Waits until all devices have received the events of everything before. */
async function settle(world: EventWorld, name: keyof ServerEvents): Promise<void> {
  const { user, partner, outsider, lives } = world;
  const { signal } = EVENT_CASES[name];
  // Partners of an account are told before it is erased.
  await waitForErasure(server);
  if (signal === undefined) {
    const mark = randomUUID();
    for (const { id: userId } of [user, partner, outsider]) {
      server.ctx.events.publish({ type: 'typing', userId, chatroomId: mark });
    }
    await until(() =>
      Object.values(lives).every(
        (live) => live.socket.disconnected || hasReceived(live, 'typing', mark),
      ),
    );
    return;
  }
  // No write orders what signals cause. A further partner of each user follows.
  const further = await server.signIn(`further-${user.username}`);
  const { socket } = await connectLive(server, further);
  for (const [each, devices] of [
    [user, [lives.acting, lives.other]],
    [partner, [lives.partner]],
    [outsider, [lives.outsider]],
  ] as const) {
    // Nothing is told to a member who does not share it.
    if (world.silent && each === world[world.silent]) continue;
    const room = await beginChat(further, each);
    emitSignal(socket, signal(room));
    await until(() => devices.every((live) => hasReceived(live, name, room)));
  }
}

/** Returns the devices that receive an event, after the user has done what causes it. */
async function findRecipients(
  name: keyof ServerEvents,
  world: EventWorld,
  { act, signal }: EventCase = EVENT_CASES[name],
): Promise<Device[]> {
  const { lives, room } = world;
  await act?.(world);
  if (signal) emitSignal(lives.acting.socket, signal(room));
  await settle(world, name);
  return DEVICES.filter((device) => hasReceived(lives[device], name, room));
}

const NAMES = Object.keys(serverEvents) as (keyof ServerEvents)[];

describe.each(NAMES)('the event %s', (name) => {
  const { to }: ServerEventSchema = serverEvents[name];
  const { isUndecided = false } = EVENT_CASES[name];

  test('is sent to whom the table names', async () => {
    const world = await createEventWorld({ isUndecided });
    expect(await findRecipients(name, world)).toEqual(RECIPIENTS[to]);
  });

  test('is not sent to a partner who has blocked the user', async () => {
    const world = await createEventWorld({ isUndecided, blocker: 'partner' });
    expect(await findRecipients(name, world)).toEqual(
      RECIPIENTS[to].filter((device) => device !== 'partner'),
    );
  });
});

/** The events that members share, with the setting. */
const SHARED = NAMES.flatMap((name) => {
  const { shared }: ServerEventSchema = serverEvents[name];
  return shared === undefined ? [] : [{ name, shared }];
});

describe.each(SHARED)('the event $name', ({ name, shared }) => {
  test.each<[string, Situation]>([
    ['the user has not accepted the partner', { isUndecided: true }],
    ['the user has blocked the partner', { blocker: 'user' }],
    ['the user does not share it', { silent: 'user', shared }],
    ['the partner does not share it', { silent: 'partner', shared }],
  ])('is sent to no one if %s', async (_what, situation) => {
    expect(await findRecipients(name, await createEventWorld(situation))).toEqual([]);
  });
});

describe.each(Object.entries(CHAT_CASES))('the event chat of a user who %s', (_what, each) => {
  const { isUndecided = false, isOwn, isTold, isReceipt = false } = each;
  const own: readonly Device[] = isOwn ? RECIPIENTS.user : [];
  const all = isTold ? [...own, 'partner' as const] : own;

  test('is sent to the devices of those for whom the chat has changed', async () => {
    const world = await createEventWorld({ isUndecided });
    expect(await findRecipients('chat', world, each)).toEqual(all);
  });

  test('is not sent to a partner who has blocked the user', async () => {
    const world = await createEventWorld({ isUndecided, blocker: 'partner' });
    expect(await findRecipients('chat', world, each)).toEqual(own);
  });

  const shared = 'sharesReceipts';
  test.runIf(isReceipt).each<[string, Situation]>([
    ['the user has not accepted the partner', { isUndecided: true }],
    ['the user does not share receipts', { silent: 'user', shared }],
    ['the partner does not share receipts', { silent: 'partner', shared }],
  ])('is not sent to the partner if %s', async (_why, situation) => {
    const world = await createEventWorld(situation);
    expect(await findRecipients('chat', world, each)).toEqual(own);
  });

  test.runIf(isReceipt)('is not sent to a partner whom the user has blocked', async () => {
    const world = await createEventWorld({ blocker: 'user' });
    for (const { events } of Object.values(world.lives)) events.length = 0;
    // The block has marked everything as read.
    expect(await findRecipients('chat', world, each)).toEqual([]);
  });
});
