import type { ChatState, Message } from '@parley/contract';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { createAdasOutbox } from '../../test/create-adas-outbox.ts';
import { createChatState } from '../../test/create-chat-state.ts';
import { createClientStores, type ClientStores } from '../client-stores.ts';
import { createHeadlessPlatform } from '../headless-platform.ts';
import { toChat, type Chat } from '../stores/chat-list.ts';
import { findChat, getKnownChats } from '../stores/chats.ts';
import { withNewestPage, type LoadedChatroom } from '../stores/loaded-chatroom.ts';
import { findLoadedChatroom, isHidden } from '../stores/loaded-chatrooms.ts';
import { createChatStates, type ChatStates } from './chat-states.ts';

let stores: ClientStores;
let states: ChatStates;
let stopping: AbortController;
/** The chatroom in the offline copy, if it is stored. */
let stored: LoadedChatroom | undefined;
const requestList = vi.fn<() => void>();
const requestResync = vi.fn<(chatroomId: string) => void>();
const open = vi.fn<(chatroomId: string) => Promise<void>>(async () => undefined);

const message = (seq: number, username = 'Bob'): Message => ({
  _id: `m${seq}`,
  chatroom: 'room',
  content: `text ${seq}`,
  sender: { username },
  createdAt: '2025-03-20T09:00:00.000Z',
  updatedAt: '2025-03-20T09:00:00.000Z',
  seq,
  rev: seq,
  kind: 'text',
});

/** Creates the state of the chat after three messages. */
const stateOf = (memberRev: number, changes: Partial<ChatState> = {}): ChatState =>
  createChatState({ memberRev, readSeq: 3, ...changes }, message(3));
const chatOf = (...args: Parameters<typeof stateOf>): Chat => toChat(stateOf(...args));

const chatroomOf = (state: ChatState): LoadedChatroom =>
  withNewestPage('room', {
    chat: state,
    chatroomMessages: [message(1), message(2, 'Ada'), message(3)],
    currentUsername: 'Ada',
    partnerName: 'Bob',
    unreadMessagesCount: state.unreadMessagesCount,
    volume: 'middle',
    hasMore: false,
  });

/** Loads the chatroom with three messages. */
function load(state = stateOf(0), options: { isFromCopy?: boolean } = {}): void {
  const room = chatroomOf(state);
  stores.rooms
    .getState()
    .setEntry('room', { status: 'ready', room, isLoadingOlder: false, ...options });
}

function list(...chats: Chat[]): void {
  const { chats: store } = stores;
  store.getState().setFetched(chats, getKnownChats(store.getState()));
}

/** Writes to Bob and in the chatroom without sending it. */
function writeUnsent(): void {
  stores.drafts.getState().change('room', { text: 'half a sentence' });
  stores.readingPositions.getState().setPosition('room', { key: 'm1', seq: 1, offset: 0 });
  const createdAt = '2025-03-20T09:00:00.000Z';
  const unsent = { content: 'hi', createdAt, state: 'waiting' } as const;
  const { add } = stores.outbox.getState();
  add({ ...unsent, clientId: '1', to: { chatroomId: 'room' } });
  add({ ...unsent, clientId: '2', to: { partnerName: 'BOB' } });
  add({ ...unsent, clientId: '3', to: { chatroomId: 'other' } });
  const chosen = stores.chosenImages.getState();
  chosen.add({ clientId: '4', chatroomId: 'room', name: 'a.png' });
  chosen.add({ clientId: '5', chatroomId: 'other', name: 'b.png' });
  chosen.setAwaited('room', true);
}

function expectNothingUnsent(): void {
  expect(stores.drafts.getState().drafts).toEqual({});
  expect(stores.readingPositions.getState().positions.size).toBe(0);
  expect(stores.outbox.getState().entries.map(({ clientId }) => clientId)).toEqual(['3']);
  expect(stores.chosenImages.getState()).toMatchObject({
    images: [{ clientId: '5' }],
    awaitedBy: [],
  });
}

const listed = (): string[] => stores.chats.getState().chats.map(({ id }) => id);
const known = (): Chat | undefined => findChat(stores.chats.getState(), 'room');
const loaded = (): LoadedChatroom | undefined =>
  findLoadedChatroom(stores.rooms.getState(), 'room');
const entry = () => stores.rooms.getState().rooms['room'];

const announceInvitation = vi.fn<(chat: Chat) => void>();

beforeEach(() => {
  vi.clearAllMocks();
  stopping = new AbortController();
  stored = undefined;
  const platform = createHeadlessPlatform();
  const { store: outbox } = createAdasOutbox();
  const { signal } = new AbortController();
  stores = createClientStores(platform, 'Ada', Promise.resolve(undefined), outbox, signal);
  states = createChatStates({
    stores,
    chatList: { request: requestList },
    chatroomLoader: { open, requestResync },
    copy: {
      updateChatroom: (_, change) => {
        stored &&= change(stored);
      },
    },
    announcer: { announceInvitation },
    signal: stopping.signal,
  });
});

afterEach(() => stopping.abort());

describe('a state of a chat', () => {
  test('is applied to the list and to the chatroom in memory, without a request', () => {
    list(chatOf(0, { readSeq: 1, unreadMessagesCount: 1 }));
    load(stateOf(0, { readSeq: 1, unreadMessagesCount: 1 }));
    stored = chatroomOf(stateOf(0));
    const before = stored;
    states.apply(chatOf(1));
    expect(known()).toEqual(chatOf(1));
    expect(loaded()).toMatchObject({ memberRev: 1, readSeq: 3, unread: 0 });
    // The copy follows the chatroom in memory.
    expect(stored).toBe(before);
    expect([requestList, requestResync].some(({ mock }) => mock.calls.length > 0)).toBe(false);
  });

  test('is applied to a stored chatroom that is not in memory', () => {
    list(chatOf(0));
    stored = chatroomOf(stateOf(0, { status: 'request' }));
    states.apply(chatOf(1));
    expect(stored).toMatchObject({ memberRev: 1, status: 'accepted' });
  });

  test('that is older changes nothing', () => {
    list(chatOf(2));
    load(stateOf(2));
    stored = chatroomOf(stateOf(2));
    const [chatBefore, chatroomBefore] = [known(), loaded()];
    states.apply(chatOf(1, { status: 'blocked' }));
    states.apply(chatOf(2, { rev: 2, status: 'request' }));
    expect(known()).toBe(chatBefore);
    expect(loaded()).toBe(chatroomBefore);
    expect(stored.status).toBe('accepted');
  });

  test('that another process of the server changed at the same time causes one request', () => {
    list(chatOf(0, { rev: 4 }));
    states.apply(chatOf(1, { settings: { isPinned: true } }));
    expect(known()).toMatchObject({ rev: 4, memberRev: 1, isPinned: true });
    expect(requestList).toHaveBeenCalledOnce();
    states.apply(chatOf(1, { rev: 4, settings: { isPinned: true } }));
    expect(requestList).toHaveBeenCalledOnce();
  });
});

describe('a blocked or declined chat', () => {
  test.each(['blocked', 'none'] as const)('is forgotten with everything unsent: %s', (status) => {
    list(chatOf(0));
    load();
    writeUnsent();
    states.apply(chatOf(1, { status }));
    expect(listed()).toEqual([]);
    expect(entry()).toEqual({ status: 'missing', isHidden: true });
    expectNothingUnsent();
  });

  test('is forgotten while it is not known, as before the first list', () => {
    writeUnsent();
    states.apply(chatOf(1, { status: 'blocked' }));
    expectNothingUnsent();
    list();
    expect(stores.drafts.getState().drafts).toEqual({});
  });

  test('is forgotten while the list comes from the copy', () => {
    stores.chats.getState().setFromCopy([chatOf(0)]);
    load();
    writeUnsent();
    states.apply(chatOf(1, { status: 'blocked' }));
    expect(listed()).toEqual([]);
    expect(isHidden(stores.rooms.getState(), 'room')).toBe(true);
    expectNothingUnsent();
    list();
    expect(isHidden(stores.rooms.getState(), 'room')).toBe(true);
  });

  test('stays open if the user has opened it as a blocked one', () => {
    list();
    stores.rooms.getState().setEntry('room', { status: 'loading' });
    states.apply(chatOf(1, { status: 'blocked' }));
    expect(entry()).toEqual({ status: 'loading' });
    load(stateOf(1, { status: 'blocked' }));
    states.apply(chatOf(2, { status: 'blocked', isDeletedAccount: true }));
    expect(loaded()).toMatchObject({ status: 'blocked', partnerName: 'deletedUser' });
  });

  test('stays open while it is shown from a copy from before the block', () => {
    load(stateOf(0), { isFromCopy: true });
    states.apply(chatOf(1, { status: 'blocked' }));
    expect(loaded()).toBeDefined();
  });

  test('is shown again and resynced once it is unblocked', () => {
    list(chatOf(0));
    states.apply(chatOf(1, { status: 'blocked' }));
    load(stateOf(1, { status: 'blocked' }));
    states.apply(chatOf(2));
    expect(listed()).toEqual(['room']);
    expect(loaded()?.status).toBe('accepted');
    expect(requestResync).toHaveBeenCalledExactlyOnceWith('room');
  });

  test('is loaded again when the partner writes, if it is shown', () => {
    list(chatOf(0, { status: 'request' }));
    load(stateOf(0, { status: 'request' }));
    states.apply(chatOf(1, { status: 'none' }));
    expect(isHidden(stores.rooms.getState(), 'room')).toBe(true);
    stores.view.setState({ chatroomId: 'room' });
    states.apply(chatOf(1, { rev: 4, status: 'request' }));
    expect(entry()).toBeUndefined();
    expect(open).toHaveBeenCalledExactlyOnceWith('room');
    expect(listed()).toEqual(['room']);
  });
});

describe('a chat that the user has deleted, and that has later messages', () => {
  const before = { isRemoved: true, clearedSeq: 2, ownClearedSeq: 2 } as const;
  const empty = (memberRev: number, changes: Partial<ChatState> = {}): Chat =>
    toChat(createChatState({ memberRev, rev: 4, readSeq: 3, ...before, ...changes }));
  const expectKept = (): void => {
    expect(listed()).toEqual([]);
    expect(loaded()).toMatchObject({ status: 'accepted' });
    expect(stores.drafts.getState().drafts).toMatchObject({ room: { text: 'half a sentence' } });
    expect(stores.outbox.getState().entries).toHaveLength(3);
    expect(stores.shown.chats.getState().chats.map(({ id }) => id)).toEqual(['room']);
  };

  beforeEach(() => {
    list(chatOf(0, before));
    load(stateOf(0, before));
    writeUnsent();
    stores.outbox.getState().change(['1'], { state: 'failed' });
  });

  test('keeps what is unsent and stays open once the partner has deleted these', () => {
    states.apply(empty(0));
    expectKept();
    states.apply(empty(1));
    expectKept();
  });

  test('is forgotten once the user deletes it again on another device', () => {
    states.apply(empty(0));
    states.apply(empty(1, { clearedSeq: 3, ownClearedSeq: 3 }));
    expect(entry()).toEqual({ status: 'missing', isHidden: true });
    expect(stores.drafts.getState().drafts).toEqual({});
    expect(stores.outbox.getState().entries.map(({ clientId }) => clientId)).toEqual(['2', '3']);
    expect(stores.shown.chats.getState().chats).toEqual([]);
  });

  test('keeps what is unsent when the list no longer contains it, until the reason is known', () => {
    list();
    expectKept();
    expect(requestResync).toHaveBeenCalledExactlyOnceWith('room');
    states.apply(empty(0));
    expectKept();
    states.apply(empty(1, { clearedSeq: 3, ownClearedSeq: 3 }));
    expect(entry()).toEqual({ status: 'missing', isHidden: true });
    expect(stores.drafts.getState().drafts).toEqual({});
  });

  test('is fetched when the list no longer contains it, and forgotten if it is missing', async () => {
    stores.rooms.getState().removeEntry('room');
    open.mockImplementationOnce(async (id) =>
      stores.rooms.getState().setEntry(id, { status: 'missing' }),
    );
    list();
    expect(open).toHaveBeenCalledExactlyOnceWith('room');
    await vi.waitFor(() => expect(stores.drafts.getState().drafts).toEqual({}));
    expect(stores.shown.chats.getState().chats).toEqual([]);
  });
});

describe("the server's list", () => {
  test('is applied to the chatrooms in memory', () => {
    load(stateOf(0, { status: 'request' }));
    list(chatOf(1));
    expect(loaded()).toMatchObject({ memberRev: 1, status: 'accepted' });
    list(chatOf(0, { status: 'request' }));
    expect(loaded()?.memberRev).toBe(1);
  });

  test('makes a chat that has vanished forget its draft, and resyncs its chatroom', () => {
    list(chatOf(0));
    load();
    stores.drafts.getState().change('room', { text: 'half a sentence' });
    list();
    expect(stores.drafts.getState().drafts).toEqual({});
    expect(requestResync).toHaveBeenCalledExactlyOnceWith('room');
  });

  test('makes drafts of chats disappear that no longer exist, but not those of first messages', async () => {
    open.mockImplementationOnce(async (id) =>
      stores.rooms.getState().setEntry(id, { status: 'missing' }),
    );
    stores.drafts.getState().change('room', { text: 'half a sentence' });
    stores.drafts.getState().change('new:bob', { text: 'Hello' });
    stores.chats.getState().setFromCopy([]);
    expect(Object.keys(stores.drafts.getState().drafts)).toHaveLength(2);
    list();
    const draftKeys = () => Object.keys(stores.drafts.getState().drafts);
    await vi.waitFor(() => expect(draftKeys()).toEqual(['new:bob']));
    expect(open).toHaveBeenCalledExactlyOnceWith('room');
  });
});

test('the list of the copy does not change the chatrooms in memory', () => {
  load();
  const before = loaded();
  stores.chats.getState().setFromCopy([chatOf(1, { status: 'request' })]);
  expect(loaded()).toBe(before);
});

test('announces an accepted invitation that a list shows first, until the user has opened the chat', () => {
  const { setFetched } = stores.chats.getState();
  const fetch = (changes: Partial<ChatState>) =>
    setFetched([toChat(createChatState(changes))], new Map());
  const at = '2025-03-01T10:00:00.000Z';
  const accepted = { invitationAcceptedAt: at, settings: { isMarkedUnread: true } };
  // It may have been announced before the start.
  fetch({ memberRev: 1, ...accepted });
  fetch({
    memberRev: 2,
    ...accepted,
    invitationAcceptedAt: '2025-03-02T10:00:00.000Z',
    settings: {},
  });
  expect(announceInvitation).not.toHaveBeenCalled();
  fetch({ memberRev: 3, ...accepted, invitationAcceptedAt: '2025-03-03T10:00:00.000Z' });
  fetch({ memberRev: 4, ...accepted, invitationAcceptedAt: '2025-03-03T10:00:00.000Z' });
  expect(announceInvitation).toHaveBeenCalledOnce();
  // The user looks at a blocked chat.
  states.apply(toChat(createChatState({ chatId: 'blocked', status: 'blocked', ...accepted })));
  expect(announceInvitation).toHaveBeenCalledOnce();
});
