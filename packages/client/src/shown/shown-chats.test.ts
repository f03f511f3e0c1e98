import type { ChatSettings, ChatSettingsBody, Message } from '@parley/contract';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createStore, type StoreApi } from 'zustand/vanilla';
import { createAdasOutbox } from '../../test/create-adas-outbox.ts';
import { createChatState } from '../../test/create-chat-state.ts';
import { toChat, type Chat } from '../stores/chat-list.ts';
import { createChatsStore } from '../stores/chats.ts';
import type { DraftsState } from '../outbox/drafts.ts';
import type { OutboxState } from '../outbox/outbox-store.ts';
import { chatSettingsChange } from '../outbox/changes/chat-settings.ts';
import { selectTotalUnread } from './listed-chat.ts';
import { createShownChatsStore } from './shown-chats.ts';

const NOW = Date.parse('2025-03-20T10:00:00.000Z');
const HOUR = 60 * 60 * 1_000;
const at = (time: number): string => new Date(time).toISOString();

const last: Message = {
  _id: 'm3',
  chatroom: 'room',
  content: 'hi',
  sender: { username: 'Bob' },
  createdAt: at(NOW - HOUR),
  updatedAt: at(NOW - HOUR),
  seq: 3,
  rev: 3,
  kind: 'text',
};

const chat = (chatId: string, settings: ChatSettings = {}): Chat =>
  toChat(createChatState({ chatId, unreadMessagesCount: 2, settings }, last));
const setChats = (...all: Chat[]): void => chats.getState().setFetched(all, new Map());

let chats: ReturnType<typeof createChatsStore>;
let outbox: StoreApi<OutboxState>;
let drafts: StoreApi<Pick<DraftsState, 'drafts'>>;
let listed: ReturnType<typeof createShownChatsStore>;
let stopping: AbortController;

beforeEach(() => {
  vi.useFakeTimers({ now: NOW });
  chats = createChatsStore();
  outbox = createAdasOutbox().store;
  stopping = new AbortController();
  drafts = createStore(() => ({ drafts: {} }));
  listed = createShownChatsStore(chats, outbox, drafts, stopping.signal);
});
afterEach(() => {
  stopping.abort();
  vi.useRealTimers();
});

const find = (id: string) => listed.getState().chats.find((each) => each.id === id);
const ids = () => listed.getState().chats.map(({ id }) => id);
const want = (chatroomId: string, body: ChatSettingsBody) =>
  outbox.getState().addChange(chatSettingsChange.create(chatroomId, body));

test('shows a mute until it ends by the clock of the user', () => {
  const month = 31 * 24 * HOUR;
  setChats(
    chat('soon', { mutedUntil: at(NOW + 8 * HOUR) }),
    chat('later', { mutedUntil: at(NOW + month) }),
    chat('always', { mutedUntil: '9999-12-31T23:59:59.999Z' }),
    chat('over', { mutedUntil: at(NOW - 1) }),
    chat('corrupted', { mutedUntil: 'never' }),
    chat('loud'),
  );
  const muted = () =>
    ['soon', 'later', 'always', 'over', 'corrupted', 'loud'].filter((id) => find(id)?.isMuted);
  expect(muted()).toEqual(['soon', 'later', 'always']);
  expect(selectTotalUnread(listed.getState())).toBe(6);
  vi.advanceTimersByTime(8 * HOUR - 1);
  expect(muted()).toHaveLength(3);
  vi.advanceTimersByTime(1);
  expect(muted()).toEqual(['later', 'always']);
  expect(selectTotalUnread(listed.getState())).toBe(8);
  vi.advanceTimersByTime(month);
  expect(muted()).toEqual(['always']);
});

test('shows settings before the server has confirmed them, and reverts refused ones', () => {
  setChats(chat('c'), chat('b', { isPinned: true }), chat('a'));
  const before = listed.getState().chats;
  expect(before[0]).toBe(chats.getState().chats[0]);
  want('a', { isPinned: true, isArchived: false });
  want('b', { isPinned: false, isArchived: true, archivedSeq: 3 });
  want('c', { isMarkedUnread: true });
  want('c', { mutedUntil: at(NOW + HOUR) });
  outbox
    .getState()
    .addChange({ key: 'chat-settings:a:mute', chatroomId: 'a', value: { mutedUntil: 5 } });
  expect(ids()).toEqual(['a', 'c', 'b']);
  expect(find('b')).toMatchObject({ isArchived: true });
  expect(find('b')).not.toHaveProperty('isPinned');
  expect(find('c')).toMatchObject({ isMarkedUnread: true, isMuted: true });
  expect(selectTotalUnread(listed.getState())).toBe(2);
  const shown = find('c');
  want('a', { mutedUntil: null });
  expect(find('c')).toBe(shown);
  outbox.setState({ changes: [] });
  expect(listed.getState().chats).toEqual(before);
});

test('does not archive messages that the user did not know', () => {
  setChats(chat('a'), chat('b'));
  want('a', { isPinned: false, isArchived: true, archivedSeq: 2 });
  want('b', { mutedUntil: at(NOW + HOUR) });
  want('b', { isPinned: false, isArchived: true, archivedSeq: 2 });
  expect(find('a')).not.toHaveProperty('isArchived');
  expect(find('b')).toMatchObject({ isArchived: true });
});

test('shows a deleted chat without messages only while something unsent is in it', () => {
  const deleted = { isRemoved: true, clearedSeq: 3, ownClearedSeq: 3 } as const;
  setChats(chat('other'));
  chats.getState().setChat(toChat(createChatState({ chatId: 'empty', ...deleted })));
  chats.getState().setChat(toChat(createChatState({ chatId: 'blocked', status: 'blocked' })));
  expect(ids()).toEqual(['other']);
  const draft = { text: 'half a sentence', attachments: [] };
  drafts.setState({ drafts: { empty: draft, blocked: draft } });
  expect(ids()).toEqual(['other', 'empty']);
  drafts.setState({ drafts: {} });
  expect(ids()).toEqual(['other']);
  const entry = { content: 'hi', createdAt: at(NOW), to: { chatroomId: 'empty' } };
  outbox.getState().add({ ...entry, clientId: 'a', state: 'failed' });
  expect(ids()).toEqual(['other', 'empty']);
  outbox.getState().remove(['a']);
  expect(ids()).toEqual(['other']);
});
