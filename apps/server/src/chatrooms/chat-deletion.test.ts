import type { ChatState, Message } from '@parley/contract';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import {
  changeConsent,
  changesSince,
  createPair,
  expectStatus,
  openChat,
  openChatList,
  readChatroom,
  recordEvents,
  send,
} from '../../test/chatting.ts';
import { eraseAccount, fillChat } from '../../test/fixtures.ts';
import { startServer, type TestServer, type TestUser } from '../../test/harness.ts';
import { reportPartner, sendPicture } from '../../test/reporting.ts';
import { search } from '../../test/search-requests.ts';
import { readStoredFile } from '../../test/stored-media.ts';
import { waitForErasure } from '../../test/wait-for-erasure.ts';
import type { DomainEvent } from '../domain-events.ts';
import { BATCH } from '../erasure/batch.ts';
import { eraseUnseenMessages } from '../erasure/chatroom-eraser.ts';

let server: TestServer;
let ada: TestUser;
let bob: TestUser;
let room: string;
/** Messages of Ada and of Bob, which both have read. */
let own: Message;
let other: Message;

beforeAll(async () => {
  server = await startServer();
});
afterAll(() => server.close());

let count = 0;
beforeEach(async () => {
  count += 1;
  ({ ada, bob, room } = await createPair(server, { names: [`Ada${count}`, `Bob${count}`] }));
  own = await send(ada, room, 'plum of Ada');
  other = await send(bob, room, 'plum of Bob');
  for (const user of [ada, bob]) expectStatus(await markAsRead(user), 200);
});

const chatPath = (action: string) => `/api/chatrooms/chats/${room}/${action}`;
const markAsRead = (user: TestUser) => user.request('POST', chatPath('mark-as-read'));
const set = (user: TestUser, body: object) => user.request('PATCH', chatPath('settings'), body);
const react = (user: TestUser, { _id: messageId }: Message, emoji = '👍') =>
  user.request('POST', '/api/messages/react', { messageId, emoji, isOn: true });
const edit = (user: TestUser, { _id: messageId }: Message) =>
  user.request('PATCH', '/api/messages/edit', { messageId, content: 'edited' });
const remove = (user: TestUser, { _id: messageId }: Message) =>
  user.request('DELETE', '/api/messages/delete', { messageId });
const reply = async (user: TestUser, { _id: replyTo }: Message): Promise<Message> =>
  (await user.request('POST', '/api/messages/send', { chatroom: room, content: 'reply', replyTo }))
    .body;

async function deleteChat(user: TestUser, seq = 1_000): Promise<ChatState> {
  const response = await user.request('POST', chatPath('delete'), { seq });
  expectStatus(response, 200);
  return response.body.chat;
}

/** Everything that a user can read of the chat. */
async function readAll(user: TestUser) {
  const { chatroomMessages, chat } = await readChatroom(user, room);
  const [changes] = (await changesSince(user, { [room]: 0 })).rooms;
  return {
    chat,
    listed: (await openChatList(user)).find(({ chatId }) => chatId === room),
    messages: chatroomMessages,
    changes,
    found: await search(user, { query: 'plum' }),
    foundHere: await search(user, { query: 'plum', chatroomId: room }),
  };
}

const storedMessages = () =>
  server.ctx.storage.read((db) =>
    db.selectFrom('messages').selectAll().where('chatroom_id', '=', room).orderBy('seq').execute(),
  );

/** Returns who was told of a message, in the order of the events. */
function listTold(events: readonly DomainEvent[], type: DomainEvent['type']) {
  return events.flatMap((event) => {
    if (event.type !== type) return [];
    return 'members' in event ? event.members : 'userId' in event ? [event.userId] : [];
  });
}

describe('a deleted chat', () => {
  test('is gone for the member on all devices, and unchanged for the partner', async () => {
    const { body: chat } = await set(ada, { isPinned: true, mutedUntil: '2200-01-01T00:00:00Z' });
    expectStatus(await set(ada, { isMarkedUnread: true }), 200);
    const unread = await send(bob, room, 'plum, unread');
    const before = await readAll(bob);
    const events = recordEvents(server);
    const state = await deleteChat(ada, unread.seq);

    expect(state).toMatchObject({
      status: 'accepted',
      lastMessage: null,
      unreadMessagesCount: 0,
      readSeq: unread.seq,
      clearedSeq: unread.seq,
      ownClearedSeq: unread.seq,
      isRemoved: true,
      rev: unread.rev,
    });
    expect(state.settings).toEqual({ mutedUntil: chat.chat.settings.mutedUntil });
    const told = events.filter(({ type }) => type !== 'erasure-queued');
    expect(told).toMatchObject([{ type: 'chat-changed', userId: ada.id, chat: state }]);
    const { changes, ...after } = await readAll(ada);
    expect(after).toEqual({
      chat: state,
      listed: undefined,
      messages: [],
      found: { hits: [] },
      foundHere: { hits: [], total: 0 },
    });
    expect(changes).toMatchObject({ chat: state, updated: [], rev: unread.rev });
    expect(changes?.deleted).toHaveLength(4);

    await waitForErasure(server);
    expect(await readAll(bob)).toEqual(before);
    // Nothing changes when it is deleted again, or less of it.
    for (const seq of [unread.seq, 0]) expect(await deleteChat(ada, seq)).toEqual(state);
    expect(listTold(events, 'chat-changed')).toEqual([ada.id]);
  });

  test('is listed again with later messages only', async () => {
    await deleteChat(ada, own.seq);
    const [listed] = await openChatList(ada);
    expect(listed).toMatchObject({
      isRemoved: true,
      lastMessage: { seq: other.seq },
      unreadMessagesCount: 0,
    });
    await deleteChat(ada);
    expect(await openChatList(ada)).toEqual([]);
    const later = await send(bob, room, 'later');
    const mine = await send(ada, room, 'mine');
    expect((await openChatList(ada))[0]).toMatchObject({ lastMessage: { seq: mine.seq } });
    const { chatroomMessages } = await readChatroom(ada, room);
    expect(chatroomMessages.map(({ _id }) => _id)).toEqual([later._id, mine._id]);
    // Without them, it is gone again.
    for (const [user, message] of [
      [bob, later],
      [ada, mine],
    ] as const) {
      expectStatus(await remove(user, message), 200);
    }
    expect(await openChatList(ada)).toEqual([]);
  });

  test('is listed again once the member searches for the partner, or pins it', async () => {
    for (const relist of [
      () => ada.request('POST', '/api/chatrooms/exist', { username: bob.username }),
      () => set(ada, { isPinned: true }),
    ]) {
      await deleteChat(ada);
      const events = recordEvents(server);
      expectStatus(await relist(), 200);
      const [listed] = await openChatList(ada);
      expect(listed).toMatchObject({ chatId: room, lastMessage: null });
      expect(listed).not.toHaveProperty('isRemoved');
      expect(listTold(events, 'chat-changed')).toEqual([ada.id]);
    }
  });

  test('is listed again once an invitation introduces the two', async () => {
    await deleteChat(ada);
    const { body } = await bob.request('POST', '/api/invitations', { isSingleUse: true });
    const redeemed = await ada.request('POST', '/api/invitations/redeem', { code: body.code });
    expect(redeemed.status).toBe(200);
    expect(await openChatList(ada)).toMatchObject([{ chatId: room, lastMessage: null }]);
    // An inviter sees who has accepted the invitation.
    await deleteChat(ada);
    const invitation = await ada.request('POST', '/api/invitations', { isSingleUse: true });
    await server.ctx.storage.write(({ trx }) =>
      trx
        .updateTable('chatroom_members')
        .set({ consent: 'declined' })
        .where('user_id', '=', bob.id)
        .execute(),
    );
    const { code } = invitation.body;
    expect((await bob.request('POST', '/api/invitations/redeem', { code })).status).toBe(200);
    expect(await openChatList(ada)).toMatchObject([
      { chatId: room, settings: { isMarkedUnread: true } },
    ]);
  });

  test('can be one that is not accepted, blocked, or of a deleted partner', async () => {
    const pair = await createPair(server, {
      names: [`Request${count}`, `Asked${count}`],
      isRequest: true,
    });
    [ada, bob, room] = [pair.bob, pair.ada, pair.room];
    expect(await deleteChat(ada)).toMatchObject({ status: 'request', lastMessage: null });
    expect(await openChatList(ada)).toEqual([]);
    await send(bob, room, 'again');
    expect(await openChatList(ada)).toMatchObject([{ status: 'request' }]);
    await changeConsent(ada, room, 'block');
    expect(await deleteChat(ada)).toMatchObject({ status: 'blocked', lastMessage: null });
    expect((await ada.request('GET', '/api/chatrooms/blocked')).body.blocked).toHaveLength(1);
    await changeConsent(ada, room, 'unblock');
    expect(await openChatList(ada)).toEqual([]);
    await eraseAccount(server, bob);
    expect(await deleteChat(ada)).toMatchObject({ isDeletedAccount: true, isRemoved: true });
    expect(await openChatList(ada)).toEqual([]);
    const missing = await bob.request('POST', chatPath('delete'), { seq: 1 });
    expect(missing.status).toBe(401);
  });

  test('tells the partner no receipt of unopened messages, not even once the partner is accepted', async () => {
    const told = (await openChat(ada, room)).partnerReadSeq;
    const unread = await send(ada, room, 'unread');
    expect(await deleteChat(bob)).toMatchObject({ readSeq: unread.seq, unreadMessagesCount: 0 });
    expectStatus(await markAsRead(bob), 200);
    await send(bob, room, 'mine');
    expect((await openChat(ada, room)).partnerReadSeq).toBe(told);

    const request = async (name: string) => {
      const names = [`${name}${count}`, `Asked by ${name}${count}`] as const;
      ({ ada, bob, room } = await createPair(server, { names, isRequest: true }));
      await send(ada, room, 'second');
    };
    for (const [name, accept] of [
      ['Accepted', () => changeConsent(bob, room, 'accept')],
      ['Answered', () => send(bob, room, 'answer')],
      ['Found', () => bob.request('POST', '/api/chatrooms/exist', { username: ada.username })],
    ] as const) {
      await request(name);
      expect(await deleteChat(bob)).toMatchObject({ readSeq: 0, unreadMessagesCount: 0 });
      await accept();
      expect(await openChat(bob, room)).toMatchObject({ status: 'accepted' });
      expect(await openChat(ada, room)).not.toHaveProperty('partnerReadSeq');
    }
    const read = (seq: number) => bob.request('POST', chatPath('mark-as-read'), { seq });
    await request('Read');
    expectStatus(await read(1), 200);
    await changeConsent(bob, room, 'decline');
    await send(ada, room, 'third');
    expect(await openChat(bob, room)).toMatchObject({ readSeq: 1, unreadMessagesCount: 1 });
    await changeConsent(bob, room, 'accept');
    expect((await openChat(ada, room)).partnerReadSeq).toBe(1);
  });

  test('does not exist once it is declined', async () => {
    const pair = await createPair(server, {
      names: [`Request${count}`, `Asked${count}`],
      isRequest: true,
    });
    room = pair.room;
    await changeConsent(pair.bob, room, 'decline');
    const declined = await pair.bob.request('POST', chatPath('delete'), { seq: 1 });
    expect(declined).toMatchObject({ status: 404, body: { code: 'room_not_found' } });
  });
});

describe('the own messages of a deleted chat', () => {
  test('cannot be changed, replied to, forwarded or reported, and the partner can do so', async () => {
    const picture = await sendPicture(ada, room);
    await deleteChat(ada);
    const missing = { status: 404, body: { code: 'message_not_found' } };
    for (const message of [own, other]) {
      expect(await edit(ada, message)).toMatchObject(missing);
      expect(await react(ada, message)).toMatchObject(missing);
      expect(await reply(ada, message)).not.toHaveProperty('replyTo');
    }
    const copy = (user: TestUser) =>
      user.request('POST', '/api/media/copy', { messageId: picture.id });
    expect(await copy(ada)).toMatchObject(missing);
    expect((await copy(bob)).status).toBe(201);
    const file = (user: TestUser) => user.request('GET', `/media/${picture.file}`);
    expect((await file(ada)).status).toBe(404);
    expect((await file(bob)).status).toBe(200);
    const report = await reportPartner(ada, room, { messageIds: [other._id] });
    expect(report.status).not.toBe(201);
    expect((await reply(bob, own)).replyTo).toMatchObject({ content: 'plum of Ada' });
    const pictures = await search(ada, { kind: 'image', chatroomId: room });
    expect(pictures.hits).toEqual([]);
  });

  test('are not available in quotes to their sender, but to the partner', async () => {
    const sent = await reply(bob, own);
    await deleteChat(ada, own.seq);
    const events = recordEvents(server);
    const later = await reply(bob, own);
    for (const { _id } of [sent, later]) {
      const find = async (user: TestUser) =>
        (await readChatroom(user, room)).chatroomMessages.find((message) => message._id === _id);
      expect((await find(ada))?.replyTo).toMatchObject({ content: '', isDeleted: true });
      expect((await find(bob))?.replyTo).toMatchObject({ content: 'plum of Ada' });
    }
    const quotes = events.flatMap((event) =>
      event.type === 'message-sent'
        ? [[event.members, event.message.replyTo?.content] as const]
        : [],
    );
    expect(quotes).toEqual([
      [[bob.id], 'plum of Ada'],
      [[ada.id], ''],
    ]);
  });

  test('tell their sender nothing of reactions, whose latest one stays shown', async () => {
    expectStatus(await react(bob, own), 200);
    await deleteChat(ada, other.seq);
    expect(await openChat(ada, room)).not.toHaveProperty('lastReaction');
    const later = await send(ada, room, 'later');
    expectStatus(await react(bob, later, '🙏'), 200);
    const { lastReaction } = await openChat(ada, room);
    expect(lastReaction).toMatchObject({ messageId: later._id, emoji: '🙏' });
    const events = recordEvents(server);
    expectStatus(await react(bob, own, '🎉'), 200);
    expect(listTold(events, 'message-reacted')).toEqual([bob.id]);
    expect(listTold(events, 'reaction-received')).toEqual([]);
    expect((await openChat(ada, room)).lastReaction).toEqual(lastReaction);
  });

  test('can still be deleted for the partner, whether or not they are erased', async () => {
    const erased = await send(ada, room, 'erased');
    await deleteChat(ada);
    const events = recordEvents(server);
    const deleted = await remove(ada, own);
    expect(deleted).toMatchObject({ status: 200, body: { _id: own._id, rev: erased.rev + 1 } });
    expect(listTold(events, 'message-deleted')).toEqual([bob.id]);
    expect((await readChatroom(bob, room)).chatroomMessages).toHaveLength(3);
    expect(await remove(ada, own)).toMatchObject({ status: 404 });
    expect(await remove(ada, other)).toMatchObject({ status: 404 });
    await deleteChat(bob);
    await waitForErasure(server);
    expect(await remove(ada, erased)).toMatchObject({ status: 200, body: { rev: erased.rev + 2 } });
    expect(await remove(ada, erased)).toMatchObject({ status: 404 });
  });
});

describe('messages that no member sees', () => {
  test('are erased with their files once both have deleted the chat, which neither notices', async () => {
    const { file } = await sendPicture(ada, room);
    expectStatus(await react(bob, own), 200);
    await deleteChat(ada);
    const later = await send(ada, room, 'kept');
    await waitForErasure(server);
    const before = await readAll(ada);
    expect((await storedMessages()).every((row) => row.deleted_at === null)).toBe(true);
    await deleteChat(bob, later.seq - 1);
    await waitForErasure(server);

    const rows = await storedMessages();
    expect(rows.map(({ content }) => content)).toEqual(['', '', '', '', 'kept']);
    expect(rows.map(({ deleted_at: at }) => at !== null)).toEqual([true, true, true, true, false]);
    expect(rows.every(({ media_id: id }) => id === null)).toBe(true);
    expect(await readStoredFile(server, file)).toBeUndefined();
    const left = await server.ctx.storage.read((db) =>
      db.selectFrom('reactions').selectAll().where('message_id', '=', own._id).execute(),
    );
    expect(left).toEqual([]);
    expect(await readAll(ada)).toEqual(before);
    expect((await readChatroom(bob, room)).chatroomMessages).toHaveLength(1);
    expect((await changesSince(bob, { [room]: 0 })).rooms[0]?.deleted).toHaveLength(4);
  });

  test.each<[string, () => Promise<void>, string[]]>([
    [
      'they were withheld',
      async () => {
        await changeConsent(bob, room, 'block');
        await send(ada, room, 'withheld');
        await deleteChat(ada);
      },
      ['Hello', 'plum of Ada', 'plum of Bob', ''],
    ],
    [
      'the account of the partner has ended',
      async () => {
        await eraseAccount(server, bob);
        await deleteChat(ada);
      },
      ['', '', ''],
    ],
    [
      'the account of the partner ends later',
      async () => {
        await deleteChat(ada);
        await eraseAccount(server, bob);
      },
      ['', '', ''],
    ],
  ])('are erased if %s', async (_name, prepare, expected) => {
    await prepare();
    await waitForErasure(server);
    expect((await storedMessages()).map(({ content }) => content)).toEqual(expected);
  });

  test('are erased once the partner declines the request', async () => {
    const names = [`Request${count}`, `Asked${count}`] as const;
    ({ ada, bob, room } = await createPair(server, { names, isRequest: true }));
    await deleteChat(ada);
    await waitForErasure(server);
    expect(await storedMessages()).toMatchObject([{ content: 'Hello' }]);
    await changeConsent(bob, room, 'decline');
    await waitForErasure(server);
    expect(await storedMessages()).toMatchObject([{ content: '' }]);
  });

  test('are erased in batches, which continue later', async () => {
    await fillChat(server, room, ada, 2 * BATCH.rows);
    await fillChat(server, room, bob, BATCH.rows);
    const { chat } = await readChatroom(ada, room);
    await server.ctx.storage.write(({ trx }) =>
      trx
        .updateTable('chatroom_members')
        .set({ cleared_seq: chat.rev, own_cleared_seq: chat.rev })
        .where('chatroom_id', '=', room)
        .execute(),
    );
    const countLeft = async () =>
      (await storedMessages()).filter(({ content }) => content !== '').length;
    const counts = [await countLeft()];
    const eraseBatch = () => server.ctx.storage.write(({ trx }) => eraseUnseenMessages(trx, room));
    for (let i = 0; i < 2; i += 1) {
      expect(await eraseBatch()).toBe(true);
      counts.push(await countLeft());
    }
    expect(counts).toEqual([303, 203, 103]);
    await deleteChat(ada);
    await waitForErasure(server);
    expect(await countLeft()).toBe(0);
    expect(await eraseBatch()).toBe(false);
    expect((await storedMessages()).map(({ rev }) => rev)).toEqual(
      Array.from({ length: 303 }, (_, i) => i + 1),
    );
  });
});
