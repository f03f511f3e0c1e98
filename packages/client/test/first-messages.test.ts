import { startServer, type TestServer, type TestUser } from '@parley/server/test-server';
import type { IncomingMessage } from '../src/notification-arbiter.ts';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import {
  createApiClient,
  createClient,
  createHeadlessPlatform,
  findLoadedChatroom,
  type Client,
} from '../src/index.ts';
import { sessionOf } from './session-of.ts';

let server: TestServer;
let clients: Client[];

// The long timeout is for slow machines. The tests do not depend on speed.
const until = (check: () => void) => vi.waitFor(check, { timeout: 60_000, interval: 5 });

beforeEach(async () => {
  // The limit of first messages counts by the hour.
  vi.useFakeTimers({ toFake: ['Date'], now: Date.parse('2030-01-01T00:30:00Z') });
  server = await startServer({ PARLEY_RATE_LIMITS: 'true' });
  clients = [];
});

afterEach(async () => {
  for (const client of clients) client.dispose();
  await server.close();
  vi.useRealTimers();
});

interface Person {
  readonly client: Client;
  /** The messages that were reported as new. */
  readonly incoming: IncomingMessage[];
  /** Called for each message that was sent. */
  readonly onSent: () => void;
}

/**
 * Starts a user's client.
 * @param onResponse called with the path of each response before the client gets it
 */
async function start(
  user: TestUser,
  onResponse: (path: string) => Promise<void> = async () => undefined,
): Promise<Person> {
  const session = sessionOf(user);
  const send: typeof fetch = async (input, init) => {
    const request = new Request(input, init);
    const response = await session.fetch(request);
    await onResponse(new URL(request.url).pathname);
    return response;
  };
  const incoming: IncomingMessage[] = [];
  const onSent = vi.fn<() => void>();
  const client = createClient({
    api: createApiClient({ origin: server.url, fetch: send }),
    username: user.username,
    platform: createHeadlessPlatform(session),
    events: { onUnseen: (message) => incoming.push(message), onSent },
  });
  clients.push(client);
  await until(() => expect(client.connection.getState().status).toBe('online'));
  await until(() => expect(client.chats.getState().status).toBe('ready'));
  return { client, incoming, onSent };
}

/** Writes a first message to Bob, and returns the chatroom's id. */
async function writeFirst(ada: Client): Promise<string> {
  ada.sendFirstMessage('Bob', 'Hi Bob');
  await until(() => expect(ada.outbox.getState().created['bob']).toBeDefined());
  const id = ada.outbox.getState().created['bob']?.chatroomId ?? '';
  await ada.open(id);
  return id;
}

/** Makes a user redeem an invitation of a client's user. */
async function redeemInvitation({ api }: Client, user: TestUser): Promise<void> {
  const { code } = await api.call('createInvitation', { body: { isSingleUse: true } });
  const { status } = await user.request('POST', '/api/invitations/redeem', { code });
  expect(status).toBe(200);
}

const listedBy = (client: Client, id: string) =>
  client.chats.getState().chats.find((chat) => chat.id === id);
const chatroomOf = (client: Client, id: string) => findLoadedChatroom(client.rooms.getState(), id);

test('a first message arrives live like any other, and the chat is accepted by an answer', async () => {
  const ada = await start(await server.signIn('Ada'));
  const bob = await start(await server.signIn('Bob'));
  const id = await writeFirst(ada.client);
  expect(ada.onSent).toHaveBeenCalledOnce();
  await until(() => {
    expect(listedBy(bob.client, id)).toMatchObject({
      status: 'undecided',
      unread: 1,
      last: { content: 'Hi Bob' },
    });
  });
  await until(() => expect(bob.incoming).toMatchObject([{ content: 'Hi Bob' }]));
  expect(bob.incoming[0]).not.toHaveProperty('isRequest');
  await bob.client.open(id);
  expect(chatroomOf(bob.client, id)).toMatchObject({ status: 'undecided' });
  expect(chatroomOf(ada.client, id)).not.toHaveProperty('isSentAsRequest');

  bob.client.send(id, 'Hi Ada');
  await until(() => expect(listedBy(bob.client, id)).toMatchObject({ status: 'accepted' }));
  expect(chatroomOf(bob.client, id)).toMatchObject({ status: 'accepted' });
});

test.each(['accept', 'answer', 'redeem an invitation'] as const)(
  'the sender of a quiet request learns of it until the partner does this: %s',
  async (action) => {
    const ada = await start(await server.signIn('Ada'));
    const bobUser = await server.signIn('Bob');
    await bobUser.request('PATCH', '/api/users/settings', { whoMayWrite: 'requests' });
    const bob = await start(bobUser);
    const id = await writeFirst(ada.client);
    expect(chatroomOf(ada.client, id)).toMatchObject({ isSentAsRequest: true });
    await until(() => expect(bob.incoming).toMatchObject([{ isRequest: true }]));
    await bob.client.open(id);

    if (action === 'accept') bob.client.accept(id);
    else if (action === 'answer') bob.client.send(id, 'Hi Ada');
    else await redeemInvitation(ada.client, bobUser);
    await until(() => expect(chatroomOf(ada.client, id)).not.toHaveProperty('isSentAsRequest'));
  },
);

test('a response that is older than the acceptance does not take it back', async () => {
  const adaUser = await server.signIn('Ada');
  const bobUser = await server.signIn('Bob');
  await bobUser.request('PATCH', '/api/users/settings', { whoMayWrite: 'requests' });
  const body = { partnerName: 'Bob', content: 'Hi Bob' };
  const created = await adaUser.request('POST', '/api/chatrooms/create', body);
  const id: string = created.body.chatroomId;
  const loaded = Promise.withResolvers<void>();
  const accepted = Promise.withResolvers<void>();
  let holds = false;
  const ada = await start(adaUser, async (path) => {
    if (!holds || path !== `/api/chatrooms/chats/${id}`) return;
    holds = false;
    loaded.resolve();
    await accepted.promise;
  });
  holds = true;
  const opening = ada.client.open(id);
  await loaded.promise;
  await bobUser.request('POST', `/api/chatrooms/chats/${id}/accept`);
  await bobUser.request('POST', `/api/chatrooms/chats/${id}/mark-as-read`);
  // This event follows the acceptance.
  await until(() => expect(listedBy(ada.client, id)?.receipt).toMatchObject({ readSeq: 1 }));
  accepted.resolve();
  await opening;
  expect(chatroomOf(ada.client, id)).not.toHaveProperty('isSentAsRequest');
});

test('the sender learns with the next message that the partner has made it a request', async () => {
  const ada = await start(await server.signIn('Ada'));
  const bobUser = await server.signIn('Bob');
  const id = await writeFirst(ada.client);
  expect(chatroomOf(ada.client, id)).not.toHaveProperty('isSentAsRequest');
  await bobUser.request('PATCH', '/api/users/settings', { whoMayWrite: 'requests' });
  ada.client.send(id, 'are you there?');
  await until(() => expect(chatroomOf(ada.client, id)).toMatchObject({ isSentAsRequest: true }));
});

test.each(['accept', 'answer', 'redeem an invitation'] as const)(
  'a message that waits for the limit is sent once the partner does this: %s',
  async (action) => {
    const adaUser = await server.signIn('Ada');
    const ada = await start(adaUser);
    const bobUser = await server.signIn('Bob');
    const bob = await start(bobUser);
    const id = await writeFirst(ada.client);
    await server.ctx.storage.write(({ trx }) =>
      trx.updateTable('request_counts').set({ messages: 60 }).execute(),
    );
    ada.client.send(id, 'one too many');
    await until(() =>
      expect(ada.client.outbox.getState().entries).toMatchObject([{ waitReason: 'limit' }]),
    );
    await bob.client.open(id);
    if (action === 'accept') bob.client.accept(id);
    else if (action === 'answer') bob.client.send(id, 'Hi Ada');
    else await redeemInvitation(ada.client, bobUser);
    await until(() => expect(ada.client.outbox.getState().entries).toEqual([]));
    await until(() => {
      const contents = chatroomOf(bob.client, id)?.messages.map(({ content }) => content);
      expect(contents).toContain('one too many');
    });
  },
);

test('a chat moves to the requests, and back, with the next message after the setting changed', async () => {
  const ada = await start(await server.signIn('Ada'));
  const bobUser = await server.signIn('Bob');
  const bob = await start(bobUser);
  const id = await writeFirst(ada.client);
  await until(() => expect(listedBy(bob.client, id)).toMatchObject({ status: 'undecided' }));
  await bobUser.request('PATCH', '/api/users/settings', { whoMayWrite: 'requests' });
  ada.client.send(id, 'quiet');
  await until(() => expect(listedBy(bob.client, id)).toMatchObject({ status: 'request' }));
  await bobUser.request('PATCH', '/api/users/settings', { whoMayWrite: 'everyone' });
  ada.client.send(id, 'like any other');
  await until(() => expect(listedBy(bob.client, id)).toMatchObject({ status: 'undecided' }));
});
