import type { ChatState, LastReaction, Message } from '@parley/contract';
import { beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { createAdasOutbox } from '../../test/create-adas-outbox.ts';
import { createChatState } from '../../test/create-chat-state.ts';
import { toChat, type Chat } from '../stores/chat-list.ts';
import { findChat } from '../stores/chats.ts';
import { createClientStores, type ClientStores } from '../client-stores.ts';
import { createHeadlessPlatform } from '../headless-platform.ts';
import type { OfflineCopy } from '../offline-copy/offline-copy.ts';
import { findLoadedChatroom, isHidden } from '../stores/loaded-chatrooms.ts';
import { withNewestPage, type LoadedChatroom } from '../stores/loaded-chatroom.ts';
import { createChatStates, type ChatStates } from './chat-states.ts';
import { createEventHandlers, type StoreEvents } from './event-handlers.ts';

let stores: ClientStores;
let handlers: StoreEvents;
const chatList = { request: vi.fn<() => void>() };

const resyncCopy = vi.fn<() => void>();
/** The chatroom in the offline copy, if it is stored. */
let stored: LoadedChatroom | undefined;
const copy: Pick<OfflineCopy, 'updateChatroom'> = {
  updateChatroom: (_, change) => {
    stored &&= change(stored);
  },
};
const announcer = {
  announceMessage: vi.fn<(message: Message, isRequest: boolean) => void>(),
  announceReaction: vi.fn<(chatroomId: string, reaction: LastReaction) => void>(),
  announceInvitation: vi.fn<(chat: Chat) => void>(),
};
const deliveries = { report: vi.fn<(chatroomId: string, seq: number) => void>() };
const activity = {
  showTyping: vi.fn<(chatroomId: string) => void>(),
  hideTyping: vi.fn<(chatroomId: string) => void>(),
};

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

/** Creates the state of the chat after `rev` messages. */
const stateOf = (rev: number, changes: Partial<ChatState> = {}): ChatState =>
  createChatState(changes, message(rev));

/** Sets the chat list to the chat with `rev` messages. */
function list(rev: number, unread: number, changes: Partial<ChatState> = {}): void {
  const chat = toChat(
    stateOf(rev, { unreadMessagesCount: unread, readSeq: rev - unread, ...changes }),
  );
  stores.chats.getState().setFetched([chat], new Map());
}

/** Creates the chatroom with `rev` messages. */
function chatroomOf(rev: number, readSeq: number): LoadedChatroom {
  return withNewestPage('room', {
    chat: stateOf(rev, { readSeq, unreadMessagesCount: rev - readSeq }),
    chatroomMessages: Array.from({ length: rev }, (_, i) => message(i + 1)),
    currentUsername: 'Ada',
    partnerName: 'Bob',
    unreadMessagesCount: rev - readSeq,
    volume: 'middle',
    hasMore: false,
  });
}

/** Loads the chatroom with `rev` messages. */
function load(rev: number, readSeq: number): void {
  const room = chatroomOf(rev, readSeq);
  stores.rooms.getState().setEntry('room', { status: 'ready', room, isLoadingOlder: false });
}

const listed = () => stores.chats.getState().chats[0]?.unread;
const shown = () => {
  const entry = stores.rooms.getState().rooms['room'];
  return entry?.status === 'ready' ? entry.room.unread : undefined;
};
/** Another device reads up to a position. */
const read = (rev: number, memberRev: number, readSeq: number) =>
  handlers.chat(stateOf(rev, { memberRev, readSeq, unreadMessagesCount: rev - readSeq }));
const presence = () => stores.activity.getState().presence;
const known = (): Chat | undefined => findChat(stores.chats.getState(), 'room');
/** What the stores know of chats. */
let states: ChatStates;
const recordRev = vi.fn<(chatroomId: string, rev: number) => void>();

beforeEach(() => {
  vi.clearAllMocks();
  stored = undefined;
  const platform = createHeadlessPlatform();
  const { store: outbox } = createAdasOutbox();
  const { signal } = new AbortController();
  stores = createClientStores(platform, 'Ada', Promise.resolve(undefined), outbox, signal);
  states = createChatStates({
    stores,
    chatList,
    chatroomLoader: { open: async () => undefined, requestResync: () => undefined },
    copy,
    announcer,
    signal: new AbortController().signal,
  });
  handlers = createEventHandlers({
    stores,
    username: 'Ada',
    events: {},
    chatList,
    chatroomLoader: { recordRev, requestResync: () => undefined },
    copy,
    resyncCopy,
    states,
    outbox: { flushChat: () => undefined },
    announcer,
    deliveries,
    activity,
    notificationPreferences: { apply: () => undefined },
  });
});

test('applies read positions of other devices', () => {
  list(3, 2);
  load(3, 1);
  read(3, 1, 3);
  expect([listed(), shown()]).toEqual([0, 0]);
  expect(recordRev).toHaveBeenCalledExactlyOnceWith('room', 3);
  expect(chatList.request).not.toHaveBeenCalled();
});

test('a read position does not hide newer messages', () => {
  // Both events were queued during the resync, which already included the message.
  list(4, 1, { readSeq: 3, memberRev: 1 });
  load(4, 3);
  read(3, 1, 3);
  handlers.message(message(4));
  expect([listed(), shown()]).toEqual([1, 1]);
  expect(chatList.request).not.toHaveBeenCalled();
});

test('a state that arrives before its message does not count it twice', () => {
  list(3, 0);
  load(3, 3);
  handlers.chat(stateOf(4, { readSeq: 3, unreadMessagesCount: 1 }));
  handlers.message(message(4));
  expect([listed(), shown()]).toEqual([1, 1]);
  expect(chatList.request).not.toHaveBeenCalled();
});

test('a state that arrives before its message does not count it twice among messages that are not loaded', () => {
  list(4, 4);
  const { messages, ...room } = chatroomOf(4, 0);
  const loaded = { ...room, messages: messages.slice(-1), hasMore: true };
  stores.rooms
    .getState()
    .setEntry('room', { status: 'ready', room: loaded, isLoadingOlder: false });
  handlers.chat(stateOf(5, { memberRev: 1, unreadMessagesCount: 5 }));
  handlers.message(message(5));
  expect([listed(), shown()]).toEqual([5, 5]);
});

test.each([true, false])(
  'an edit that arrives after the state that hides its message does not show it again, loaded: %s',
  (isLoaded) => {
    list(2, 0);
    if (isLoaded) load(2, 2);
    else stored = chatroomOf(2, 2);
    const roomNow = () => findLoadedChatroom(stores.rooms.getState(), 'room') ?? stored;
    handlers.chat(stateOf(2, { rev: 3, memberRev: 1, clearedSeq: 2, readSeq: 2 }));
    handlers['message-update']({ updatedMessage: { ...message(2), content: 'edited', rev: 3 } });
    expect(roomNow()?.messages).toEqual([]);
  },
);

test('an outdated read position does not undo a newer one', () => {
  list(3, 3);
  load(3, 0);
  read(3, 2, 3);
  read(3, 1, 1);
  expect([listed(), shown()]).toEqual([0, 0]);
});

test('changes the list by messages, edits and reactions without a request', () => {
  list(1, 0);
  const reaction: LastReaction = {
    messageId: 'm1',
    emoji: '👍',
    content: 'text 1',
    kind: 'text',
    createdAt: '2025-03-20T09:00:00.000Z',
  };
  handlers.message(message(2));
  expect(known()).toMatchObject({ rev: 2, unread: 1, last: { content: 'text 2' } });
  handlers['message-update']({ updatedMessage: { ...message(2), content: 'edited', rev: 3 } });
  expect(known()).toMatchObject({ rev: 3, unread: 1, last: { content: 'edited' } });
  handlers['message-update']({ updatedMessage: { ...message(1), rev: 4 } });
  handlers.reaction({ chatroom: 'room', rev: 4, reaction, isOn: true });
  expect(known()).toMatchObject({ rev: 4, reaction });
  handlers['message-update']({ updatedMessage: { ...message(1), rev: 5 } });
  handlers.reaction({ chatroom: 'room', rev: 5, reaction, isOn: false });
  expect(known()).not.toHaveProperty('reaction');
  handlers['message-delete']({
    deletedMessage: { _id: 'm2', chatroom: 'room', seq: 2, rev: 6 },
  });
  handlers.chat(createChatState({ rev: 6, readSeq: 1 }, { ...message(1), rev: 6 }));
  expect(known()).toMatchObject({ rev: 6, unread: 0, last: { content: 'text 1' } });
  expect(chatList.request).not.toHaveBeenCalled();
});

test('requests the list after missed changes, and for a chat that is not known', () => {
  list(1, 0);
  handlers.message(message(3));
  expect(known()?.rev).toBe(1);
  expect(chatList.request).toHaveBeenCalledTimes(1);
  handlers['message-update']({ updatedMessage: { ...message(1), rev: 4 } });
  expect(chatList.request).toHaveBeenCalledTimes(2);
  handlers.message({ ...message(1), chatroom: 'unknown' });
  expect(chatList.request).toHaveBeenCalledTimes(3);
});

test('does not show a reaction of a state that is not known', () => {
  list(3, 0);
  const reaction: LastReaction = {
    messageId: 'm1',
    emoji: '👍',
    content: 'text 1',
    kind: 'text',
    createdAt: '2025-03-20T09:00:00.000Z',
  };
  // It was taken back in the meantime.
  handlers.chat(stateOf(3, { rev: 5, readSeq: 3 }));
  handlers.reaction({ chatroom: 'room', rev: 4, reaction, isOn: true });
  expect(known()).not.toHaveProperty('reaction');
});

test('applies the settings, receipts and the account of the partner', () => {
  list(3, 0);
  load(3, 3);
  const receipt = { partnerDeliveredSeq: 3, partnerReadSeq: 2 };
  const settings = { isPinned: true };
  handlers.chat(stateOf(3, { memberRev: 2, readSeq: 3, settings, ...receipt }));
  handlers.chat(stateOf(3, { memberRev: 1, readSeq: 3 }));
  expect(known()).toMatchObject({ settings, receipt: { deliveredSeq: 3, readSeq: 2 } });
  const { setPresence } = stores.activity.getState();
  setPresence({ room: { isOnline: true }, other: { isOnline: true } });
  const gone = { memberRev: 3, readSeq: 3, usernames: [], isDeletedAccount: true };
  handlers.chat(createChatState({ rev: 3, ...gone }));
  expect(known()).toMatchObject({ isDeleted: true, last: null, unread: 0 });
  expect(stores.rooms.getState().rooms['room']).toMatchObject({
    room: { partnerName: 'deletedUser', messages: [] },
  });
  expect(presence()).toEqual({ other: { isOnline: true } });
});

test('applies a state to a stored chatroom that is not in memory', () => {
  list(3, 3, { readSeq: 0 });
  stored = chatroomOf(3, 0);
  read(3, 1, 3);
  expect(stored).toMatchObject({ readSeq: 3, unread: 0, memberRev: 1 });
});

test('reports a request once, and never its later messages', () => {
  for (const seq of [1, 2]) handlers.message({ ...message(seq), isRequest: true });
  expect(announcer.announceMessage.mock.calls).toEqual([[message(1), true]]);
  list(2, 0, { status: 'request' });
  handlers.message({ ...message(3), isRequest: true });
  expect(announcer.announceMessage).toHaveBeenCalledOnce();
  // The user deletes the request, and the partner writes again.
  handlers.chat(createChatState({ rev: 3, memberRev: 1, status: 'none', clearedSeq: 3 }));
  handlers.message({ ...message(4), isRequest: true });
  expect(announcer.announceMessage).toHaveBeenCalledTimes(2);
  handlers.message(message(5));
  expect(announcer.announceMessage).toHaveBeenLastCalledWith(message(5), false);
});

test('does not report a message that arrives after its sender was blocked', () => {
  stores.shown.rooms.setState({ rooms: { room: { status: 'missing', isHidden: true } } });
  handlers.message(message(1));
  expect(announcer.announceMessage).not.toHaveBeenCalled();
  // A declined partner may write again.
  handlers.message({ ...message(2), isRequest: true });
  expect(announcer.announceMessage).toHaveBeenCalledOnce();
});

test('reports the first message after the user has deleted the chat once, also after missed changes', () => {
  list(3, 0);
  load(3, 3);
  const deleted = { memberRev: 1, clearedSeq: 3, ownClearedSeq: 3, isRemoved: true } as const;
  handlers.chat(createChatState({ ...deleted, rev: 3, readSeq: 3 }));
  expect(isHidden(stores.shown.rooms.getState(), 'room')).toBe(true);
  // Revision 4 was an edit of a message that no longer exists for the user.
  handlers.message({ ...message(4), rev: 5 });
  expect(announcer.announceMessage.mock.calls).toEqual([[{ ...message(4), rev: 5 }, false]]);
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
  expect(announcer.announceReaction.mock.calls).toEqual([['room', reaction]]);
  expect(announcer.announceMessage).not.toHaveBeenCalled();
});

test('reports an accepted invitation in a chat that is new or known', () => {
  vi.useFakeTimers({ now: Date.parse('2025-03-20T09:00:01.000Z') });
  onTestFinished(() => void vi.useRealTimers());
  const settings = { isMarkedUnread: true };
  const invitationAcceptedAt = '2025-03-20T09:00:00.000Z';
  const told = (chatId: string, changes: Partial<ChatState> = {}) =>
    createChatState({ chatId, settings, invitationAcceptedAt, ...changes });
  // The list that is loading may contain them. One that was accepted long before is not new.
  handlers.chat(told('early'));
  handlers.chat(told('before', { invitationAcceptedAt: '2025-03-19T09:00:00.000Z' }));
  list(3, 0);
  handlers.chat(stateOf(3, { memberRev: 1, settings, invitationAcceptedAt }));
  handlers.chat(stateOf(3, { memberRev: 2, settings: {}, invitationAcceptedAt }));
  handlers.chat(stateOf(3, { memberRev: 3, settings, invitationAcceptedAt }));
  handlers.chat(told('new'));
  handlers.chat(told('opened elsewhere', { settings: {} }));
  const reported = announcer.announceInvitation.mock.calls.map(([{ id }]) => id);
  expect([...new Set(reported)]).toEqual(['early', 'room', 'new']);
});

test('keeps a stored chatroom without holes if messages were missed', () => {
  const seqs = () => stored?.messages.map(({ seq }) => seq);
  stored = chatroomOf(2, 1);
  handlers.message(message(4));
  handlers['message-update']({ updatedMessage: { ...message(3), rev: 5 } });
  expect(seqs()).toEqual([1, 2]);
  expect(resyncCopy).toHaveBeenCalledTimes(2);
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
  expect(resyncCopy).not.toHaveBeenCalled();
});

test('does not report a message of a blocked chat that is no longer in memory', () => {
  list(3, 1, { status: 'undecided' });
  handlers.chat(stateOf(5, { memberRev: 1, status: 'blocked' }));
  stores.rooms.getState().removeEntry('room');
  // Sent before the block.
  handlers.message({ ...message(4), isUndecided: true });
  handlers.message(message(5));
  expect(announcer.announceMessage).not.toHaveBeenCalled();
});

test('announces a message after a state of the chat that contains it', () => {
  list(3, 0);
  states.apply(toChat(stateOf(4, { memberRev: 1, readSeq: 3, unreadMessagesCount: 1 })));
  handlers.message(message(4));
  expect(announcer.announceMessage.mock.calls.map(([{ seq }]) => seq)).toEqual([4]);
  // It was read by the time it arrived.
  states.apply(toChat(stateOf(5, { memberRev: 2, readSeq: 5 })));
  handlers.message(message(5));
  expect(announcer.announceMessage).toHaveBeenCalledOnce();
});

test('shows the presence that the server tells, the complete list in place of everything before', () => {
  const offline = { isOnline: false, lastSeenAt: '2025-03-01T09:30:00.000Z' };
  handlers.presence({ rooms: { a: { isOnline: true }, b: offline }, isComplete: true });
  handlers.presence({ rooms: { a: offline }, isComplete: false });
  expect(presence()).toEqual({ a: offline, b: offline });
  handlers.presence({ rooms: { a: null }, isComplete: false });
  expect(presence()).toEqual({ b: offline });
  handlers.presence({ rooms: { c: { isOnline: true } }, isComplete: true });
  expect(presence()).toEqual({ c: { isOnline: true } });
});
