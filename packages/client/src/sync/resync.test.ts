import type { Changes, ChatState } from '@parley/contract';
import { beforeEach, expect, test, vi } from 'vitest';
import { createApiClient } from '../api/client.ts';
import { createHeadlessPlatform } from '../headless-platform.ts';
import { createAdasOutbox } from '../../test/create-adas-outbox.ts';
import { createMessage } from '../../test/create-message.ts';
import { createChatState } from '../../test/create-chat-state.ts';
import { toChat, type Chat } from '../stores/chat-list.ts';
import { createClientStores, type ClientStores } from '../client-stores.ts';
import { quoteOf } from '../stores/quotes.ts';
import { findLoadedChatroom } from '../stores/loaded-chatrooms.ts';
import { resyncChatrooms } from './resync.ts';

let stores: ClientStores;
const applyChat = vi.fn<(chat: Chat) => void>();

/** A part of the changes of the chatroom. */
interface Part extends Partial<Pick<Changes['rooms'][number], 'updated' | 'deleted'>> {
  rev: number;
  chat?: Partial<ChatState>;
}

/** Loads a chatroom with three messages. */
function load(readSeq: number): void {
  const room = {
    id: 'room',
    memberRev: 0,
    status: 'accepted' as const,
    partnerName: 'Bob',
    currentUsername: 'Ada',
    messages: [1, 2, 3].map((seq) => createMessage(seq)),
    hasMore: false,
    rev: 3,
    readSeq,
    unread: 3 - readSeq,
    deletedRevs: new Map(),
    changedElsewhere: new Map(),
    loadedRev: 0,
  };
  stores.rooms.getState().setEntry('room', { status: 'ready', room, isLoadingOlder: false });
}

/** Resyncs with responses that each contain a part of the changes; the last one is repeated. */
function resync(...parts: Part[]) {
  const left = [...parts];
  const api = createApiClient({
    origin: 'http://localhost',
    fetch: async () => {
      const part = left.length > 1 ? left.shift() : left[0];
      if (!part) throw new Error('no response');
      const { rev, chat, ...changed } = part;
      const state = createChatState({ rev, ...chat }, createMessage(rev));
      const room = { chat: state, rev, updated: [], deleted: [], ...changed };
      return Response.json({ rooms: [room], gone: [], hasMore: parts.length > 1 });
    },
  });
  return resyncChatrooms({ api, stores, applyChat });
}

beforeEach(() => {
  vi.clearAllMocks();
  const platform = createHeadlessPlatform();
  const { store: outbox } = createAdasOutbox();
  const { signal } = new AbortController();
  stores = createClientStores(platform, 'Ada', Promise.resolve(undefined), outbox, signal);
});

const loaded = () => findLoadedChatroom(stores.rooms.getState(), 'room');

test('fetches changes in parts until the server sends no more', async () => {
  load(3);
  const part = (rev: number): Part => ({
    rev,
    chat: { rev: 6, readSeq: 3, unreadMessagesCount: 3 },
    updated: [createMessage(rev)],
  });
  // The last part again, although the server says that there are more.
  await resync(part(4), part(5), part(6), part(6));
  expect(findLoadedChatroom(stores.rooms.getState(), 'room')).toMatchObject({
    rev: 6,
    messages: [1, 2, 3, 4, 5, 6].map((seq) => ({ seq })),
  });
});

test('applies the state of the chat before its messages', async () => {
  load(3);
  const unread: number[] = [];
  applyChat.mockImplementation(() => unread.push(loaded()?.messages.length ?? 0));
  const chat = { memberRev: 2, readSeq: 3, unreadMessagesCount: 1 };
  await resync({ rev: 4, chat, updated: [createMessage(4)] });
  expect(applyChat).toHaveBeenCalledExactlyOnceWith(
    expect.objectContaining({ id: 'room', rev: 4, memberRev: 2, unread: 1 }),
    undefined,
  );
  expect(unread).toEqual([3]);
  expect(loaded()).toMatchObject({ rev: 4, memberRev: 2, readSeq: 3, unread: 1 });
});

test('applies the state of a chat that was blocked elsewhere', async () => {
  load(3);
  const known = toChat(createChatState({}, createMessage(3)));
  stores.chats.getState().setFetched([known], new Map());
  await resync({ rev: 3, chat: { memberRev: 1, readSeq: 3, status: 'blocked' } });
  const blocked = expect.objectContaining({ status: 'blocked' });
  expect(applyChat).toHaveBeenCalledExactlyOnceWith(blocked, known);
  expect(loaded()).toMatchObject({ memberRev: 1, status: 'blocked' });
});

test('reports a chatroom whose state on the server is older, as of a restored backup', async () => {
  load(3);
  expect(await resync({ rev: 2 })).toEqual(new Set(['room']));
  stores.rooms.getState().update('room', (room) => ({ ...room, memberRev: 2 }));
  expect(await resync({ rev: 3, chat: { memberRev: 1 } })).toEqual(new Set(['room']));
  expect(await resync({ rev: 3, chat: { memberRev: 2 } })).toEqual(new Set());
});

test('removes what the partner wrote before the user declined a request elsewhere', async () => {
  load(3);
  const chat = { memberRev: 1, readSeq: 2, clearedSeq: 2, unreadMessagesCount: 2 };
  expect(await resync({ rev: 4, chat, updated: [createMessage(4)] })).toEqual(new Set());
  expect(loaded()?.messages.map(({ seq }) => seq)).toEqual([3, 4]);
});

test('updates the remembered quotes of messages that are not loaded', async () => {
  load(3);
  const { quotes } = stores;
  for (const seq of [4, 5]) quotes.getState().remember(quoteOf(createMessage(seq)));
  const edited = { ...createMessage(4), content: 'edited', rev: 6 };
  const deleted = { _id: 'm5', chatroom: 'room', seq: 5, rev: 7 };
  await resync({ rev: 7, chat: { readSeq: 3 }, updated: [edited], deleted: [deleted] });
  expect(quotes.getState().quotes).toMatchObject({
    m4: { content: 'edited' },
    m5: { content: '', isDeleted: true },
  });
});
