import { isDeepStrictEqual } from 'node:util';
import type { Chatroom, ChatList, Message } from '@parley/contract';
import type { TestUser } from '@parley/server/test-server';
import { toUnmarked } from '../../to-unmarked.ts';
import { selectDraft } from '../../../src/outbox/drafts.ts';
import { toChat, type Chat } from '../../../src/stores/chat-list.ts';
import type { LoadedChatroom } from '../../../src/stores/loaded-chatroom.ts';
import type { Ledger, OrderScope } from '../model/ledger.ts';
import type { Tab } from '../world/tab.ts';
import type { HistoryWorld } from '../world/history-world.ts';
import {
  findActivityDifferences,
  findReceiptProblems,
  type ExpectedPartner,
} from './watch-partner.ts';

/** The state on the server, as one user sees it. */
interface ServerState {
  readonly list: ChatList;
  readonly rooms: ReadonlyMap<string, Chatroom>;
}

/** The differences that were found, and those of activity, which the server tells a little later. */
interface Differences {
  readonly problems: string[];
  readonly findActivityProblems: () => string[];
}

/**
 * Compares the server with the ledger, and the tabs with the server.
 * @param from index of the first tab to compare: 0, or the index of the first fresh tab
 */
export async function findDifferences(world: HistoryWorld, from: number): Promise<Differences> {
  const problems: string[] = [];
  const activityChecks: (() => string[])[] = [];
  const states = await readServerStates(world);
  for (const [user, expected] of states) {
    problems.push(...findServerProblems(world, user, expected));
    const told = findExpectedPartner(world, user, states);
    for (const [i, tab] of world.tabs.entries()) {
      if (tab.user !== user || i < from) continue;
      const found = [
        ...findTabProblems(tab, expected),
        ...findDraftProblems(tab, world.ledger, from > 0),
        ...findReceiptProblems(tab, told),
        ...(await findHiddenProblems(tab, world, expected)),
      ];
      const name = (problem: string): string => `tab ${i}: ${problem}`;
      problems.push(...found.map(name));
      activityChecks.push(() => findActivityDifferences(tab, told).map(name));
    }
  }
  return { problems, findActivityProblems: () => activityChecks.flatMap((check) => check()) };
}

async function readServerStates({
  users,
  chatroomId,
}: HistoryWorld): Promise<Map<TestUser, ServerState>> {
  const states = new Map<TestUser, ServerState>();
  for (const user of users) states.set(user, await readServerState(user, chatroomId));
  return states;
}

/** Returns what decides how much a user is told about the partner. */
function findExpectedPartner(
  { users, tabs, facts, ledger, chatroomId = '' }: HistoryWorld,
  user: TestUser,
  states: ReadonlyMap<TestUser, ServerState>,
): ExpectedPartner {
  const partner = users.find((each) => each !== user) ?? user;
  return {
    chatroomId,
    facts,
    own: states.get(user)?.rooms.get(chatroomId)?.chat,
    partner: states.get(partner)?.rooms.get(chatroomId)?.chat,
    hasHidden: users.some(({ username }) => ledger.hasHidden(username)),
    isPartnerActive: tabs.some((tab) => tab.user === partner && tab.isActive),
  };
}

/** Returns what is left of a blocked or declined chat, and what was shown although withheld. */
async function findHiddenProblems(
  { client, browser, user, shown }: Tab,
  { chatroomId, ledger }: HistoryWorld,
  { list }: ServerState,
): Promise<string[]> {
  const withheld = ledger.findWithheld(user.username, shown);
  const problems = withheld.map((content) => `"${content}" was shown, but sent while blocked`);
  const stored = await browser.readAll();
  if (/"(typing|presence|isOnline|lastSeenAt)"/.test(stored)) problems.push('activity is stored');
  const isInChatList = list.chatrooms.some(({ chatId }) => chatId === chatroomId);
  if (!client || chatroomId === undefined || isInChatList) return problems;
  const kept = [
    client.drafts.getState().drafts,
    client.outbox.getState().entries,
    client.outbox.getState().changes,
  ];
  if (JSON.stringify(kept).includes(chatroomId)) problems.push('an unsent text is kept');
  if (!browser.hasFailed && stored.includes(chatroomId)) {
    problems.push('a hidden chat is stored');
  }
  return problems;
}

function findDraftProblems(
  { client, chatroomId, browser, user }: Tab,
  ledger: Ledger,
  isFresh: boolean,
): string[] {
  if (!client || chatroomId === undefined || browser.hasFailed) return [];
  if (ledger.hasHidden(user.username)) return [];
  const expected = isFresh ? '' : (ledger.draftOf(browser) ?? '');
  const written = selectDraft(client.drafts.getState(), chatroomId).text.split('\n');
  // Captions of images that were not sent, and edits of messages that were deleted.
  const lines = written.filter((line) => !ledger.isCaption(line) && !ledger.isEdit(line));
  const found = lines.join('\n');
  return found === expected ? [] : [`the draft is "${found}", not "${expected}"`];
}

/**
 * Returns which messages of a user keep their order. After a failure of the storage, a page may
 * not know the messages of earlier loads and other tabs.
 */
function getOrderScope({ tabs }: HistoryWorld, username: string): OrderScope {
  const own = tabs.filter(({ user }) => user.username === username);
  const failed = own.find(({ browser }) => browser.hasFailed)?.browser;
  if (!failed) return new Set(own.map(({ browser }) => browser)).size > 1 ? 'page' : 'user';
  return own.filter(({ browser }) => browser === failed).length > 1 ? 'none' : 'page';
}

function findServerProblems(
  world: HistoryWorld,
  user: TestUser,
  { list, rooms }: ServerState,
): string[] {
  const { users, tabs, ledger } = world;
  const problems: string[] = [];
  const room = [...rooms.values()].find(({ partnerName }) =>
    users.some(({ username }) => username === partnerName),
  );
  const messages = room?.chatroomMessages ?? [];
  const scopeOf = (username: string): OrderScope => getOrderScope(world, username);
  const failed = tabs.filter(({ browser }) => browser.hasFailed).map((tab) => tab.user.username);
  problems.push(...ledger.findProblems(user.username, messages, scopeOf, new Set(failed)));
  problems.push(...ledger.findReplyProblems(messages));
  const own = tabs.filter((tab) => tab.user === user);
  // A page keeps what the storage could not store only until it is closed.
  if (!own.some(({ browser }) => browser.hasFailed)) {
    problems.push(...ledger.findReactionProblems(user.username, messages));
    problems.push(...findSettingProblems(world, user, list, messages));
  }
  for (const tab of tabs) {
    if (tab.user === user && room && room.chat.readSeq < tab.readSeq) {
      problems.push(`${user.username} read up to ${tab.readSeq}, not ${room.chat.readSeq}`);
    }
  }
  for (const [id, { chat, chatroomMessages, unreadMessagesCount }] of rooms) {
    const { readSeq, status } = chat;
    const listedChat = list.chatrooms.find(({ chatId }) => chatId === id);
    if (status === 'blocked') {
      if (listedChat) problems.push('a blocked chat is listed');
      continue;
    }
    const unread = chatroomMessages.filter(
      ({ sender, seq }) => sender.username !== user.username && seq > readSeq,
    ).length;
    const listed = listedChat?.unreadMessagesCount;
    if (unread !== unreadMessagesCount || unread !== listed) {
      problems.push(`${unread} are unread, the server counts ${unreadMessagesCount}, ${listed}`);
    }
  }
  return problems;
}

function findSettingProblems(
  { users, ledger, settings, chatroomId }: HistoryWorld,
  { username }: TestUser,
  { chatrooms }: ChatList,
  messages: readonly Message[],
): string[] {
  // The server refuses settings of a hidden chat.
  if (users.some((each) => ledger.hasHidden(each.username))) return [];
  const chat = chatrooms.find(({ chatId }) => chatId === chatroomId);
  return chat ? settings.findProblems(username, chat.settings, messages) : [];
}

const PLAIN = { 'accept-encoding': 'identity' };

async function readServerState(user: TestUser, sharedId: string | undefined): Promise<ServerState> {
  const list = (await user.request('GET', '/api/chatrooms/chats', undefined, PLAIN))
    .body as ChatList;
  const rooms = new Map<string, Chatroom>();
  const ids = new Set(list.chatrooms.map(({ chatId }) => chatId));
  // A blocked chatroom is not listed.
  if (sharedId !== undefined) ids.add(sharedId);
  for (const id of ids) {
    const path = `/api/chatrooms/chats/${id}?limit=200`;
    const response = await user.request('GET', path, undefined, PLAIN);
    if (response.status === 200) rooms.set(id, response.body as Chatroom);
  }
  return { list, rooms };
}

/** Returns the differences between a tab and the server. */
function findTabProblems({ client, openedId }: Tab, server: ServerState): string[] {
  if (!client) return ['is signed out'];
  const problems: string[] = [];
  const isUnread = (readSeq: number) => (message: Message) =>
    message.seq > readSeq && message.sender.username !== client.username;
  // Compares the first unread message instead of the read position, because positions before and after the user's own
  // messages are equivalent.
  const withFirstUnread = ({ readSeq, ...chat }: Chat) => ({
    ...chat,
    firstUnread: server.rooms.get(chat.id)?.chatroomMessages.find(isUnread(readSeq))?.seq,
  });
  const chats = client.chats.getState().chats.map(toUnmarked).map(withFirstUnread);
  const expectedChats = server.list.chatrooms.map(toChat).map(withFirstUnread);
  if (!isDeepStrictEqual(chats, expectedChats)) {
    problems.push(`the list is ${JSON.stringify(chats)}, not ${JSON.stringify(expectedChats)}`);
  }
  for (const [id, entry] of Object.entries(client.rooms.getState().rooms)) {
    const room = server.rooms.get(id);
    if (entry.status === 'missing' && (!room || room.chat.status === 'blocked')) continue;
    if (entry.status === 'error' && id !== openedId) continue;
    if (entry.status !== 'ready' || !room) {
      problems.push(`a room is ${entry.status}`);
      continue;
    }
    const { messages, rev, readSeq, unread } = entry.room;
    const { chat } = room;
    const stored = messagesFrom(room.chatroomMessages, entry.room.hasMore ? messages[0]?.seq : 0);
    const shown = {
      rev,
      unread,
      firstUnread: messages.find(isUnread(readSeq))?.seq,
      messages,
      ...statusOf(entry.room),
    };
    const expected = {
      // The device of a blocker receives no events of the chatroom.
      rev: chat.status === 'blocked' ? rev : chat.rev,
      unread: chat.unreadMessagesCount,
      firstUnread: stored.find(isUnread(chat.readSeq))?.seq,
      messages: stored,
      ...statusOf(chat),
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

/** Returns what the two users have decided about each other. The device of a blocker does not learn it all. */
function statusOf({
  memberRev,
  status,
  isSentAsRequest = false,
}: Pick<LoadedChatroom, 'memberRev' | 'status'> & {
  isSentAsRequest?: boolean | undefined;
}): Partial<LoadedChatroom> {
  if (status === 'blocked') return { memberRev, status };
  return { memberRev, status, isSentAsRequest };
}

function messagesFrom(messages: readonly Message[], seqMin = 0): Message[] {
  return messages.filter(({ seq }) => seq >= seqMin);
}

function summarize({ messages, ...facts }: { messages: readonly Message[] }): string {
  const rows = messages.map(({ seq, rev, content, updatedAt, reactions }) => [
    seq,
    rev,
    content,
    updatedAt,
    reactions,
  ]);
  return JSON.stringify({ ...facts, messages: rows });
}
