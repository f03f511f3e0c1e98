import type { ChatState } from '@parley/contract';
import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  changeConsent,
  changesSince,
  createPair,
  beginChat,
  openChat,
  openChatList,
  recordEvents,
  send,
} from '../../test/chatting.ts';
import { startServer, type TestServer, type TestUser } from '../../test/harness.ts';
import { connectLive, type LiveClient } from '../../test/live.ts';
import { pickPositions } from '../../test/chatroom-mirror.ts';
import { until } from '../../test/until.ts';
import { waitForErasure } from '../../test/wait-for-erasure.ts';
import { sendMessage } from '../messages/message.service.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startServer();
});
afterAll(() => server.close());

let count = 0;
async function createTwo() {
  count += 1;
  const pair = await createPair(server, { names: [`ada-${count}`, `bob-${count}`] });
  return { ...pair, adaLive: await connectLive(server, pair.ada) };
}

async function deliver(user: TestUser, rooms: Record<string, number>): Promise<void> {
  const { status } = await user.request('POST', '/api/chatrooms/delivered', { rooms });
  expect(status).toBe(200);
}

function read(user: TestUser, room: string, seq?: number) {
  const path = `/api/chatrooms/chats/${room}/mark-as-read`;
  return user.request('POST', path, seq === undefined ? undefined : { seq });
}

async function share(user: TestUser, sharesReceipts: boolean): Promise<void> {
  const { body } = await user.request('PATCH', '/api/users/settings', { sharesReceipts });
  expect(body).toMatchObject({ sharesReceipts });
}

/** Returns the partner's positions of which a device was told, in order. */
const receipts = ({ events }: LiveClient) =>
  events.filter(([name]) => name === 'chat').map(([, chat]) => pickPositions(chat as ChatState));

/** Returns what a user is told about the partner in the chat list, the chatroom and its changes. */
async function positionsFor(user: TestUser, room: string): Promise<object> {
  const summary = (await openChatList(user)).find(({ chatId }) => chatId === room);
  const [changes] = (await changesSince(user, { [room]: 1_000 })).rooms;
  const opened = await openChat(user, room);
  expect(changes?.chat).toEqual(opened);
  expect(summary).toEqual(opened);
  return pickPositions(opened);
}

test('a sender learns live and later what the partner received and read', async () => {
  const { ada, bob, room, adaLive } = await createTwo();
  const tablet = await connectLive(server, ada);
  expect(await positionsFor(ada, room)).toEqual({});
  await send(ada, room, 'second');
  await deliver(bob, { [room]: 2 });
  expect(await positionsFor(ada, room)).toEqual({ partnerDeliveredSeq: 2, partnerReadSeq: 0 });
  await read(bob, room, 1);
  await read(bob, room);
  expect(await positionsFor(ada, room)).toEqual({ partnerDeliveredSeq: 2, partnerReadSeq: 2 });
  const expected = [0, 1, 2].map((partnerReadSeq) => ({
    partnerDeliveredSeq: 2,
    partnerReadSeq,
  }));
  for (const live of [adaLive, tablet]) {
    await until(() => receipts(live).length === 3);
    expect(receipts(live)).toEqual(expected);
  }
});

test('the chat list contains the position of the last message', async () => {
  const { ada, bob, room } = await createTwo();
  await send(bob, room, 'second');
  expect((await openChatList(ada))[0]?.lastMessage).toMatchObject({ content: 'second', seq: 2 });
});

test('what a partner told stays after the account was deleted and erased, and nothing is added', async () => {
  const { ada, bob, room } = await createTwo();
  await send(ada, room, 'read');
  await read(bob, room);
  await send(ada, room, 'delivered');
  await deliver(bob, { [room]: 3 });
  await send(ada, room, 'sent');
  const told = { partnerDeliveredSeq: 3, partnerReadSeq: 2 };
  expect(await positionsFor(ada, room)).toEqual(told);
  await bob.request('DELETE', '/api/users/delete');
  // The server tells the state again and erases the account at any time.
  expect(pickPositions(await openChat(ada, room))).toEqual(told);
  await waitForErasure(server);
  expect(await positionsFor(ada, room)).toEqual(told);
});

test('positions never move back and are never beyond the newest message', async () => {
  const { ada, bob, room } = await createTwo();
  await send(ada, room, 'second');
  await deliver(bob, { [room]: 1_000 });
  await read(bob, room, 1);
  expect(await positionsFor(ada, room)).toEqual({ partnerDeliveredSeq: 2, partnerReadSeq: 1 });
  await send(ada, room, 'third');
  await deliver(bob, { [room]: 1 });
  expect(await positionsFor(ada, room)).toEqual({ partnerDeliveredSeq: 2, partnerReadSeq: 1 });
  await read(bob, room, 3);
  expect(await positionsFor(ada, room)).toEqual({ partnerDeliveredSeq: 3, partnerReadSeq: 3 });
});

test('reports of other chatrooms are ignored', async () => {
  const { ada, bob, room } = await createTwo();
  const eve = await server.signIn(`eve-${count}`);
  const unknown = '01995a3e-5f0c-7d6e-9c39-6f1f6a1e2b10';
  await deliver(eve, { [room]: 1, [unknown]: 1 });
  expect(await positionsFor(ada, room)).toEqual({});
  expect(await positionsFor(bob, room)).toEqual({});
});

test('reports of many devices at the same time are all recorded', async () => {
  const { ada, bob, room, adaLive } = await createTwo();
  for (let i = 0; i < 20; i += 1) await send(ada, room, `message ${i}`);
  const seqs = Array.from({ length: 20 }, (_, i) => i + 1);
  await Promise.all(seqs.map((seq) => deliver(bob, { [room]: seq })));
  expect(await positionsFor(ada, room)).toEqual({ partnerDeliveredSeq: 20, partnerReadSeq: 0 });
  const delivered = receipts(adaLive).map(
    (positions) => (positions as { partnerDeliveredSeq: number }).partnerDeliveredSeq,
  );
  expect(delivered).toEqual(delivered.toSorted((a, b) => a - b));
});

test('a member of a request tells nothing until the member accepts it or replies', async () => {
  const accepter = await server.signIn('accepter');
  const replier = await server.signIn('replier');
  const ada = await server.signIn('ada-requests');
  for (const [partner, accept] of [
    [accepter, (room: string) => changeConsent(accepter, room, 'accept')],
    [replier, (room: string) => send(replier, room, 'Hi')],
  ] as const) {
    const room = await beginChat(ada, partner, 'Hello', { isRequest: true });
    await deliver(partner, { [room]: 1 });
    await read(partner, room);
    expect(await positionsFor(ada, room)).toEqual({});
    await accept(room);
    expect(await positionsFor(ada, room)).toEqual({ partnerDeliveredSeq: 1, partnerReadSeq: 1 });
  }
});

test('positions freeze while the partner blocks the sender, even after the end of the block', async () => {
  const { ada, bob, room, adaLive } = await createTwo();
  await read(bob, room);
  await until(() => receipts(adaLive).length === 1);
  await changeConsent(bob, room, 'block');
  await send(ada, room, 'withheld');
  await deliver(bob, { [room]: 2 });
  await read(bob, room);
  expect(await positionsFor(ada, room)).toEqual({ partnerDeliveredSeq: 1, partnerReadSeq: 1 });
  await changeConsent(bob, room, 'unblock');
  await deliver(bob, { [room]: 2 });
  await read(bob, room);
  expect(await positionsFor(ada, room)).toEqual({ partnerDeliveredSeq: 1, partnerReadSeq: 1 });
  // From then on, the messages that were withheld cannot be told apart from others.
  await send(ada, room, 'delivered');
  await read(bob, room);
  expect(await positionsFor(ada, room)).toEqual({ partnerDeliveredSeq: 3, partnerReadSeq: 3 });
  await until(() => receipts(adaLive).length === 2);
});

test('a user who blocks the partner is told nothing about them', async () => {
  const { ada, bob, room, adaLive } = await createTwo();
  await changeConsent(ada, room, 'block');
  await read(bob, room);
  expect(pickPositions(await openChat(ada, room))).toEqual({});
  // Only her other devices are told of the block.
  expect(adaLive.events).toMatchObject([['chat', { status: 'blocked' }]]);
  expect(receipts(adaLive)).toEqual([{}]);
  // Bob does not notice.
  await changeConsent(ada, room, 'unblock');
  expect(await positionsFor(ada, room)).toEqual({ partnerDeliveredSeq: 1, partnerReadSeq: 1 });
});

test('a user who does not share receipts tells and is told nothing', async () => {
  const { ada, bob, room, adaLive } = await createTwo();
  await share(bob, false);
  await deliver(bob, { [room]: 1 });
  await read(bob, room);
  expect(await positionsFor(ada, room)).toEqual({});
  await send(bob, room, 'second');
  await read(ada, room);
  expect(await positionsFor(bob, room)).toEqual({});

  // What happened in the meantime is not told later.
  await share(bob, true);
  expect(await positionsFor(ada, room)).toEqual({});
  expect(await positionsFor(bob, room)).toEqual({ partnerDeliveredSeq: 2, partnerReadSeq: 2 });
  await send(ada, room, 'third');
  await read(bob, room);
  expect(await positionsFor(ada, room)).toEqual({ partnerDeliveredSeq: 3, partnerReadSeq: 3 });
  // The first one is of what Ada read herself.
  expect(receipts(adaLive)).toEqual([{}, { partnerDeliveredSeq: 3, partnerReadSeq: 3 }]);
});

test('other devices of a user learn that receipts are switched off', async () => {
  const { ada, adaLive } = await createTwo();
  await share(ada, false);
  await until(() => adaLive.events.length > 0);
  expect(adaLive.events).toEqual([['settings', { sharesReceipts: false }]]);
});

test('what a member had read before accepting by a message is recorded and told with it', async () => {
  const names = ['ada-quiet', 'bob-quiet'] as const;
  const { ada, bob, room } = await createPair(server, { names, isRequest: true });
  await read(bob, room);
  const events = recordEvents(server);
  let writes = 0;
  const { storage } = server.ctx;
  const write: typeof storage.write = (work, options) => {
    writes += 1;
    return storage.write(work, options);
  };
  const ctx = { ...server.ctx, storage: { ...storage, write } };
  const body = { uploadId: undefined, text: 'answer', textKind: 'text' } as const;
  await sendMessage(ctx, bob.id, { chatroom: room }, body);
  expect(writes).toBe(1);
  expect(await positionsFor(ada, room)).toEqual({ partnerDeliveredSeq: 1, partnerReadSeq: 1 });
  expect(events.at(-1)).toMatchObject({
    type: 'chat-changed',
    userId: ada.id,
    chat: { partnerReadSeq: 1 },
  });
});
