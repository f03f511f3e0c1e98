import { randomUUID } from 'node:crypto';
import { MUTED_ALWAYS, type ServerEvents } from '@parley/contract';
import type { QueryResult } from 'kysely';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { endAccount } from '../src/accounts/account-deletion.service.ts';
import type { ChatStateRow } from '../src/chat-states/chat-state.service.ts';
import { PostgresConnection } from '../src/storage/postgres/postgres-connection.ts';
import { SqliteConnection } from '../src/storage/sqlite/sqlite-connection.ts';
import { changeConsent, changesSince, beginChat, readChatroom, send } from './chatting.ts';
import { startServer, type TestServer, type TestUser } from './harness.ts';
import { connectLive, type LiveClient } from './live.ts';
import { normalize } from './normalize.ts';
import { until } from './until.ts';
import { waitForErasure } from './wait-for-erasure.ts';

// What a user gets to know of the partner, and what the server does for the user, with and without «the partner blocks
// the user».

let server: TestServer;
beforeAll(async () => {
  // Counts each message.
  server = await startServer({ PARLEY_QUOTA_MESSAGES_PER_DAY: '1000' });
});
afterAll(() => server.close());

/** Who has accepted whom: both, only the user, or only the partner. */
type Consent = 'accepted' | 'sent' | 'received';

/** A user, the partner, and what the user's device has received. */
interface Chat {
  readonly user: TestUser;
  readonly partner: TestUser;
  readonly room: string;
  /** A message of the user that the partner sees, and one of the partner. Either is missing unless both have accepted. */
  readonly ownMessage: string;
  readonly partnerMessage: string;
  readonly live: LiveClient;
}

let count = 0;
async function createChat(consent: Consent, isBlocked: boolean, silent = false): Promise<Chat> {
  count += 1;
  const [user, partner] = [
    await server.signIn(`user-${count}`),
    await server.signIn(`partner-${count}`),
  ];
  const [first, second] = consent === 'received' ? [partner, user] : [user, partner];
  const isRequest = consent !== 'accepted';
  const room = await beginChat(first, second, 'first', { isRequest });
  await send(first, room, 'second');
  if (!isRequest) await send(second, room, 'third');
  if (silent) {
    for (const each of [user, partner]) {
      await each.request('PATCH', '/api/users/settings', { sharesReceipts: false });
    }
  }
  const { chatroomMessages } = await readChatroom(user, room);
  const idOf = (sender: TestUser) =>
    chatroomMessages.find((message) => message.sender.username === sender.username)?._id ?? '';
  if (isBlocked) await changeConsent(partner, room, 'block');
  // The partner sees it unless the partner blocks the user.
  if (consent !== 'received') await send(user, room, 'later');
  const live = await connectLive(server, user);
  return { user, partner, room, ownMessage: idOf(user), partnerMessage: idOf(partner), live };
}

/** Waits until the user's device has received the events of everything before. */
async function settle({ user, live }: Pick<Chat, 'user' | 'live'>): Promise<void> {
  const { events } = live;
  server.ctx.events.publish({ type: 'typing', userId: user.id, chatroomId: randomUUID() });
  const mark = await until(() => events.find(([name]) => name === 'typing'));
  events.splice(events.indexOf(mark), 1);
}

/** Returns everything that the user gets to know of the chat, without times and random ids. */
async function learn(chat: Chat): Promise<string> {
  const { user, partner, room, live } = chat;
  await settle(chat);
  const known = {
    events: live.events,
    list: await user.request('GET', '/api/chatrooms/chats'),
    // A declined chat does not exist.
    room: await user.request('GET', `/api/chatrooms/chats/${room}`),
    changes: await changesSince(user, { [room]: 0 }),
    newest: await changesSince(user, { [room]: 3 }),
  };
  return normalize(known, [user.username, partner.username]);
}

interface Call {
  readonly method: string;
  readonly path: string;
  readonly body?: object;
}

/** Something that one of the members does. */
type Action = (chat: Chat) => Call;

const post = (path: string, body?: object): Call => ({
  method: 'POST',
  path,
  ...(body && { body }),
});
const onChat = ({ room }: Chat, action: string) => post(`/api/chatrooms/chats/${room}/${action}`);
const set =
  (body: object): Action =>
  ({ room }) => ({ method: 'PATCH', path: `/api/chatrooms/chats/${room}/settings`, body });
const react = (messageId: string) =>
  post('/api/messages/react', { messageId, emoji: '👍', isOn: true });
const edit = (messageId: string): Call => ({
  method: 'PATCH',
  path: '/api/messages/edit',
  body: { messageId, content: 'edited' },
});
const remove = (messageId: string): Call => ({
  method: 'DELETE',
  path: '/api/messages/delete',
  body: { messageId },
});
const deleteChat: Action = ({ room }) =>
  post(`/api/chatrooms/chats/${room}/delete`, { seq: 1_000 });
const deliver: Action = ({ room }) => post('/api/chatrooms/delivered', { rooms: { [room]: 3 } });
const sendNew: Action = ({ room }) =>
  post('/api/messages/send', { chatroom: room, content: 'new' });

const ALBUM_ID = randomUUID();
const sendWith = (chatroom: string, parts: object): Call =>
  post('/api/messages/send', { chatroom, content: 'new', ...parts });

const SETTINGS: Readonly<Record<string, Action>> = {
  pin: set({ isPinned: true }),
  mute: set({ mutedUntil: MUTED_ALWAYS }),
  archive: set({ isArchived: true }),
  'mark as unread': set({ isMarkedUnread: true }),
};

/**
 * Whether the user learns of what the partner does: never, also while the partner blocks the user, or not while the
 * partner does.
 */
type Told = 'never' | 'always' | 'unless blocked';

interface PartnerAction {
  readonly act: Action;
  readonly told: Readonly<Partial<Record<'accepted' | 'sent', Told>>>;
  /** Whether neither shares receipts. */
  readonly isSilent?: boolean;
}

/** What the partner can do in a chat that both have accepted, or in one that the user has sent a request to. */
const PARTNER_ACTIONS: Readonly<Record<string, PartnerAction>> = {
  send: { act: sendNew, told: { accepted: 'unless blocked', sent: 'unless blocked' } },
  reply: {
    act: ({ room, ownMessage }) => sendWith(room, { replyTo: ownMessage }),
    told: { accepted: 'unless blocked' },
  },
  forward: {
    act: ({ room }) => sendWith(room, { isForwarded: true }),
    told: { accepted: 'unless blocked', sent: 'unless blocked' },
  },
  'send a part of an album': {
    act: ({ room }) => sendWith(room, { albumId: ALBUM_ID }),
    told: { accepted: 'unless blocked', sent: 'unless blocked' },
  },
  edit: { act: (chat) => edit(chat.partnerMessage), told: { accepted: 'unless blocked' } },
  delete: { act: (chat) => remove(chat.partnerMessage), told: { accepted: 'always' } },
  react: {
    act: (chat) => react(chat.ownMessage),
    told: { accepted: 'unless blocked', sent: 'never' },
  },
  'react to an own message': {
    act: (chat) => react(chat.partnerMessage),
    told: { accepted: 'unless blocked' },
  },
  'mark as read': {
    act: (chat) => onChat(chat, 'mark-as-read'),
    told: { accepted: 'unless blocked', sent: 'never' },
  },
  'mark as read without receipts': {
    act: (chat) => onChat(chat, 'mark-as-read'),
    told: { accepted: 'never', sent: 'never' },
    isSilent: true,
  },
  'report delivered': { act: deliver, told: { accepted: 'unless blocked', sent: 'never' } },
  'report delivered without receipts': {
    act: deliver,
    told: { accepted: 'never', sent: 'never' },
    isSilent: true,
  },
  accept: {
    act: (chat) => onChat(chat, 'accept'),
    told: { accepted: 'never', sent: 'unless blocked' },
  },
  decline: { act: (chat) => onChat(chat, 'decline'), told: { accepted: 'never', sent: 'never' } },
  'delete the chat': { act: deleteChat, told: { accepted: 'never', sent: 'never' } },
  block: { act: (chat) => onChat(chat, 'block'), told: { accepted: 'never', sent: 'never' } },
  unblock: { act: (chat) => onChat(chat, 'unblock'), told: { accepted: 'never', sent: 'never' } },
  ...Object.fromEntries(
    Object.entries(SETTINGS).map(([name, act]) => [
      name,
      { act, told: { accepted: 'never', sent: 'never' } } as const,
    ]),
  ),
  'delete the account': {
    act: () => ({ method: 'DELETE', path: '/api/users/delete' }),
    told: { accepted: 'always', sent: 'always' },
  },
};

/** Returns what the user knows of a chat after the partner has done something, or nothing. */
async function learnAfter(
  consent: Consent,
  isBlocked: boolean,
  isSilent: boolean,
  act?: Action,
): Promise<string> {
  const chat = await createChat(consent, isBlocked, isSilent);
  if (act) {
    const { method, path, body } = act(chat);
    await chat.partner.request(method, path, body);
    await waitForErasure(server);
  }
  return learn(chat);
}

describe.each(['accepted', 'sent'] as const)('in a chat whose consent is %s', (consent) => {
  const cases = Object.entries(PARTNER_ACTIONS).flatMap(([name, { act, told, isSilent = false }]) =>
    told[consent] === undefined ? [] : [{ name, act, told: told[consent], isSilent }],
  );

  test.each(cases)(
    'a user is told $told that the partner does: $name',
    async ({ act, told, isSilent }) => {
      const nothing = await learnAfter(consent, false, isSilent);
      expect(await learnAfter(consent, true, isSilent)).toBe(nothing);
      const open = await learnAfter(consent, false, isSilent, act);
      const blocked = await learnAfter(consent, true, isSilent, act);
      if (told === 'never') expect(open).toBe(nothing);
      else expect(open).not.toBe(nothing);
      expect(blocked).toBe(told === 'always' ? open : nothing);
    },
  );
});

/** What the user can do, by who has accepted whom. */
const OWN_ACTIONS: Readonly<Record<Consent, Readonly<Record<string, Action>>>> = (() => {
  const common: Readonly<Record<string, Action>> = {
    send: sendNew,
    forward: ({ room }) => sendWith(room, { isForwarded: true }),
    'send a part of an album': ({ room }) => sendWith(room, { albumId: ALBUM_ID }),
    'mark as read': (chat) => onChat(chat, 'mark-as-read'),
    'report delivered': deliver,
    accept: (chat) => onChat(chat, 'accept'),
    decline: (chat) => onChat(chat, 'decline'),
    'delete the chat': deleteChat,
    block: (chat) => onChat(chat, 'block'),
    list: () => ({ method: 'GET', path: '/api/chatrooms/chats' }),
    open: ({ room }) => ({ method: 'GET', path: `/api/chatrooms/chats/${room}` }),
    find: ({ partner }) => post('/api/chatrooms/exist', { username: partner.username }),
    create: ({ partner }) =>
      post('/api/chatrooms/create', { partnerName: partner.username, content: 'new' }),
    ...SETTINGS,
  };
  const withOwn: Readonly<Record<string, Action>> = {
    edit: (chat) => edit(chat.ownMessage),
    delete: (chat) => remove(chat.ownMessage),
    react: (chat) => react(chat.ownMessage),
    reply: ({ room, ownMessage }) => sendWith(room, { replyTo: ownMessage }),
  };
  const withPartners: Readonly<Record<string, Action>> = {
    'react to the partner': (chat) => react(chat.partnerMessage),
    'reply to the partner': ({ room, partnerMessage }) =>
      sendWith(room, { replyTo: partnerMessage }),
  };
  return {
    accepted: { ...common, ...withOwn, ...withPartners },
    sent: { ...common, ...withOwn },
    received: { ...common, ...withPartners },
  };
})();

/** Of jobs in the background, which run at another time. */
const BACKGROUND =
  /"search_|"outgoing_mails"|"checked"|"queued"\.\*|from "push_queue" order by|"shares_presence", "me_user"."suspended_at", "me_user"."last_seen_at"|count\(\*\) as "count" from "chatroom_members"/;

/** Begins each run of the eraser, which takes place in the background. */
const ERASER = /^select \* from "erasures"/;

/** Returns the statements that the server runs until a promise is resolved, with its result. */
async function record<T>(run: () => Promise<T>): Promise<{ result: T; statements: string[] }> {
  const statements: string[] = [];
  let isErasing = false;
  const spies = [SqliteConnection, PostgresConnection].map(({ prototype }) => {
    const execute = prototype.executeQuery;
    return vi.spyOn(prototype, 'executeQuery').mockImplementation(function record(
      this: SqliteConnection & PostgresConnection,
      query,
    ) {
      const hasQueued = statements.some((each) => each.startsWith('insert into "erasures"'));
      isErasing ||= hasQueued && ERASER.test(query.sql);
      const isIgnored = isErasing || ERASER.test(query.sql) || BACKGROUND.test(query.sql);
      if (!isIgnored) statements.push(query.sql);
      return execute.call(this, query) as never;
    });
  });
  const result = await run();
  for (const spy of spies) spy.mockRestore();
  return { result, statements };
}

/** Returns the response to what a user does, the statements it took, and what the user knows afterwards. */
async function observe(consent: Consent, isBlocked: boolean, act: Action): Promise<object> {
  const chat = await createChat(consent, isBlocked);
  const { user, partner } = chat;
  await settle(chat);
  const { method, path, body } = act(chat);
  const { result, statements } = await record(async () => {
    const response = await user.request(method, path, body);
    await settle(chat);
    return { status: response.status, body: response.body };
  });
  // A later erasure would run among the statements of the next action.
  await waitForErasure(server);
  const response = normalize(result, [user.username, partner.username]);
  return { response, statements, known: await learn(chat) };
}

afterEach(() => void vi.restoreAllMocks());

describe.each(['accepted', 'sent', 'received'] as const)(
  'in a chat whose consent is %s',
  (consent) => {
    test.each(Object.entries(OWN_ACTIONS[consent]))(
      'the server does the same for a user, blocked or not: %s',
      async (_name, act) => {
        const open = await observe(consent, false, act);
        expect(open).toHaveProperty('statements.0');
        expect(await observe(consent, true, act)).toEqual(open);
      },
    );

    test('the end of an account takes the same, blocked or not', async () => {
      const end = async (isBlocked: boolean) => {
        const { user } = await createChat(consent, isBlocked);
        const { storage } = server.ctx;
        const ended = await record(async () => {
          // Without the eraser, which runs in the background.
          await storage.write((write) => endAccount({ ...write, emit: () => undefined }, user.id));
        });
        await storage.write(async ({ emit }) => emit({ type: 'erasure-queued' }));
        await waitForErasure(server);
        return ended;
      };
      const open = await end(false);
      expect(open).toHaveProperty('statements.0');
      expect(await end(true)).toEqual(open);
    });
  },
);

test('a deletion reads as many messages of the chat of the partner, blocked or not', async () => {
  const readUnread = async (isBlocked: boolean) => {
    const chat = await createChat('accepted', isBlocked);
    const { user, partner, room } = chat;
    await partner.request('POST', `/api/chatrooms/chats/${room}/mark-as-read`, { seq: 3 });
    const { _id: messageId } = await send(user, room, 'one more');
    await send(user, room, 'and another one');
    const spies = [SqliteConnection, PostgresConnection].map(({ prototype }) =>
      vi.spyOn(prototype, 'executeQuery'),
    );
    await user.request('DELETE', '/api/messages/delete', { messageId });
    const results = await Promise.all(
      spies.flatMap(({ mock }) =>
        mock.results.map(({ value }) => value as Promise<QueryResult<object>>),
      ),
    );
    vi.restoreAllMocks();
    return results
      .flatMap(({ rows }) => rows)
      .filter((row): row is ChatStateRow => 'unread' in row && 'user_id' in row)
      .filter((row) => row.user_id === partner.id)
      .map(({ unread, seq }) => ({ unread, seq }));
  };
  const open = await readUnread(false);
  expect(open).toEqual([{ unread: 2, seq: 6 }]);
  expect(await readUnread(true)).toEqual(open);
});

/** What the partner does so that the user no longer learns whether the partner is online. */
type Hiding = 'nothing' | 'switch off' | 'block';

/** A chat whose members follow the presence of partners, with another partner of the user, who only ever comes online. */
interface FollowedChat extends Pick<Chat, 'user' | 'partner' | 'room' | 'live'> {
  readonly hiding: Hiding;
  readonly witness: TestUser;
  readonly witnessRoom: string;
  /** Number of events that the user's device had received before. */
  readonly start: number;
}

type PresenceEvent = ServerEvents['presence'];

/** Returns what each event of presence tells about the partner. */
function toldPresence({ events }: LiveClient, { room }: FollowedChat, start = 0): object[] {
  const told = events
    .slice(start)
    .flatMap(([name, event]) => (name === 'presence' ? [event as PresenceEvent] : []));
  return told.flatMap(({ rooms, isComplete }) => {
    const isOnlyOfOthers = !isComplete && !(room in rooms) && Object.keys(rooms).length > 0;
    return isOnlyOfOthers ? [] : [{ isComplete, presence: rooms[room] }];
  });
}

/** Connects a device that is in use, and waits until it is told about all partners. */
async function connectDevice(user: TestUser): Promise<LiveClient> {
  const live = await connectLive(server, user);
  live.socket.emit('presence', { isActive: true });
  await untilComplete(live, 0);
  return live;
}

/** Waits until a device was told about all partners since it had received a number of events. */
async function untilComplete({ events }: LiveClient, start: number): Promise<void> {
  await until(() =>
    events
      .slice(start)
      .some(([name, event]) => name === 'presence' && (event as PresenceEvent).isComplete),
  );
}

/** Waits until something of the partner in a chatroom was told. */
async function untilTold(
  { events }: LiveClient,
  room: string,
  isExpected: (presence: PresenceEvent['rooms'][string] | undefined) => boolean,
): Promise<void> {
  await until(() =>
    events.some(
      ([name, event]) =>
        name === 'presence' &&
        room in (event as PresenceEvent).rooms &&
        isExpected((event as PresenceEvent).rooms[room]),
    ),
  );
}

/**
 * Waits until the server tells all it knows: after its start, it does not tell that a user was seen until all have had
 * time to return.
 */
async function untilServerIsSettled(): Promise<void> {
  count += 1;
  const [user, partner] = [
    await server.signIn(`early-${count}`),
    await server.signIn(`seen-${count}`),
  ];
  const room = await beginChat(user, partner);
  await server.ctx.storage.write(({ trx }) =>
    trx
      .updateTable('users')
      .set({ last_seen_at: Date.now() })
      .where('id', '=', partner.id)
      .execute(),
  );
  await untilTold(await connectDevice(user), room, () => true);
}

/** Changes whether a user shares presence and receipts. */
async function share(user: TestUser, isShared: boolean): Promise<void> {
  const body = { sharesPresence: isShared, sharesReceipts: isShared };
  await user.request('PATCH', '/api/users/settings', body);
}

async function createFollowedChat(hiding: Hiding, isOnline = true): Promise<FollowedChat> {
  count += 1;
  const [user, partner, witness] = [
    await server.signIn(`user-${count}`),
    await server.signIn(`partner-${count}`),
    await server.signIn(`witness-${count}`),
  ];
  const room = await beginChat(user, partner);
  const witnessRoom = await beginChat(witness, user);
  const live = await connectDevice(user);
  if (isOnline) {
    await connectDevice(partner);
    await untilTold(live, room, (presence) => presence?.isOnline === true);
  }
  const start = live.events.length;
  if (hiding === 'block') await changeConsent(partner, room, 'block');
  if (hiding === 'switch off') await share(partner, false);
  if (hiding !== 'nothing') await untilTold(live, room, (presence) => presence === null);
  return { hiding, user, partner, room, live, witness, witnessRoom, start };
}

/** Returns everything that the user gets to know of the chat, without times and random ids. */
async function learnPresence(chat: FollowedChat): Promise<string> {
  const { user, partner, room, live, witness } = chat;
  await settle(chat);
  const known = {
    presence: toldPresence(live, chat, chat.start),
    events: live.events.filter(([name]) => name !== 'presence'),
    onAnotherDevice: toldPresence(await connectDevice(user), chat),
    list: await user.request('GET', '/api/chatrooms/chats'),
    room: await user.request('GET', `/api/chatrooms/chats/${room}`),
    changes: await changesSince(user, { [room]: 0 }),
  };
  return normalize(
    known,
    [user, partner, witness].map(({ username }) => username),
  );
}

/** What happens in a chat after the partner has hidden. */
interface PresenceAction {
  readonly act: (chat: FollowedChat) => Promise<unknown>;
  /** Whether the partner is offline before. */
  readonly isOffline?: boolean;
  /** Whether the user would be told of it if the partner had not hidden. */
  readonly isTold?: boolean;
}

/** What the partner can do without the user learning of it. */
const HIDDEN_ACTIONS: Readonly<Record<string, PresenceAction>> = {
  // First, since it takes a while.
  'go offline': {
    isTold: true,
    act: ({ partner }) => partner.request('GET', '/api/users/logout'),
  },
  nothing: { act: async () => undefined },
  'nothing, offline': { isOffline: true, act: async () => undefined },
  'come online': { isOffline: true, isTold: true, act: ({ partner }) => connectDevice(partner) },
  'use another device': { act: ({ partner }) => connectDevice(partner) },
  'switch presence off': { isTold: true, act: ({ partner }) => share(partner, false) },
  'switch presence off and on': {
    isTold: true,
    act: async ({ partner }) => {
      await share(partner, false);
      await share(partner, true);
    },
  },
  'block again': {
    isTold: true,
    act: async ({ partner, room }) => changeConsent(partner, room, 'block'),
  },
};

/** What is the same for the user whether the partner has blocked or switched off. */
const EQUAL_ACTIONS: Readonly<Record<string, PresenceAction['act']>> = {
  'the user connects again': async ({ live, user }) => {
    live.socket.disconnect();
    await connectDevice(user);
  },
  'the user stops sharing for a while': async ({ user, live }) => {
    for (const isShared of [false, true]) {
      const { length } = live.events;
      await share(user, isShared);
      await untilComplete(live, length);
    }
  },
  'the user blocks for a while': async ({ user, room }) => {
    await changeConsent(user, room, 'block');
    await changeConsent(user, room, 'unblock');
  },
  'the partner ends it': async ({ partner, room, hiding }) => {
    if (hiding === 'block') await changeConsent(partner, room, 'unblock');
    else await share(partner, true);
  },
};

test('a user is told the same of the presence of a partner who blocks as of one who has switched it off', async () => {
  await untilServerIsSettled();
  const chats = new Map<string, FollowedChat>();
  const create = async (
    name: string,
    hiding: Hiding,
    { isOffline = false, act }: PresenceAction,
  ): Promise<void> => {
    const chat = await createFollowedChat(hiding, !isOffline);
    chats.set(`${name}: ${hiding}`, chat);
    await act(chat);
  };
  for (const [name, action] of Object.entries(HIDDEN_ACTIONS)) {
    await create(name, 'nothing', action);
    await create(name, 'block', action);
    if (name.startsWith('nothing')) await create(name, 'switch off', action);
  }
  for (const [name, act] of Object.entries(EQUAL_ACTIONS)) {
    await create(name, 'switch off', { act });
    await create(name, 'block', { act });
  }
  const left = chats.get('go offline: nothing') ?? expect.fail();
  await untilTold(
    left.live,
    left.room,
    (presence) => presence?.isOnline === false && 'lastSeenAt' in presence,
  );
  const learnAll = async (): Promise<Map<string, string>> => {
    const known = new Map<string, string>();
    for (const [name, chat] of chats) {
      // Presence is told in order, so that the witness is told of last.
      await connectDevice(chat.witness);
      await untilTold(chat.live, chat.witnessRoom, (presence) => presence?.isOnline === true);
      known.set(name, await learnPresence(chat));
    }
    return known;
  };
  const renew = async (name: string, chat: FollowedChat): Promise<void> => {
    chats.set(name, { ...chat, live: await connectDevice(chat.user), start: 0 });
  };
  for (const [name, chat] of chats) if (!chat.live.socket.connected) await renew(name, chat);
  const known = await learnAll();
  for (const [name, { isOffline = false, isTold = false }] of Object.entries(HIDDEN_ACTIONS)) {
    const nothing = isOffline ? 'nothing, offline' : 'nothing';
    expect(known.get(`${name}: block`), name).toBe(known.get(`${nothing}: switch off`));
    const isSame = known.get(`${name}: nothing`) === known.get(`${nothing}: nothing`);
    expect(isSame, name).toBe(!isTold);
  }
  for (const name of Object.keys(EQUAL_ACTIONS)) {
    expect(known.get(`${name}: block`), name).toBe(known.get(`${name}: switch off`));
  }

  for (const { live } of chats.values()) live.socket.disconnect();
  server = await server.restart();
  for (const [name, chat] of chats) await renew(name, chat);
  await untilServerIsSettled();
  const again = await learnAll();
  for (const name of ['nothing', 'nothing, offline']) {
    expect(again.get(`${name}: block`), name).toBe(again.get(`${name}: switch off`));
  }
  expect(again.get('nothing: block')).not.toBe(again.get('nothing: nothing'));
});

describe('where the messages to users who have not accepted are limited', () => {
  const HALF_PAST = Date.parse('2030-01-01T00:30:00Z');

  const unlimited = { server };
  beforeAll(async () => {
    unlimited.server = server;
    server = await startServer({ PARLEY_RATE_LIMITS: 'true' });
  });
  // The limits are of a clock hour.
  beforeEach(() => void vi.useFakeTimers({ toFake: ['Date'], now: HALF_PAST }));
  afterEach(() => void vi.useRealTimers());
  afterAll(async () => {
    await server.close();
    ({ server } = unlimited);
  });

  /** What a user can do again and again. */
  const REPEATED: readonly Action[] = [
    sendNew,
    (chat) => edit(chat.ownMessage),
    (chat) => react(chat.ownMessage),
    ({ ownMessage }) =>
      post('/api/messages/react', { messageId: ownMessage, emoji: '👍', isOn: false }),
    ({ partner }) =>
      post('/api/chatrooms/create', { partnerName: partner.username, content: 'new' }),
  ];

  /** Does all of it until after the limit of an hour. Returns what is refused, and what is counted after each. */
  async function useUp(consent: Consent, isBlocked: boolean) {
    const chat = await createChat(consent, isBlocked);
    const results: { status: number; retryAfter: string | null; counted: object[] }[] = [];
    for (let i = 0; i < 15; i += 1) {
      for (const act of REPEATED) {
        const { method, path, body } = act(chat);
        const { status, headers } = await chat.user.request(method, path, body);
        const counted = await server.ctx.storage.read((db) =>
          db
            .selectFrom('request_counts')
            .select(['hour', 'messages', 'rooms'])
            .where('user_id', '=', chat.user.id)
            .execute(),
        );
        results.push({ status, retryAfter: headers.get('retry-after'), counted });
      }
    }
    return results;
  }

  test('a user in a request may send and change as much, blocked or not', async () => {
    const open = await useUp('sent', false);
    expect(open.at(-1)).toMatchObject({
      status: 429,
      retryAfter: '1800',
      counted: [{ messages: 60, rooms: 1 }],
    });
    expect(await useUp('sent', true)).toEqual(open);
  });

  test('a user whom the partner has accepted is not limited, blocked or not', async () => {
    const open = await useUp('accepted', false);
    const statuses = new Set(open.map(({ status }) => status));
    expect(statuses).toEqual(new Set([200, 201]));
    expect(await useUp('accepted', true)).toEqual(open);
  });

  test.each(['accepted', 'sent'] as const)(
    'the server does the same for what it counts: %s',
    async (consent) => {
      const counted: boolean[] = [];
      for (const act of REPEATED) {
        const open = await observe(consent, false, act);
        expect(await observe(consent, true, act)).toEqual(open);
        counted.push(JSON.stringify(open).includes('request_counts'));
      }
      // Taking a reaction back is not counted.
      const isCounted = consent === 'sent';
      expect(counted).toEqual([isCounted, isCounted, isCounted, false, isCounted]);
    },
  );
});
