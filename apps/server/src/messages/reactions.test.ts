import { LIMITS, type Message, type Reaction } from '@parley/contract';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import {
  changeConsent,
  changesSince,
  createPair,
  beginChat,
  openChatList,
  readChatroom,
  recordEvents,
  send,
} from '../../test/chatting.ts';
import { eraseAccount } from '../../test/fixtures.ts';
import { startServer, type TestServer, type TestUser } from '../../test/harness.ts';
import { connectLive } from '../../test/live.ts';
import { until } from '../../test/until.ts';
import { isReactionEmoji } from './reaction.service.ts';

let server: TestServer;
let ada: TestUser;
let bob: TestUser;
let room: string;
let message: Message;
beforeEach(async () => {
  server = await startServer();
  ({ ada, bob, room } = await createPair(server));
  message = await send(ada, room, 'Shall we?');
});
afterEach(() => server.close());

const react = (user: TestUser, messageId: string, emoji: string, isOn = true) =>
  user.request('POST', '/api/messages/react', { messageId, emoji, isOn });

/** Returns the reactions to the message that a user sees. */
async function reactionsFor(user: TestUser): Promise<Reaction[] | undefined> {
  const { chatroomMessages } = await readChatroom(user, room);
  return chatroomMessages.find(({ _id }) => _id === message._id)?.reactions;
}

describe('a reaction', () => {
  test('is shown to both members, with a new revision but without an edit', async () => {
    const events = recordEvents(server);
    const { status, body } = await react(bob, message._id, '👍');
    const reactions = [{ emoji: '👍', usernames: ['Bob'] }];
    expect(status).toBe(200);
    expect(body).toEqual({ ...message, rev: message.rev + 1, reactions });
    expect(await reactionsFor(ada)).toEqual(reactions);
    expect(await reactionsFor(bob)).toEqual(reactions);
    const { rooms } = await changesSince(ada, { [room]: message.rev });
    expect(rooms).toMatchObject([{ rev: body.rev, updated: [body], deleted: [] }]);
    expect(events).toEqual([
      { type: 'message-reacted', message: body, members: [bob.id, ada.id] },
      {
        type: 'reaction-received',
        userId: ada.id,
        chatroomId: room,
        rev: body.rev,
        isOn: true,
        reaction: {
          messageId: message._id,
          emoji: '👍',
          content: 'Shall we?',
          kind: 'text',
          createdAt: expect.any(String),
        },
      },
    ]);
  });

  test('reaches all devices as an update, and the sender of the message as a reaction', async () => {
    const [first, second, partner] = await Promise.all([
      connectLive(server, ada),
      connectLive(server, ada),
      connectLive(server, bob),
    ]);
    const { body } = await react(bob, message._id, '👍');
    for (const { events } of [first, second]) {
      await until(() => events.length === 2);
      expect(events).toMatchObject([
        ['message-update', { updatedMessage: body }],
        ['reaction', { chatroom: room, rev: body.rev, isOn: true, reaction: { emoji: '👍' } }],
      ]);
    }
    await react(bob, message._id, '👍', false);
    await until(() => first.events.length === 4);
    expect(first.events[3]).toMatchObject(['reaction', { isOn: false, reaction: { emoji: '👍' } }]);
    expect(partner.events.map(([name]) => name)).toEqual(['message-update', 'message-update']);
  });

  test('is counted once, and repeating it changes nothing', async () => {
    const { body } = await react(bob, message._id, '❤️');
    const events = recordEvents(server);
    expect(await react(bob, message._id, '❤️')).toMatchObject({ status: 200, body });
    expect((await react(bob, message._id, '🙏', false)).body).toEqual(body);
    expect(events).toEqual([]);
    expect((await readChatroom(ada, room)).chat.rev).toBe(body.rev);
  });

  test('is one of several, in the order of the first one with each emoji', async () => {
    await react(bob, message._id, '😀');
    await react(ada, message._id, '👍');
    await react(bob, message._id, ':circassia:');
    await react(bob, message._id, '👍');
    expect(await reactionsFor(ada)).toEqual([
      { emoji: '😀', usernames: ['Bob'] },
      { emoji: '👍', usernames: ['Ada', 'Bob'] },
      { emoji: ':circassia:', usernames: ['Bob'] },
    ]);
    await react(bob, message._id, '😀', false);
    await react(ada, message._id, '👍', false);
    await react(bob, message._id, '😀');
    expect(await reactionsFor(bob)).toEqual([
      { emoji: ':circassia:', usernames: ['Bob'] },
      { emoji: '👍', usernames: ['Bob'] },
      { emoji: '😀', usernames: ['Bob'] },
    ]);
  });

  test('stays when the message is edited, and the edit does not notify of it', async () => {
    await react(bob, message._id, '👍');
    const events = recordEvents(server);
    const body = { messageId: message._id, content: 'Shall we go?' };
    const edited = (await ada.request('PATCH', '/api/messages/edit', body)).body;
    expect(edited.reactions).toEqual([{ emoji: '👍', usernames: ['Bob'] }]);
    expect(events).toEqual([
      { type: 'message-edited', message: edited, members: [ada.id, bob.id] },
    ]);
  });

  test('does not change unread counts, read positions and the order of the chat list', async () => {
    const carol = await server.signIn('Carol');
    const other = await beginChat(carol, ada);
    const before = await openChatList(ada);
    await react(bob, message._id, '👍');
    const after = await openChatList(ada);
    expect(after.map(({ chatId }) => chatId)).toEqual([other, room]);
    expect(after.map((chat) => [chat.unreadMessagesCount, chat.activeAt])).toEqual(
      before.map((chat) => [chat.unreadMessagesCount, chat.activeAt]),
    );
  });
});

describe('a reaction is refused', () => {
  test.each(['', 'x', '👍👍', '👍 ', ':smile:', '1', '\u{1F44D}\u{200D}', 'a'.repeat(65)])(
    'if it is not a single emoji: %j',
    async (emoji) => {
      const refused = { status: 400, body: { code: 'invalid_request' } };
      expect(await react(bob, message._id, emoji)).toMatchObject(refused);
    },
  );

  test('beyond the maximum per user and message', async () => {
    const emoji = Array.from({ length: LIMITS.reactionsMax + 1 }, (_, i) =>
      String.fromCodePoint(0x1_f6_00 + i),
    );
    expect(emoji.every(isReactionEmoji)).toBe(true);
    const [last = '', ...others] = emoji;
    for (const each of others) expect((await react(bob, message._id, each)).status).toBe(200);
    const refused = { status: 403, body: { code: 'reaction_limit' } };
    expect(await react(bob, message._id, last)).toMatchObject(refused);
    expect((await react(ada, message._id, last)).status).toBe(200);
  });

  test('to a message that the user cannot see', async () => {
    const carol = await server.signIn('Carol');
    const missing = { status: 404, body: { code: 'message_not_found' } };
    expect(await react(carol, message._id, '👍')).toMatchObject(missing);
    await ada.request('DELETE', '/api/messages/delete', { messageId: message._id });
    expect(await react(bob, message._id, '👍')).toMatchObject(missing);
  });

  test('to a request, which it does not accept', async () => {
    const carol = await server.signIn('Carol');
    const request = await beginChat(carol, ada, 'Hi', { isRequest: true });
    const [first] = (await readChatroom(ada, request)).chatroomMessages;
    const refused = { status: 403, body: { code: 'request_not_accepted' } };
    expect(await react(ada, String(first?._id), '👍')).toMatchObject(refused);
    expect((await readChatroom(ada, request)).chat.status).toBe('request');
    expect((await react(carol, String(first?._id), '👍')).status).toBe(200);
  });

  test('while the user blocks the partner, and after the partner is deleted', async () => {
    const reply = await send(bob, room, 'Yes');
    await changeConsent(bob, room, 'block');
    const refused = { status: 403, body: { code: 'partner_blocked' } };
    expect(await react(bob, message._id, '👍')).toMatchObject(refused);
    expect(await react(bob, reply._id, '👍')).toMatchObject(refused);
    await changeConsent(bob, room, 'unblock');
    await eraseAccount(server, ada);
    const gone = { status: 403, body: { code: 'partner_deleted' } };
    expect(await react(bob, reply._id, '👍')).toMatchObject(gone);
  });
});

describe('the chat list', () => {
  const lastReaction = async (user: TestUser) => (await openChatList(user))[0]?.lastReaction;

  test("shows the partner's latest reaction to a message of the user", async () => {
    const long = await send(ada, room, `${'a'.repeat(99)}👍👍`);
    await react(ada, message._id, '😀');
    expect(await lastReaction(ada)).toBeUndefined();
    await react(bob, message._id, '👍');
    await react(bob, long._id, '🙏');
    expect(await lastReaction(ada)).toEqual({
      messageId: long._id,
      emoji: '🙏',
      content: `${'a'.repeat(99)}👍`,
      kind: 'text',
      createdAt: expect.any(String),
    });
    expect(await lastReaction(bob)).toBeUndefined();
  });

  test('shows no reaction once it is taken back, its message deleted, or a message sent', async () => {
    await react(bob, message._id, '👍');
    await react(bob, message._id, '👍', false);
    expect(await lastReaction(ada)).toBeUndefined();

    await react(bob, message._id, '👍');
    const reply = await send(bob, room, 'Yes');
    expect(await lastReaction(ada)).toBeUndefined();
    await bob.request('DELETE', '/api/messages/delete', { messageId: reply._id });
    expect(await lastReaction(ada)).toMatchObject({ emoji: '👍' });

    await ada.request('DELETE', '/api/messages/delete', { messageId: message._id });
    expect(await lastReaction(ada)).toBeUndefined();
    expect(await storedReactions()).toEqual({ rows: 0, latest: 0 });
  });
});

/** Counts what the database contains of reactions. */
function storedReactions(): Promise<{ rows: number; latest: number }> {
  return server.ctx.storage.read(async (db) => {
    const rows = await db.selectFrom('reactions').select('emoji').execute();
    const latest = await db
      .selectFrom('chatroom_members')
      .select('user_id')
      .where((eb) =>
        eb.or([
          eb('reaction_message_id', 'is not', null),
          eb('reaction_emoji', 'is not', null),
          eb('reaction_at', 'is not', null),
          eb('reaction_seq', 'is not', null),
        ]),
      )
      .execute();
    return { rows: rows.length, latest: latest.length };
  });
}

test('the reactions of a deleted account disappear at once and are erased', async () => {
  await send(bob, room, 'Yes');
  await react(bob, message._id, '👍');
  await react(ada, message._id, '😀');
  await server.ctx.storage.write(({ trx }) =>
    trx.updateTable('users').set({ ended_at: 1 }).where('id', '=', bob.id).execute(),
  );
  expect(await reactionsFor(ada)).toEqual([{ emoji: '😀', usernames: ['Ada'] }]);
  expect((await openChatList(ada))[0]).not.toHaveProperty('lastReaction');
  await server.ctx.storage.write(({ trx }) =>
    trx.updateTable('users').set({ ended_at: null }).where('id', '=', bob.id).execute(),
  );
  await eraseAccount(server, bob);
  expect(await reactionsFor(ada)).toEqual([{ emoji: '😀', usernames: ['Ada'] }]);
  expect(await storedReactions()).toEqual({ rows: 1, latest: 0 });
});

describe('a reaction to a message of a partner who blocks the user', () => {
  let blocked: Message;
  beforeEach(async () => {
    blocked = message;
    await changeConsent(ada, room, 'block');
  });

  test('is shown only to the user, also after the partner unblocks the user', async () => {
    const events = recordEvents(server);
    const { body } = await react(bob, blocked._id, '👍');
    expect(events).toEqual([{ type: 'message-reacted', message: body, members: [bob.id] }]);
    expect(await reactionsFor(bob)).toEqual([{ emoji: '👍', usernames: ['Bob'] }]);
    await changeConsent(ada, room, 'unblock');
    expect(await reactionsFor(ada)).toBeUndefined();
    expect((await openChatList(ada))[0]).not.toHaveProperty('lastReaction');

    const later = recordEvents(server);
    await react(ada, blocked._id, '🙏');
    await ada.request('PATCH', '/api/messages/edit', { messageId: blocked._id, content: 'New' });
    const own = [{ emoji: '🙏', usernames: ['Ada'] }];
    const both = [{ emoji: '👍', usernames: ['Bob'] }, ...own];
    expect(later).toMatchObject([
      { type: 'message-reacted', message: { reactions: own }, members: [ada.id] },
      { type: 'message-reacted', message: { reactions: both }, members: [bob.id] },
      { type: 'message-edited', message: { reactions: own }, members: [ada.id] },
      { type: 'message-edited', message: { reactions: both }, members: [bob.id] },
    ]);
    expect((await changesSince(ada, { [room]: 0 })).rooms[0]?.updated.at(-1)?.reactions).toEqual(
      own,
    );

    later.splice(0);
    await react(bob, blocked._id, '👍', false);
    expect(later).toMatchObject([{ type: 'message-reacted', members: [bob.id, ada.id] }]);
  });

  test('can be taken back, and was then never shown', async () => {
    await changeConsent(ada, room, 'unblock');
    await react(bob, blocked._id, '👍');
    await changeConsent(ada, room, 'block');
    await react(bob, blocked._id, '👍', false);
    await react(bob, blocked._id, '👍');
    await changeConsent(ada, room, 'unblock');
    expect(await reactionsFor(ada)).toBeUndefined();
    expect((await openChatList(ada))[0]).not.toHaveProperty('lastReaction');
    expect(await reactionsFor(bob)).toEqual([{ emoji: '👍', usernames: ['Bob'] }]);
  });
});
