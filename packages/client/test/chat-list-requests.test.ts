import { randomInt } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { endpoints, type ChatList, type Message } from '@parley/contract';
import { startServer, type TestServer, type TestUser } from '@parley/server/test-server';
import { isLongRun } from '@parley/testing/scope';
import fc from 'fast-check';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import {
  createApiClient,
  createClient,
  createHeadlessPlatform,
  findLoadedChatroom,
  type Client,
  type LoadedChatroom,
} from '../src/index.ts';
import { toChat } from '../src/stores/chat-list.ts';
import { TIMING } from './histories/world/tab.ts';
import { HELD, holdTimers } from './hold-timers.ts';
import { sessionOf } from './session-of.ts';
import { toUnmarked } from './to-unmarked.ts';

/** Number of actions. In the long run, as many as in ten minutes of lively use. */
const ACTIONS = isLongRun ? 3_000 : 150;
/** Maximum time for all actions on a slow machine, in milliseconds. */
const TIMEOUT_MS = 30 * 60_000;

const { seed = randomInt(2 ** 31) } = fc.readConfigureGlobal();

/** What a user does on a device. */
const ACTS = {
  send: (client, { id }, pick) => client.send(id, `text ${pick}`),
  edit: (client, room, pick) => {
    const message = pickMessage(room, pick, client.username);
    return message && client.edit(message, `edited ${pick}`);
  },
  delete: (client, room, pick) => {
    const message = pickMessage(room, pick, client.username);
    return message && client.remove(message);
  },
  react: (client, room, pick) => {
    const message = pickMessage(room, pick);
    if (message) client.react(message, '👍', pick % 3 > 0);
  },
  read: (client, { id }) => client.markRead(id),
  mute: (client, { id }, pick) => client.mute(id, pick % 2 === 0 ? 'always' : undefined),
  pin: (client, { id }, pick) => client.pin(id, pick % 2 === 0),
  archive: (client, { id }, pick) => client.archive(id, pick % 2 === 0),
  mark: (client, { id }) => client.markUnread(id),
  block: (client, { id }) => client.block(id),
} satisfies Record<string, (client: Client, room: LoadedChatroom, pick: number) => unknown>;

type ActName = keyof typeof ACTS;

const step = fc.record({
  device: fc.nat({ max: 2 }),
  act: fc.oneof(
    { weight: 10, arbitrary: fc.constant<ActName>('send') },
    { weight: 6, arbitrary: fc.constantFrom<ActName[]>('edit', 'delete') },
    { weight: 8, arbitrary: fc.constantFrom<ActName[]>('react', 'read') },
    { weight: 4, arbitrary: fc.constantFrom<ActName[]>('mute', 'pin', 'archive', 'mark') },
    { weight: 1, arbitrary: fc.constant<ActName>('block') },
  ),
  pick: fc.nat({ max: 1_000 }),
  /** Whether everything arrives before the next step. */
  isLast: fc.boolean(),
});

/** A device with a client, which counts its requests. */
class Device {
  readonly client: Client;
  readonly user: TestUser;
  /** Number of requests for the chat list. */
  lists = 0;
  /** Number of requests without a response. */
  pending = 0;
  /** Markers that arrived over the live connection; see `settle`. */
  markers = 0;

  constructor(user: TestUser) {
    this.user = user;
    const session = sessionOf(user);
    const send: typeof fetch = async (input, init) => {
      const request = new Request(input, init);
      if (isForList(request)) this.lists += 1;
      this.pending += 1;
      try {
        return await session.fetch(request);
      } finally {
        this.pending -= 1;
      }
    };
    this.client = createClient({
      api: createApiClient({ origin: server.url, fetch: send, retryDelay: 1 }),
      username: user.username,
      platform: createHeadlessPlatform({ ...session, fetch: send }),
      events: { onSettings: () => (this.markers += 1) },
      timing: { ...TIMING, chatListThrottle: HELD, eventWait: HELD },
    });
  }

  get isIdle(): boolean {
    const { entries, changes } = this.client.outbox.getState();
    return this.pending === 0 && entries.length + changes.length === 0;
  }

  get room(): LoadedChatroom | undefined {
    return findLoadedChatroom(this.client.rooms.getState(), chatroomId);
  }
}

function isForList({ url, method }: Request): boolean {
  const { listChats } = endpoints;
  return method === listChats.method && new URL(url).pathname === listChats.path;
}

/** Picks a message, of a sender if one is given. */
function pickMessage(
  { messages }: LoadedChatroom,
  pick: number,
  sender?: string,
): Message | undefined {
  const possible = messages.filter(
    (each) => isKnownToAll(each) && (sender ?? each.sender.username) === each.sender.username,
  );
  return possible[pick % Math.max(1, possible.length)];
}

/**
 * Returns whether no one lacks a message because of a block. Its changes have revisions of which the blocker is not
 * told, so that the next event follows a gap.
 */
function isKnownToAll({ _id }: Message): boolean {
  return devices.every(({ room }) => room?.messages.some((each) => each._id === _id));
}

let server: TestServer;
let devices: Device[];
let chatroomId: string;
/** Ends the throttles of requests for the list, and the waits for live events, that have begun. */
let endHeld: () => void;

// The long timeout is for slow machines. The test does not depend on speed.
const until = (check: () => void) => vi.waitFor(check, { timeout: 60_000, interval: 1 });
const untilIdle = () => until(() => expect(devices.every(({ isIdle }) => isIdle)).toBe(true));

beforeEach(async () => {
  endHeld = holdTimers();
  server = await startServer();
  const [ada, bob] = [await server.signIn('Ada'), await server.signIn('Bob')];
  const body = { partnerName: 'Bob', content: 'first' };
  ({ chatroomId } = (await ada.request('POST', '/api/chatrooms/create', body)).body);
  await bob.request('POST', `/api/chatrooms/chats/${chatroomId}/accept`);
  devices = [ada, ada, bob].map((user) => new Device(user));
  for (const { client } of devices) {
    client.view.getState().setView(chatroomId, true);
    await client.open(chatroomId);
    await until(() => expect(client.connection.getState().status).toBe('online'));
  }
  await settle();
});

afterEach(async () => {
  for (const { client } of devices) client.dispose();
  await server.close();
});

/** Waits until everything is sent, and all devices have received all events. Then ends the held timers. */
async function settle(): Promise<void> {
  await untilIdle();
  const expected = devices.map(({ markers }) => markers + 1);
  for (const userId of new Set(devices.map(({ user }) => user.id))) {
    const settings = { volume: 'full' } as const;
    server.ctx.events.publish({ type: 'settings-changed', userId, settings });
  }
  await until(() => expect(devices.map(({ markers }) => markers)).toEqual(expected));
  endHeld();
  await untilIdle();
}

test(
  'after the start, live events keep the chat list of all devices as it is on the server',
  async () => {
    const start = devices.map(() => 0);
    for (const device of devices) device.lists = 0;
    const steps = fc.sample(step, { numRuns: ACTIONS, seed });
    for (const [i, { device: index, act, pick, isLast }] of steps.entries()) {
      const { client, room } = devices[index] as Device;
      // A user who has blocked the partner sees no chatroom.
      if (room) ACTS[act](client, room, pick);
      else client.unblock(chatroomId);
      await (isLast ? settle() : sleep(0));
      expect(
        devices.map(({ lists }) => lists),
        `requests after step ${i} with seed ${seed}`,
      ).toEqual(start);
    }

    await settle();
    for (const { client } of devices) client.unblock(chatroomId);
    await settle();
    expect(devices.map(({ lists }) => lists)).toEqual(start);
    for (const { client, user } of devices) {
      const { body } = await user.request('GET', endpoints.listChats.path);
      const { chatrooms }: ChatList = body;
      const shown = client.chats.getState().chats.map(toUnmarked);
      expect(shown).toEqual(chatrooms.map(toChat));
    }
  },
  TIMEOUT_MS,
);
