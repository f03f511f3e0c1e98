import type { LastReaction, Message, ServerEvents } from '@parley/contract';
import { beforeEach, expect, test, vi } from 'vitest';
import type { Chat } from '../stores/chat-list.ts';
import { createClientStores, type ClientStores } from '../client-stores.ts';
import { createHeadlessPlatform } from '../headless-platform.ts';
import { createMutationsStore } from '../mutations/mutations-store.ts';
import { createOutboxStore } from '../outbox/outbox-store.ts';
import { withNewestPage, type Room } from '../stores/room.ts';
import { createEventHandlers, updateListUnread, type StoreEvents } from './event-handlers.ts';

let stores: ClientStores;
let handlers: StoreEvents;
const chatList = {
  request: vi.fn<() => void>(),
  recordUnread: vi.fn<(id: string, unread: number, rev: number | undefined) => void>(),
  recordReceipt: () => undefined,
  recordSettings: () => undefined,
};

const onDelivered = vi.fn<(message: Message) => void>();
const onStoredGap = vi.fn<() => void>();
/** The chatroom in the offline copy, if it is stored. */
let stored: Room | undefined;
const updateStoredRoom = (_: string, change: (room: Room) => Room): void => {
  stored &&= change(stored);
};
const onPresence = vi.fn<(event: ServerEvents['presence']) => void>();
const onTyping = vi.fn<(chatroomId: string, isTyping: boolean) => void>();
const onIncoming = vi.fn<(message: Message, isRequest: boolean) => void>();
const onReaction = vi.fn<(chatroomId: string, reaction: LastReaction) => void>();

const message = (seq: number): Message => ({
  _id: `m${seq}`,
  chatroom: 'room',
  content: `text ${seq}`,
  sender: { username: 'Bob' },
  createdAt: `2025-03-20T09:00:0${seq}.000Z`,
  updatedAt: `2025-03-20T09:00:0${seq}.000Z`,
  seq,
  rev: seq,
  kind: 'text',
});

/** Sets the chat list to a chatroom with `rev` messages. */
function list(rev: number, unread: number): void {
  const { createdAt: time, content } = message(rev);
  const chat: Chat = {
    id: 'room',
    names: ['Bob'],
    isDeleted: false,
    last: { content, kind: 'text', isOwn: false },
    time,
    activeAt: time,
    unread,
    rev,
  };
  stores.chats.getState().setChats([chat]);
}

/** Creates the chatroom with `rev` messages. */
function roomOf(rev: number, readSeq: number): Room {
  return withNewestPage('room', {
    chatroomMessages: Array.from({ length: rev }, (_, i) => message(i + 1)),
    currentUsername: 'Ada',
    partnerName: 'Bob',
    unreadMessagesCount: rev - readSeq,
    volume: 'middle',
    hasMore: false,
    readSeq,
    rev,
  });
}

/** Loads the chatroom with `rev` messages. */
function load(rev: number, readSeq: number): void {
  const room = roomOf(rev, readSeq);
  stores.rooms.getState().setEntry('room', { status: 'ready', room, isLoadingOlder: false });
}

const listed = () => stores.chats.getState().chats[0]?.unread;
const shown = () => {
  const entry = stores.rooms.getState().rooms['room'];
  return entry?.status === 'ready' ? entry.room.unread : undefined;
};
const read = (readSeq: number, unread: number, rev?: number) =>
  handlers['chat-read']({
    chatroom: 'room',
    readSeq,
    unreadMessagesCount: unread,
    ...(rev !== undefined && { rev }),
  });

beforeEach(() => {
  vi.clearAllMocks();
  stored = undefined;
  const platform = createHeadlessPlatform();
  const deps = { platform, username: 'Ada', opened: Promise.resolve(undefined) };
  const { store: outbox } = createOutboxStore({ ...deps, onRead: () => undefined });
  const { store: mutations } = createMutationsStore(deps);
  stores = { ...createClientStores(platform, 'Ada', deps.opened), outbox, mutations };
  handlers = createEventHandlers({
    stores,
    username: 'Ada',
    events: {},
    chatList,
    recordRev: () => undefined,
    updateStoredRoom,
    onGap: () => undefined,
    onStoredGap,
    onIncoming,
    onDelivered,
    onTyping,
    onPresence,
    onReaction,
    onChatStatus: () => undefined,
    onNotificationSettings: () => undefined,
    onChatAccepted: () => undefined,
    onPartnerWrote: () => undefined,
  });
});

test('applies read positions of other devices', () => {
  list(3, 2);
  load(3, 1);
  read(3, 0, 3);
  expect([listed(), shown()]).toEqual([0, 0]);
  expect(chatList.request).not.toHaveBeenCalled();
});

test('a read position does not hide newer messages', () => {
  // Both events were queued during the resync, which already included the message.
  list(4, 1);
  load(4, 3);
  read(3, 0, 3);
  handlers.message(message(4));
  expect([listed(), shown()]).toEqual([1, 1]);
  expect(chatList.request).toHaveBeenCalled();
});

test('a read position that arrives before its message does not count it twice', () => {
  list(3, 0);
  read(3, 1, 4);
  handlers.message(message(4));
  expect(listed()).toBe(1);
  expect(chatList.request).toHaveBeenCalled();
});

test('an outdated read position does not undo a newer one', () => {
  list(3, 3);
  load(3, 0);
  read(3, 0, 3);
  read(1, 2, 3);
  expect([listed(), shown()]).toEqual([0, 0]);
});

test('accepts the count of an older server that sends no revision', () => {
  list(3, 2);
  read(3, 0);
  expect(listed()).toBe(0);
});

test('ignores a count that is newer than the list, which would count a message twice', () => {
  list(3, 0);
  // The resync already included a message whose event is still queued.
  updateListUnread(stores.chats, 'room', 1, 4, chatList);
  handlers.message(message(4));
  expect(listed()).toBe(1);
  expect(chatList.request).toHaveBeenCalledOnce();
});

test('reports a request once, and never its later messages', () => {
  for (const seq of [1, 2]) handlers.message({ ...message(seq), isRequest: true });
  expect(onIncoming.mock.calls).toEqual([[message(1), true]]);
  list(2, 0);
  handlers.message({ ...message(3), isRequest: true });
  expect(onIncoming).toHaveBeenCalledOnce();
  // The user deletes the request, and the partner writes again.
  handlers['chat-status']({ chatroom: 'room', status: 'none' });
  stores.chats.getState().remove('room');
  handlers.message({ ...message(4), isRequest: true });
  expect(onIncoming).toHaveBeenCalledTimes(2);
  handlers.message(message(5));
  expect(onIncoming).toHaveBeenLastCalledWith(message(5), false);
});

test('does not report a message that arrives after its sender was blocked', () => {
  stores.rooms.getState().setEntry('room', { status: 'missing', isHidden: true });
  handlers.message(message(1));
  expect(onIncoming).not.toHaveBeenCalled();
  // A declined partner may write again.
  handlers.message({ ...message(2), isRequest: true });
  expect(onIncoming).toHaveBeenCalledOnce();
});

test('reports reactions of the partner, but not those taken back', () => {
  list(3, 0);
  const reaction: LastReaction = {
    messageId: 'm1',
    emoji: '👍',
    content: 'text',
    kind: 'text',
    createdAt: '2025-03-20T09:00:00.000Z',
  };
  handlers.reaction({ chatroom: 'room', rev: 4, reaction, isOn: true });
  handlers.reaction({ chatroom: 'room', rev: 5, reaction, isOn: false });
  expect(onReaction.mock.calls).toEqual([['room', reaction]]);
  expect(onIncoming).not.toHaveBeenCalled();
});

test('keeps a stored chatroom without holes if messages were missed', () => {
  const seqs = () => stored?.messages.map(({ seq }) => seq);
  stored = roomOf(2, 1);
  handlers.message(message(4));
  handlers['message-update']({ updatedMessage: { ...message(3), rev: 5 } });
  expect(seqs()).toEqual([1, 2]);
  expect(onStoredGap).toHaveBeenCalledTimes(2);
  const edited = { ...message(2), content: 'edited', rev: 6 };
  handlers['message-update']({ updatedMessage: edited });
  expect(stored?.messages.at(-1)).toEqual(edited);
  handlers['message-delete']({
    deletedMessage: { _id: 'm1', chatroom: 'room', seq: 1, rev: 7 },
  });
  expect(seqs()).toEqual([2]);
  vi.clearAllMocks();
  handlers.message(message(3));
  expect(seqs()).toEqual([2, 3]);
  expect(onStoredGap).not.toHaveBeenCalled();
});
