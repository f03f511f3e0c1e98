import { isDeepStrictEqual } from 'node:util';
import type { Chatroom, ChatList, Message } from '@parley/contract';
import type { TestUser } from '@parley/server/test-server';
import { toChat } from '../../src/stores/chat-list.ts';
import type { Ledger, OrderScope } from './ledger.ts';
import type { Tab } from './tab.ts';

/** The participants of a history and the record of what they did. */
export interface HistoryState {
  readonly users: readonly TestUser[];
  readonly tabs: readonly Tab[];
  readonly ledger: Ledger;
}

/** The state on the server, as one user sees it. */
interface ServerState {
  readonly list: ChatList;
  readonly rooms: ReadonlyMap<string, Chatroom>;
}

/**
 * Compares the server with the ledger, and the tabs with the server.
 * @param from index of the first tab to compare: 0, or the index of the first fresh tab
 */
export async function findDifferences(state: HistoryState, from: number): Promise<string[]> {
  const problems: string[] = [];
  for (const user of state.users) {
    const expected = await readServerState(user);
    problems.push(...findServerProblems(state, user, expected));
    for (const [i, tab] of state.tabs.entries()) {
      if (tab.user !== user || i < from) continue;
      const found = [
        ...findTabProblems(tab, expected),
        ...findDraftProblems(tab, state.ledger, from > 0),
      ];
      problems.push(...found.map((problem) => `tab ${i}: ${problem}`));
    }
  }
  return problems;
}

function findDraftProblems(
  { client, chatroomId, browser, user }: Tab,
  ledger: Ledger,
  isFresh: boolean,
): string[] {
  if (!client || chatroomId === undefined || browser.hasFailed) return [];
  const expected = isFresh ? undefined : ledger.draftOf(user.username);
  const found = client.drafts.getState().drafts[chatroomId];
  return found === expected ? [] : [`the draft is "${found}", not "${expected}"`];
}

/**
 * Returns which messages of a user keep their order. After a failure of the storage, a page may
 * not know the messages of earlier loads and other tabs.
 */
function getOrderScope(tabs: readonly Tab[], username: string): OrderScope {
  const own = tabs.filter(({ user }) => user.username === username);
  const failed = own.find(({ browser }) => browser.hasFailed)?.browser;
  if (!failed) return 'user';
  return own.filter(({ browser }) => browser === failed).length > 1 ? 'none' : 'page';
}

function findServerProblems(
  { users, tabs, ledger }: HistoryState,
  user: TestUser,
  { list, rooms }: ServerState,
): string[] {
  const problems: string[] = [];
  const room = [...rooms.values()].find(({ partnerName }) =>
    users.some(({ username }) => username === partnerName),
  );
  const messages = room?.chatroomMessages ?? [];
  problems.push(...ledger.findProblems(messages, (username) => getOrderScope(tabs, username)));
  for (const tab of tabs) {
    if (tab.user === user && room && room.readSeq < tab.readSeq) {
      problems.push(`${user.username} read up to ${tab.readSeq}, not ${room.readSeq}`);
    }
  }
  for (const [id, { chatroomMessages, readSeq, unreadMessagesCount }] of rooms) {
    const unread = chatroomMessages.filter(
      ({ sender, seq }) => sender.username !== user.username && seq > readSeq,
    ).length;
    const listed = list.chatrooms.find(({ chatId }) => chatId === id)?.unreadMessagesCount;
    if (unread !== unreadMessagesCount || unread !== listed) {
      problems.push(`${unread} are unread, the server counts ${unreadMessagesCount}, ${listed}`);
    }
  }
  return problems;
}

const PLAIN = { 'accept-encoding': 'identity' };

async function readServerState(user: TestUser): Promise<ServerState> {
  const list = (await user.request('GET', '/api/chatrooms/chats', undefined, PLAIN))
    .body as ChatList;
  const rooms = new Map<string, Chatroom>();
  for (const { chatId } of list.chatrooms) {
    const path = `/api/chatrooms/chats/${chatId}?limit=200`;
    const response = await user.request('GET', path, undefined, PLAIN);
    rooms.set(chatId, response.body as Chatroom);
  }
  return { list, rooms };
}

/** Returns the differences between a tab and the server. */
function findTabProblems({ client, openedId }: Tab, server: ServerState): string[] {
  if (!client) return ['is signed out'];
  const problems: string[] = [];
  const { chats } = client.chats.getState();
  const expectedChats = server.list.chatrooms.map(toChat);
  if (!isDeepStrictEqual(chats, expectedChats)) {
    problems.push(`the list is ${JSON.stringify(chats)}, not ${JSON.stringify(expectedChats)}`);
  }
  for (const [id, entry] of Object.entries(client.rooms.getState().rooms)) {
    const room = server.rooms.get(id);
    if (entry.status === 'error' && id !== openedId) continue;
    if (entry.status !== 'ready' || !room) {
      problems.push(`a room is ${entry.status}`);
      continue;
    }
    const { messages, rev, readSeq, unread } = entry.room;
    const stored = messagesFrom(room.chatroomMessages, entry.room.hasMore ? messages[0]?.seq : 0);
    const isUnread = (readSeq: number) => (message: Message) =>
      message.seq > readSeq && message.sender.username !== client.username;
    // Compares the first unread message instead of the read position, because positions before and
    // after the user's own messages are equivalent.
    const shown = { rev, unread, firstUnread: messages.find(isUnread(readSeq))?.seq, messages };
    const expected = {
      rev: room.rev,
      unread: room.unreadMessagesCount,
      firstUnread: stored.find(isUnread(room.readSeq))?.seq,
      messages: stored,
    };
    if (!isDeepStrictEqual(shown, expected)) {
      problems.push(`the room is ${summarize(shown)}, not ${summarize(expected)}`);
    }
  }
  if (openedId !== undefined && !client.rooms.getState().rooms[openedId]) {
    problems.push('the room is not loaded');
  }
  return problems;
}

function messagesFrom(messages: readonly Message[], seqMin = 0): Message[] {
  return messages.filter(({ seq }) => seq >= seqMin);
}

function summarize({ messages, ...facts }: { messages: readonly Message[] }): string {
  const rows = messages.map(({ seq, rev, content, updatedAt }) => [seq, rev, content, updatedAt]);
  return JSON.stringify({ ...facts, messages: rows });
}
