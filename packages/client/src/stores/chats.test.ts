import type { ChatState } from '@parley/contract';
import { beforeEach, describe, expect, test } from 'vitest';
import { createChatState } from '../../test/create-chat-state.ts';
import { toChat, withRead, type Chat } from './chat-list.ts';
import { createChatsStore, findChat, getKnownChats } from './chats.ts';

let store: ReturnType<typeof createChatsStore>;

beforeEach(() => {
  store = createChatsStore();
});

const chat = (chatId: string, changes: Partial<ChatState> = {}): Chat =>
  toChat(createChatState({ chatId, rev: 5, memberRev: 5, ...changes }));

const state = () => store.getState();
/** The ids of the list, sorted. */
const ids = (): string[] =>
  state()
    .chats.map(({ id }) => id)
    .toSorted();
const find = (id: string): Chat | undefined => findChat(state(), id);

/** Requests the list, and returns a function that lets the response arrive. */
function request(): (...incoming: Chat[]) => void {
  const before = getKnownChats(state());
  return (...incoming) => state().setFetched(incoming, before);
}

describe('a chat', () => {
  test('is unlisted until the list is loaded, and then listed', () => {
    state().setChat(chat('a'));
    expect([state().status, ids()]).toEqual(['loading', []]);
    expect(find('a')?.rev).toBe(5);
    request()(chat('a'), chat('b'));
    expect([state().status, ids()]).toEqual(['ready', ['a', 'b']]);
    expect(state().unlisted).toEqual({});
    expect(findChat(state(), 'unknown')).toBeUndefined();
  });

  test('leaves the list when it is blocked or declined, and returns to it', () => {
    request()(chat('a'), chat('b'));
    for (const status of ['blocked', 'none'] as const) {
      state().setChat(chat('a', { status }));
      expect(ids()).toEqual(['b']);
      expect(find('a')?.status).toBe(status);
    }
    state().setChat(chat('a', { status: 'request' }));
    expect(ids()).toEqual(['a', 'b']);
    expect(state().unlisted).toEqual({});
  });

  test('that stays as it is notifies no subscriber', () => {
    const [a, b] = [chat('a'), chat('b', { status: 'blocked' })];
    request()(a);
    state().setChat(b);
    const before = state();
    state().setChat(a);
    state().setChat(b);
    expect(state()).toBe(before);
    state().setChat(chat('b', { status: 'none' }));
    expect(state().chats).toBe(before.chats);
  });
});

describe("the server's list", () => {
  test('is sorted, and keeps the identity of chats that have not changed', () => {
    request()(chat('a'), chat('b'));
    const before = state().chats;
    const time = '2025-03-21T09:00:00.000Z';
    request()(chat('a'), chat('c', { activeAt: time }), chat('b', { memberRev: 6 }));
    expect(state().chats[0]?.id).toBe('c');
    expect(ids()).toEqual(['a', 'b', 'c']);
    expect(before).toContain(find('a'));
    expect(find('b')?.memberRev).toBe(6);
  });

  test('does not undo what arrived since the request', () => {
    request()(chat('a'), chat('read'), chat('blocked'), chat('declined'));
    const respond = request();
    const settings = { isPinned: true };
    state().setChat(chat('a', { rev: 6, unreadMessagesCount: 1 }));
    state().setChat(chat('read', { memberRev: 6, settings, partnerDeliveredSeq: 3 }));
    state().setChat(chat('blocked', { memberRev: 6, status: 'blocked' }));
    state().setChat(chat('declined', { memberRev: 6, status: 'none' }));
    state().setChat(chat('new'));
    respond(
      chat('a', { memberRev: 6, settings }),
      chat('read', { rev: 6, unreadMessagesCount: 1 }),
      chat('blocked'),
      chat('declined'),
    );
    expect(ids()).toEqual(['a', 'new', 'read']);
    expect(find('a')).toMatchObject({ rev: 6, memberRev: 6, unread: 1, settings });
    expect(find('read')).toMatchObject({ rev: 6, memberRev: 6, unread: 1, settings });
    expect(find('read')?.receipt).toEqual({ deliveredSeq: 3, readSeq: 0 });
    expect(find('blocked')?.status).toBe('blocked');
    expect(find('declined')?.status).toBe('none');
  });

  test('does not undo what arrived since the first request', () => {
    const respond = request();
    state().setChat(chat('a', { memberRev: 6, status: 'blocked' }));
    state().setChat(chat('b', { rev: 6 }));
    respond(chat('a'), chat('b'));
    expect(ids()).toEqual(['b']);
    expect(find('b')?.rev).toBe(6);
  });

  test('does not show messages as unread that were read here since the request', () => {
    const unread = chat('a', { unreadMessagesCount: 3 });
    request()(unread);
    const respond = request();
    state().setChat(withRead(unread, 3));
    respond(chat('a', { unreadMessagesCount: 3 }));
    expect(find('a')).toMatchObject({ readSeq: 3, unread: 0 });
  });

  test('does not contain chats that have vanished since, but keeps blocked and declined ones', () => {
    request()(chat('a'), chat('b'), chat('c'), chat('d'));
    state().setChat(chat('c', { status: 'blocked' }));
    state().setChat(chat('d', { status: 'none' }));
    request()(chat('a'));
    expect(ids()).toEqual(['a']);
    expect(find('b')).toBeUndefined();
    expect(Object.keys(state().unlisted)).toEqual(['c', 'd']);
  });

  test('contains blocked and declined chats again once it is newer', () => {
    request()(chat('a'), chat('b'));
    state().setChat(chat('a', { memberRev: 6, status: 'blocked' }));
    state().setChat(chat('b', { memberRev: 6, status: 'none' }));
    request()(chat('a', { memberRev: 7 }), chat('b', { rev: 6, memberRev: 6, status: 'request' }));
    expect(ids()).toEqual(['a', 'b']);
    expect(state().unlisted).toEqual({});
  });

  test('of a restored backup replaces newer chats that were known at the request', () => {
    request()(
      chat('rev', { unreadMessagesCount: 2 }),
      chat('member', { settings: { isPinned: true } }),
    );
    state().setChat(chat('blocked', { status: 'blocked' }));
    const respond = request();
    // A response to an earlier request.
    state().setChat(chat('rev', { rev: 6, unreadMessagesCount: 3 }));
    respond(
      chat('rev', { rev: 3, unreadMessagesCount: 1 }),
      chat('member', { memberRev: 3 }),
      chat('blocked', { rev: 3, memberRev: 3 }),
    );
    expect(find('rev')).toMatchObject({ rev: 3, unread: 1 });
    expect(find('member')).toMatchObject({ memberRev: 3, settings: {} });
    expect(ids()).toEqual(['blocked', 'member', 'rev']);
  });
});

test('the quiet request of an ended account is not listed', () => {
  const quiet = chat('a', { status: 'request' });
  const ended = chat('a', { memberRev: 6, status: 'request', isDeletedAccount: true });
  request()(quiet);
  state().setChat(ended);
  expect(state().chats).toEqual([]);
  state().setChat(chat('a', { memberRev: 7, isDeletedAccount: true }));
  expect(ids()).toEqual(['a']);
});

describe('the list of the offline copy', () => {
  test('is shown until the list is loaded, and never after it', () => {
    state().setFromCopy([chat('a'), chat('b')]);
    expect([state().status, state().isFromCopy, ids()]).toEqual(['ready', true, ['a', 'b']]);
    request()(chat('a'));
    expect([state().isFromCopy, ids()]).toEqual([false, ['a']]);
    state().setFromCopy([chat('a'), chat('b')]);
    expect([state().isFromCopy, ids()]).toEqual([false, ['a']]);
  });

  test('does not undo what arrived before it', () => {
    state().setChat(chat('a', { rev: 6, unreadMessagesCount: 1 }));
    state().setChat(chat('b', { memberRev: 6, status: 'blocked' }));
    state().setChat(chat('new'));
    state().setFromCopy([chat('a'), chat('b')]);
    expect(ids()).toEqual(['a', 'new']);
    expect(find('a')).toMatchObject({ rev: 6, unread: 1 });
    expect(find('b')?.status).toBe('blocked');
  });

  test('is replaced by a list that was requested before it was shown', () => {
    const respond = request();
    state().setFromCopy([chat('a'), chat('vanished'), chat('restored')]);
    state().setChat(chat('a', { rev: 6 }));
    state().setChat(chat('new'));
    respond(chat('a'), chat('restored', { rev: 2, memberRev: 2 }));
    expect(ids()).toEqual(['a', 'new', 'restored']);
    expect(find('a')?.rev).toBe(6);
    expect(find('restored')).toMatchObject({ rev: 2, memberRev: 2 });
  });
});

test('a failure is shown only while there is no list', () => {
  state().setFailed('offline');
  expect(state()).toMatchObject({ status: 'error', error: 'offline' });
  state().setLoading();
  expect(state().status).toBe('loading');
  request()(chat('a'));
  expect(state()).toMatchObject({ status: 'ready', error: undefined });
  state().setFailed('offline');
  state().setLoading();
  expect(state()).toMatchObject({ status: 'ready', error: 'offline' });
  expect(ids()).toEqual(['a']);
});
