import { beforeEach, expect, test } from 'vitest';
import type { StoreApi } from 'zustand/vanilla';
import { createAdasOutbox } from '../../test/create-adas-outbox.ts';
import { createMessage } from '../../test/create-message.ts';
import type { NewChange } from '../outbox/changes/change.ts';
import { chatStatus, type ChatDecision } from '../outbox/changes/chat-status.ts';
import { deletion } from '../outbox/changes/deletion.ts';
import { edit } from '../outbox/changes/edit.ts';
import { reaction } from '../outbox/changes/reaction.ts';
import { readPosition } from '../outbox/changes/read-position.ts';
import type { OutboxState } from '../outbox/outbox-store.ts';
import type { LoadedChatroom } from '../stores/loaded-chatroom.ts';
import { createChatroomsStore, findLoadedChatroom } from '../stores/loaded-chatrooms.ts';
import { quoteOf } from '../stores/quotes.ts';
import { createShownChatroomsStore } from './shown-chatrooms.ts';

const THUMB = '👍';
const LATER = '2025-03-20T10:00:00.000Z';

let rooms: ReturnType<typeof createChatroomsStore>;
let outbox: StoreApi<OutboxState>;
let shown: ReturnType<typeof createShownChatroomsStore>;

beforeEach(() => {
  rooms = createChatroomsStore();
  outbox = createAdasOutbox().store;
  shown = createShownChatroomsStore(rooms, outbox, new AbortController().signal);
});

function load(changes: Partial<LoadedChatroom> = {}): void {
  const room: LoadedChatroom = {
    id: 'room',
    memberRev: 0,
    status: 'accepted',
    partnerName: 'Bob',
    currentUsername: 'Ada',
    messages: [1, 2, 3].map((seq) => createMessage(seq)),
    hasMore: false,
    rev: 3,
    readSeq: 3,
    unread: 0,
    deletedRevs: new Map(),
    changedElsewhere: new Map(),
    loadedRev: 0,
    ...changes,
  };
  rooms.getState().setEntry(room.id, { status: 'ready', room, isLoadingOlder: false });
}

const add = (...changes: NewChange[]): void => changes.forEach(outbox.getState().addChange);
const room = () => findLoadedChatroom(shown.getState(), 'room');
const contents = () => room()?.messages.map(({ content }) => content);
const react = (messageId: string, isOn: boolean, emoji = THUMB): void =>
  add(reaction.create('room', { messageId, emoji, isOn }));
const reactions = () => room()?.messages[0]?.reactions;

test('edits and deletions that wait are shown, also in quotes, and no longer once they are refused', () => {
  const messages = [
    createMessage(1),
    createMessage(2, { replyTo: quoteOf(createMessage(1)) }),
    createMessage(3, { replyTo: quoteOf(createMessage(2)) }),
  ];
  load({ messages });
  add(
    edit.create('room', { messageId: 'm1', seq: 1, content: 'new', updatedAt: LATER }),
    deletion.create('room', { messageId: 'm2', seq: 2, before: null }),
    edit.create('other', { messageId: 'm3', seq: 3, content: 'other', updatedAt: LATER }),
  );
  expect(contents()).toEqual(['new', 'text 3']);
  expect(room()?.messages[0]?.updatedAt).toBe(LATER);
  expect(room()?.messages[1]?.replyTo).toMatchObject({ isDeleted: true, content: '' });
  const [first, second] = outbox.getState().changes;
  if (second) outbox.getState().settleChange(second);
  expect(room()?.messages[1]).toMatchObject({ replyTo: { content: 'new' } });
  if (first) outbox.getState().settleChange(first);
  expect(room()).toMatchObject({ messages });
});

test('the latest text of the user is shown over one that arrives meanwhile', () => {
  load();
  add(edit.create('room', { messageId: 'm1', seq: 1, content: 'here', updatedAt: LATER }));
  const elsewhere = createMessage(1, { content: 'elsewhere', rev: 4 });
  load({ messages: [elsewhere, createMessage(2), createMessage(3)], rev: 4 });
  expect(contents()).toEqual(['here', 'text 2', 'text 3']);
});

test('reactions that wait come after the others, and those taken back disappear', () => {
  load();
  react('m1', true);
  expect(reactions()).toEqual([{ emoji: THUMB, usernames: ['Ada'] }]);
  load({ messages: [createMessage(1, { reactions: [{ emoji: THUMB, usernames: ['Bob'] }] })] });
  expect(reactions()).toEqual([{ emoji: THUMB, usernames: ['Bob', 'Ada'] }]);
  react('m1', false);
  expect(reactions()).toEqual([{ emoji: THUMB, usernames: ['Bob'] }]);
  load({ messages: [createMessage(1, { reactions: [{ emoji: THUMB, usernames: ['Ada'] }] })] });
  expect(reactions()).toBeUndefined();
  react('m1', true, '🙏');
  expect(reactions()).toEqual([{ emoji: '🙏', usernames: ['Ada'] }]);
});

test('what was read is not counted, but what arrives later is, also if not all is loaded', () => {
  load({ readSeq: 1, unread: 2 });
  add(readPosition.create('room', { seq: 3 }));
  expect(room()).toMatchObject({ readSeq: 3, unread: 0 });
  load({ messages: [1, 2, 3, 4].map((seq) => createMessage(seq)), readSeq: 1, unread: 3, rev: 4 });
  expect(room()).toMatchObject({ readSeq: 3, unread: 1 });
  load({ messages: [createMessage(9)], hasMore: true, readSeq: 1, unread: 8, rev: 9 });
  expect(room()).toMatchObject({ readSeq: 3, unread: 6 });
  // Another device has read more.
  load({ messages: [createMessage(9)], hasMore: true, readSeq: 7, unread: 2, rev: 9 });
  expect(room()).toMatchObject({ readSeq: 7, unread: 2 });
});

test.each<[ChatDecision, LoadedChatroom['status'], string]>([
  ['accept', 'request', 'accepted'],
  ['unblock', 'blocked', 'accepted'],
  ['decline', 'request', 'missing'],
  ['block', 'accepted', 'missing'],
  ['block', 'blocked', 'blocked'],
])('to %s is shown in a chatroom that is %s', (decision, status, expected) => {
  load({ status });
  add(chatStatus.create('room', { decision }));
  const entry = shown.getState().rooms['room'];
  expect(entry?.status === 'ready' ? entry.room.status : entry?.status).toBe(expected);
});

test('messages that wait are below the others, except drafts', () => {
  load();
  const entry = { content: 'hi', createdAt: LATER, to: { chatroomId: 'room' } };
  outbox.getState().add({ ...entry, clientId: 'a', state: 'waiting' });
  outbox.getState().add({ ...entry, clientId: 'b', state: 'draft' });
  outbox.getState().add({ ...entry, clientId: 'c', state: 'failed' });
  expect(room()?.unsent.map(({ clientId }) => clientId)).toEqual(['a', 'c']);
});

test('what does not change keeps its identity', () => {
  load();
  load({ id: 'other' });
  const before = shown.getState().rooms;
  add(readPosition.create('other', { seq: 3 }));
  react('unknown', true);
  add({ key: 'later:room', chatroomId: 'room', value: {} });
  react('m1', true);
  expect(shown.getState().rooms['other']).toEqual(before['other']);
  expect(room()?.messages[1]).toBe(findLoadedChatroom(rooms.getState(), 'room')?.messages[1]);
  const known = shown.getState();
  outbox.setState({ progress: { a: 0.5 } });
  add(readPosition.create('not loaded', { seq: 3 }));
  expect(shown.getState()).toBe(known);
});
