import type { ChatSummary, Message } from '@parley/contract';
import { describe, expect, it } from 'vitest';
import {
  deliveryOf,
  mergeChats,
  toChat,
  withLastMessage,
  withChangedSettings,
  withReceipt,
  withSettings,
  withUnread,
} from './chat-list.ts';
import { selectTotalUnread } from '../mutations/listed-chats.ts';

const summary = (chatId: string, minute: number, rest: Partial<ChatSummary> = {}): ChatSummary => ({
  chatId,
  usernames: ['bob'],
  isDeletedAccount: false,
  lastMessage: { content: 'hi', sender: 'u2', kind: 'text' },
  currentUserId: 'u1',
  timestamps: [`2025-03-20T09:0${minute}:00.000Z`],
  activeAt: `2025-03-20T09:0${minute}:00.000Z`,
  unreadMessagesCount: 0,
  rev: 1,
  ...rest,
});

const message = (chatroom: string, rev: number, minute: number): Message => ({
  _id: `m${rev}`,
  chatroom,
  content: 'new',
  sender: { username: 'bob' },
  createdAt: `2025-03-20T09:0${minute}:00.000Z`,
  updatedAt: `2025-03-20T09:0${minute}:00.000Z`,
  seq: rev,
  rev,
  kind: 'text',
});

const chats = mergeChats([], [summary('b', 2), summary('a', 1)].map(toChat));

describe('the chat list', () => {
  it('shows the newest first and deleted accounts last', () => {
    const gone = toChat(
      summary('c', 9, { isDeletedAccount: true, lastMessage: null, timestamps: [] }),
    );
    expect(mergeChats(chats, [...chats, gone]).map(({ id }) => id)).toEqual(['b', 'a', 'c']);
  });

  it("keeps the server's order", () => {
    const list = [summary('a', 1), summary('b', 2)].map(toChat);
    expect(mergeChats(chats, list).map(({ id }) => id)).toEqual(['a', 'b']);
  });

  it('moves a chat to the top on a new message, and ignores a duplicate event', () => {
    const after = withLastMessage(chats, message('a', 2, 3), false) ?? [];
    expect(after[0]).toMatchObject({ id: 'a', unread: 1, rev: 2, last: { content: 'new' } });
    expect(withLastMessage(after, message('a', 2, 3), false)).toBe(after);
    expect(selectTotalUnread({ chats: after })).toBe(1);
    expect(selectTotalUnread({ chats: withUnread(after, 'a', 0) })).toBe(0);
  });

  it('shows a reaction until it is taken back or a message is newer', () => {
    const lastReaction = {
      messageId: 'm1',
      emoji: '👍',
      content: 'hi',
      kind: 'text' as const,
      createdAt: '2025-03-20T09:05:00.000Z',
    };
    const before = [toChat(summary('a', 1))];
    const reacted = mergeChats(before, [toChat(summary('a', 1, { rev: 2, lastReaction }))]);
    expect(reacted[0]?.reaction).toEqual(lastReaction);
    expect(mergeChats(reacted, reacted)[0]).toBe(reacted[0]);
    expect(mergeChats(reacted, [toChat(summary('a', 1, { rev: 3 }))])[0]).not.toHaveProperty(
      'reaction',
    );
    expect(mergeChats(reacted, [toChat(summary('a', 1, { rev: 2 }))])[0]).not.toHaveProperty(
      'reaction',
    );
    expect(withLastMessage(reacted, message('a', 3, 6), false)?.[0]).not.toHaveProperty('reaction');
  });

  it('does not count own messages as unread', () => {
    expect(withLastMessage(chats, message('a', 2, 3), true)?.[0]).toMatchObject({
      unread: 0,
      last: { isOwn: true },
    });
  });

  it('must be refetched for an unknown chatroom or after missed changes', () => {
    expect(withLastMessage(chats, message('x', 1, 3), false)).toBeUndefined();
    expect(withLastMessage(chats, message('a', 5, 3), false)).toBeUndefined();
  });

  it('keeps entries newer than the response and the identity of unchanged entries', () => {
    const after = withLastMessage(chats, message('a', 2, 3), false) ?? [];
    const merged = mergeChats(after, [summary('b', 2), summary('a', 1)].map(toChat));
    expect(merged[0]).toBe(after[0]);
    expect(merged[1]).toBe(after[1]);
  });

  it('does not count the unread messages of a request, which a reply accepts', () => {
    const request = toChat(summary('a', 1, { unreadMessagesCount: 2, isRequest: true }));
    const accepted = toChat(summary('a', 1, { unreadMessagesCount: 2 }));
    expect(selectTotalUnread({ chats: [request] })).toBe(0);
    expect(mergeChats([request], [accepted])).toEqual([accepted]);
    expect(mergeChats([accepted], [request])).toEqual([request]);
    expect(
      selectTotalUnread({ chats: withLastMessage([request], message('a', 2, 3), true) ?? [] }),
    ).toBe(2);
  });

  it('contains pinned chats first, except for deleted accounts', () => {
    const settings = { version: 1, isPinned: true };
    const pinned = withChangedSettings(chats, 'a', settings);
    expect(pinned.map(({ id, isPinned }) => [id, isPinned])).toEqual([
      ['a', true],
      ['b', undefined],
    ]);
    expect(withChangedSettings(pinned, 'a', { version: 0 })).toBe(pinned);
    expect(withChangedSettings(pinned, 'x', { version: 3 })).toBe(pinned);
    expect(withChangedSettings(pinned, 'a', { version: 2 })[0]?.id).toBe('b');
    const gone = toChat(summary('c', 9, { isDeletedAccount: true, settings }));
    expect(mergeChats(chats, [...chats, gone]).map(({ id }) => id)).toEqual(['b', 'a', 'c']);
    expect(gone).not.toHaveProperty('isPinned');
  });

  it('takes a chat out of the archive with a message of the partner that is not muted', () => {
    const settings = { version: 2, isArchived: true };
    const archived = withChangedSettings(chats, 'a', settings).find(({ id }) => id === 'a');
    if (!archived) throw new Error('no chat');
    const settingsAfter = (isOwn: boolean, mutedUntil?: string) => {
      const chat = withSettings(archived, { ...settings, ...(mutedUntil && { mutedUntil }) });
      return withLastMessage([chat], message('a', 2, 3), isOwn)?.[0]?.settings;
    };
    expect(settingsAfter(false)).toEqual({ version: 2 });
    expect(settingsAfter(true)).toEqual(settings);
    expect(settingsAfter(false, 'corrupted')).toEqual({ version: 2, mutedUntil: 'corrupted' });
    const [before, after] = ['2025-03-20T09:02:00.000Z', '2025-03-20T09:04:00.000Z'];
    expect(settingsAfter(false, before)).toEqual({ version: 2, mutedUntil: before });
    expect(settingsAfter(false, after)).toEqual({ ...settings, mutedUntil: after });

    // Of the same settings, those without the archive are newer.
    const back = withLastMessage([archived], message('a', 2, 3), false) ?? [];
    expect(withChangedSettings(back, 'a', settings)).toBe(back);
    expect(withChangedSettings([archived], 'a', { version: 2 })[0]?.settings).toEqual({
      version: 2,
    });
    const older = toChat(summary('a', 1, { settings }));
    expect(mergeChats(back, [older])).toEqual(back);
    const muted = { ...settings, version: 3, mutedUntil: after };
    expect(mergeChats(back, [{ ...older, settings: muted }])[0]?.settings).toEqual(muted);
  });

  it('contains what the partner received and read, which never moves back', () => {
    const told = toChat(summary('a', 1, { partnerDeliveredSeq: 3, partnerReadSeq: 2 }));
    expect(told.receipt).toEqual({ deliveredSeq: 3, readSeq: 2 });
    expect(toChat(summary('a', 1)).receipt).toBeNull();
    const list = [told];
    const after = withReceipt(list, 'a', { deliveredSeq: 2, readSeq: 3 });
    expect(after[0]?.receipt).toEqual({ deliveredSeq: 3, readSeq: 3 });
    expect(withReceipt(after, 'a', { deliveredSeq: 1, readSeq: 1 })).toBe(after);
    expect(withReceipt(after, 'x', { deliveredSeq: 1, readSeq: 1 })).toBe(after);
  });

  it("takes what the partner received from the server's list, also into newer entries", () => {
    const newer = withLastMessage(chats, message('a', 2, 3), true) ?? [];
    const listed = [
      summary('a', 1, { partnerDeliveredSeq: 1, partnerReadSeq: 1 }),
      summary('b', 2),
    ];
    const merged = mergeChats(newer, listed.map(toChat));
    expect(merged[0]).toMatchObject({ rev: 2, receipt: { deliveredSeq: 1, readSeq: 1 } });
    // The user shares receipts no more.
    expect(mergeChats(merged, newer)[0]?.receipt).toBeNull();
  });

  it('knows whether an own message was delivered and read', () => {
    const receipt = { deliveredSeq: 3, readSeq: 2 };
    expect([1, 2, 3, 4].map((seq) => deliveryOf(seq, receipt))).toEqual([
      'read',
      'read',
      'delivered',
      'sent',
    ]);
    expect(deliveryOf(1, null)).toBe('sent');
    expect(deliveryOf(undefined, receipt)).toBe('sent');
  });
});
