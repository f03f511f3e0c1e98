import {
  DELETED_USER,
  LIMITS,
  type Changes,
  type Chatroom,
  type ChatStatus,
  type DeletedMessage,
  type Message,
  type Quote,
} from '@parley/contract';
import { shallow } from 'zustand/vanilla/shallow';
import { isUnaccepted, toChat, type Chat } from './chat-list.ts';
import { withReactionsOf } from './message-reactions.ts';
import { withCurrentQuotes } from './quotes.ts';

/**
 * An uninterrupted sequence of older messages, with messages between it and the newest that are not
 * loaded. It is shown instead of the newest messages, and never stored.
 */
export interface DetachedMessages {
  /** Sorted by `seq`. */
  readonly messages: readonly Message[];
  /** Whether older messages exist on the server. */
  readonly hasMore: boolean;
}

/** The loaded part of a chatroom: an uninterrupted sequence of messages up to the newest. */
export interface LoadedChatroom {
  id: string;
  /** Revision of the user's membership, of which the status is. */
  memberRev: number;
  status: ChatStatus;
  /** `deletedUser` if the account was deleted. */
  partnerName: string;
  currentUsername: string;
  /** Sorted by `seq`. */
  messages: readonly Message[];
  /** Whether older messages exist on the server. */
  hasMore: boolean;
  /** Older messages that are shown after a jump, until they join the newest ones. */
  detached?: DetachedMessages | undefined;
  /** All changes up to this revision are applied. */
  rev: number;
  /** The current user's read position. */
  readSeq: number;
  unread: number;
  /** Revisions of deletions by message id, so that an older response does not restore deleted messages. */
  deletedRevs: ReadonlyMap<string, number>;
  /** Present and true if the user's messages arrive as a quiet request, which the partner has not accepted. */
  isSentAsRequest?: boolean;
}

/** A chatroom after a change. */
export interface ChatroomUpdate {
  room: LoadedChatroom;
  /** Whether earlier changes were missed, so that the chatroom must resync. */
  hasGap: boolean;
}

/** Returns whether the partner's account is deleted. */
export function isPartnerDeleted(room: Pick<LoadedChatroom, 'partnerName'>): boolean {
  return room.partnerName === '' || room.partnerName === DELETED_USER;
}

/** Creates a chatroom from its newest page. */
export function withNewestPage(id: string, page: Chatroom): LoadedChatroom {
  const { rev, memberRev, status, readSeq, unreadMessagesCount, isSentAsRequest } = page.chat;
  return {
    id,
    memberRev,
    status,
    partnerName: page.partnerName,
    currentUsername: page.currentUsername,
    messages: page.chatroomMessages,
    hasMore: page.hasMore,
    rev,
    readSeq,
    unread: unreadMessagesCount,
    deletedRevs: new Map(),
    ...(isSentAsRequest && { isSentAsRequest }),
  };
}

/**
 * Returns a newly loaded chatroom with the changes of messages that arrived during the request, because the response
 * may be older.
 * @param before the chatroom in memory at the request, if it was loaded
 * @param current the chatroom in memory at the response
 */
export function withChangesDuringLoad(
  loaded: LoadedChatroom,
  before: LoadedChatroom | undefined,
  current: LoadedChatroom,
): LoadedChatroom {
  // Not all newer data is kept: what was known before and is not in the response no longer exists,
  // for example after a backup was restored.
  const { messages, deletedRevs } = before ?? { ...current, deletedRevs: new Map() };
  const known = new Set(messages);
  const arrived = current.messages.filter((each) => each.rev > loaded.rev && !known.has(each));
  // A response to an earlier request for older messages may still follow.
  const isRestored = before !== undefined && before.rev > loaded.rev;
  let room = isRestored ? loaded : { ...loaded, deletedRevs };
  for (const message of arrived.toSorted((a, b) => a.rev - b.rev)) {
    room = withMessage(room, message, false).room;
  }
  for (const [_id, rev] of current.deletedRevs) {
    if (deletedRevs.has(_id)) continue;
    room = withDeleted(room, { _id, rev }, false).room;
  }
  // A response must not undo a jump.
  return current.detached && !isRestored ? withDetached(room, current.detached) : room;
}

/** Returns the chatroom with a page of older messages added. */
export function withOlderPage(room: LoadedChatroom, page: Chatroom): LoadedChatroom {
  return withQuotes({
    ...room,
    messages: mergeMessages(page.chatroomMessages, room.messages, room.deletedRevs),
    hasMore: page.hasMore,
  });
}

/** Returns the chatroom with the messages around one that is not loaded, detached unless they join the newest. */
export function withPageAround(room: LoadedChatroom, page: Chatroom): LoadedChatroom {
  return withDetached(room, { messages: page.chatroomMessages, hasMore: page.hasMore }, page);
}

/** Returns the chatroom with a page of messages after the detached ones, which may join the newest ones. */
export function withNewerPage(room: LoadedChatroom, page: Chatroom): LoadedChatroom {
  if (!room.detached) return room;
  const { messages, hasMore } = room.detached;
  const merged = mergeMessages(messages, page.chatroomMessages, room.deletedRevs);
  return withDetached(room, { messages: merged, hasMore }, page);
}

/** Returns the chatroom with a page of messages before the detached ones. */
export function withOlderDetachedPage(room: LoadedChatroom, page: Chatroom): LoadedChatroom {
  if (!room.detached) return room;
  const { messages } = room.detached;
  const merged = mergeMessages(page.chatroomMessages, messages, room.deletedRevs);
  return withDetached(room, { messages: merged, hasMore: page.hasMore });
}

/** Returns the chatroom with its newest messages instead of detached ones. */
export function withoutDetached(room: LoadedChatroom): LoadedChatroom {
  if (!room.detached) return room;
  const { detached: _detached, ...others } = room;
  return others;
}

/**
 * Returns the chatroom with detached messages, or with all if they join the newest ones.
 * @param page the response that contains the last of them, if known
 */
function withDetached(
  room: LoadedChatroom,
  { messages, hasMore }: DetachedMessages,
  page?: Pick<Chatroom, 'hasNewer' | 'chat'>,
): LoadedChatroom {
  const oldest = room.messages[0]?.seq;
  const last = messages.at(-1)?.seq ?? 0;
  // A message that arrived since the response is not in it.
  const hasReachedEnd = page !== undefined && page.hasNewer !== true && page.chat.rev >= room.rev;
  const isJoined = oldest === undefined ? hasReachedEnd : last >= oldest || hasReachedEnd;
  if (!isJoined) return withQuotes({ ...room, detached: { messages, hasMore } });
  const all = mergeMessages(messages, room.messages, room.deletedRevs);
  return withQuotes({ ...withoutDetached(room), messages: all, hasMore });
}

/** Returns the chatroom with quotes that match the loaded and the given originals. */
function withQuotes(room: LoadedChatroom, changed: readonly Message[] = []): LoadedChatroom {
  const { deletedRevs, detached, partnerName, currentUsername } = room;
  const isWithoutPartner = isPartnerDeleted({ partnerName });
  const isDeleted = ({ messageId, username }: Quote): boolean =>
    deletedRevs.has(messageId) || (isWithoutPartner && username !== currentUsername);
  const update = (messages: readonly Message[], others: readonly Message[]): readonly Message[] =>
    withCurrentQuotes(messages, isDeleted, [...changed, ...others]);
  const messages = update(room.messages, detached?.messages ?? []);
  const shown = detached && update(detached.messages, room.messages);
  if (messages === room.messages && shown === detached?.messages) return room;
  return {
    ...room,
    messages,
    ...(detached && shown && { detached: { ...detached, messages: shown } }),
  };
}

/** Applies a change to detached messages, if there are any. */
function changeDetached(
  { detached }: LoadedChatroom,
  change: (messages: readonly Message[]) => readonly Message[],
): Pick<LoadedChatroom, 'detached'> {
  return detached ? { detached: { ...detached, messages: change(detached.messages) } } : {};
}

/** Returns messages with newer versions of those that they contain. */
function withNewerVersions(
  messages: readonly Message[],
  updated: readonly Message[],
): readonly Message[] {
  const known = new Set(messages.map(({ _id }) => _id));
  const newer = updated.filter(({ _id }) => known.has(_id));
  return newer.length === 0 ? messages : mergeBySeq(messages, newer);
}

/**
 * Returns the chatroom after a message was sent or edited.
 * @param isLive whether all earlier changes should already be known
 * @param isSentAsRequest whether a new message of the user arrives as part of a quiet request
 */
export function withMessage(
  room: LoadedChatroom,
  message: Message,
  isLive: boolean,
  isSentAsRequest = room.isSentAsRequest,
): ChatroomUpdate {
  const isNew = !room.messages.some(({ _id }) => _id === message._id);
  const isFromPartner = message.sender.username !== room.currentUsername;
  const isNewer = message.rev > room.rev;
  const countsAsUnread = isNew && isFromPartner && isNewer && message.seq > room.readSeq;
  const messages = mergeMessages(room.messages, withinWindow(room, [message]), room.deletedRevs);
  const unread = countsAsUnread ? room.unread + 1 : room.unread;
  // A message of the partner accepts the user. The partner may have done so before the response to the user's own one.
  const isRequest = isNewer ? isSentAsRequest : room.isSentAsRequest;
  const told = withSentAsRequest(room, !isFromPartner && isRequest === true);
  // A reply accepts the partner.
  const status = !isFromPartner && isUnaccepted(room) ? 'accepted' : room.status;
  const detached = changeDetached(room, (shown) => withNewerVersions(shown, [message]));
  // An older version must not change quotes back.
  const changed = isNewer ? [message] : [];
  const next = withQuotes({ ...told, status, messages, unread, ...detached }, changed);
  return advanceRev(next, message.rev, isLive);
}

/** Returns the chatroom with a change of a message that the server has not confirmed. */
export function withChangedMessage(
  room: LoadedChatroom,
  messageId: string,
  change: (message: Message) => Message,
): LoadedChatroom {
  const loaded = [...room.messages, ...(room.detached?.messages ?? [])];
  const known = loaded.find(({ _id }) => _id === messageId);
  const changed = known && change(known);
  if (!known || !changed || changed === known) return room;
  const apply = (messages: readonly Message[]): readonly Message[] =>
    messages.map((message) => (message === known ? changed : message));
  return withQuotes({ ...room, messages: apply(room.messages), ...changeDetached(room, apply) });
}

/** Returns the chatroom after a message was deleted. */
export function withDeleted(
  room: LoadedChatroom,
  deleted: Pick<DeletedMessage, '_id' | 'rev'>,
  isLive: boolean,
): ChatroomUpdate {
  const before = room.messages.find(({ _id }) => _id === deleted._id);
  const wasUnread =
    before !== undefined &&
    before.sender.username !== room.currentUsername &&
    before.seq > room.readSeq;
  const detached = changeDetached(room, (shown) => shown.filter(({ _id }) => _id !== deleted._id));
  return advanceRev(
    withQuotes({
      ...room,
      ...detached,
      messages: before ? room.messages.filter((message) => message !== before) : room.messages,
      unread: wasUnread ? Math.max(0, room.unread - 1) : room.unread,
      deletedRevs: new Map(room.deletedRevs).set(deleted._id, deleted.rev),
    }),
    deleted.rev,
    isLive,
  );
}

/** Returns the chatroom after a resync. */
export function withChanges(
  room: LoadedChatroom,
  changes: Changes['rooms'][number],
): LoadedChatroom {
  const deletedRevs = new Map(room.deletedRevs);
  for (const { _id, rev } of changes.deleted) deletedRevs.set(_id, rev);
  // Live events may be newer, and may have deleted a message of the response. The offline copy does
  // not store deletions.
  const updated = changes.updated.filter(({ rev }) => rev > room.rev);
  const chat = toChat(changes.chat);
  const known = withChatState(room, chat);
  return withUnreadOf(
    withQuotes(
      {
        ...known,
        ...changeDetached(known, (shown) =>
          withNewerVersions(shown, updated).filter(({ _id }) => !deletedRevs.has(_id)),
        ),
        messages: mergeMessages(known.messages, withinWindow(known, updated), deletedRevs),
        rev: Math.max(room.rev, changes.rev),
        deletedRevs,
      },
      updated,
    ),
    chat,
  );
}

/** Returns the chatroom with the state of its chat, as far as it is newer: everything but the messages. */
export function withChatState(room: LoadedChatroom, chat: Chat): LoadedChatroom {
  if ((chat.memberRev - room.memberRev || chat.rev - room.rev) < 0) return room;
  const { memberRev, status, names, isDeleted, isSentAsRequest = false, clearedSeq } = chat;
  const known: LoadedChatroom = {
    ...withSentAsRequest(withoutCleared(room, clearedSeq), isSentAsRequest),
    memberRev,
    status,
    partnerName: isDeleted ? DELETED_USER : (names[0] ?? room.partnerName),
    readSeq: Math.max(room.readSeq, chat.readSeq),
  };
  // The server hides a deleted account's messages immediately, but reports their deletions in batches.
  const next = withUnreadOf(isDeleted ? withPartnerDeleted(known) : known, chat);
  return shallow(room, next) ? room : next;
}

/** Returns the chatroom with its unread messages, as a chat counts them unless all are loaded. */
function withUnreadOf(room: LoadedChatroom, { rev, unread }: Chat): LoadedChatroom {
  // A response that is older than live events has an outdated count.
  return { ...room, unread: unreadIn(room, rev >= room.rev ? unread : room.unread) };
}

/** Returns the chatroom without what the partner wrote before the user declined a request, perhaps on another device. */
function withoutCleared(room: LoadedChatroom, clearedSeq: number): LoadedChatroom {
  if ((room.messages[0]?.seq ?? Infinity) > clearedSeq && !room.detached) return room;
  const withKept = (messages: readonly Message[]): readonly Message[] =>
    messages.filter(
      ({ seq, sender }) => seq > clearedSeq || sender.username === room.currentUsername,
    );
  return { ...room, ...changeDetached(room, withKept), messages: withKept(room.messages) };
}

/** Returns the chatroom with whether the user's messages arrive as a quiet request. */
function withSentAsRequest(room: LoadedChatroom, isSentAsRequest: boolean): LoadedChatroom {
  if ((room.isSentAsRequest ?? false) === isSentAsRequest) return room;
  const { isSentAsRequest: _before, ...others } = room;
  return isSentAsRequest ? { ...others, isSentAsRequest } : others;
}

/** Returns the chatroom with only its newest messages, to release memory. */
export function withNewestOnly(room: LoadedChatroom, count: number): LoadedChatroom {
  if (room.messages.length <= count) return room;
  return { ...room, messages: room.messages.slice(-count), hasMore: true };
}

/**
 * Returns the chatroom after it was read, here or on another device.
 * @param unread applies if the unread messages are not all loaded, and may be outdated
 */
export function withChatroomRead(
  room: LoadedChatroom,
  readSeq: number,
  unread: number,
): LoadedChatroom {
  const read = { ...room, readSeq: Math.max(room.readSeq, readSeq) };
  return { ...read, unread: unreadIn(read, unread) };
}

/** Counts the unread messages, or returns `reported` if they are not all loaded. */
function unreadIn(room: LoadedChatroom, reported: number): number {
  const { messages, hasMore, currentUsername, readSeq } = room;
  const oldest = messages[0]?.seq ?? Infinity;
  if (hasMore && oldest > readSeq + 1) return reported;
  const unread = messages.filter(
    ({ sender, seq }) => seq > readSeq && sender.username !== currentUsername,
  );
  return Math.min(unread.length, LIMITS.unreadMax);
}

/** Returns the chatroom after the partner's account, messages and reactions were deleted. */
function withPartnerDeleted(room: LoadedChatroom): LoadedChatroom {
  const { currentUsername } = room;
  const withOwnOnly = (messages: readonly Message[]): readonly Message[] =>
    messages
      .filter(({ sender }) => sender.username === currentUsername)
      .map((message) => withReactionsOf(message, currentUsername));
  return withQuotes({
    ...room,
    ...changeDetached(room, withOwnOnly),
    partnerName: DELETED_USER,
    messages: withOwnOnly(room.messages),
    unread: 0,
  });
}

// An edited message older than the loaded ones belongs to a page that is not loaded. Adding it
// would leave a gap.
function withinWindow(room: LoadedChatroom, messages: readonly Message[]): readonly Message[] {
  const oldest = room.messages[0]?.seq;
  if (!room.hasMore || oldest === undefined) return messages;
  return messages.filter(({ seq }) => seq >= oldest);
}

function advanceRev(room: LoadedChatroom, rev: number, isLive: boolean): ChatroomUpdate {
  if (rev === room.rev + 1) return { room: { ...room, rev }, hasGap: false };
  return { room, hasGap: isLive && rev > room.rev };
}

/** Merges messages sorted by `seq`, without deleted ones, which either list may still contain. */
function mergeMessages(
  current: readonly Message[],
  incoming: readonly Message[],
  deletedRevs: ReadonlyMap<string, number>,
): readonly Message[] {
  return mergeBySeq(current, incoming).filter(({ _id }) => !deletedRevs.has(_id));
}

function mergeBySeq(current: readonly Message[], incoming: readonly Message[]): readonly Message[] {
  const [only] = incoming;
  const last = current.at(-1);
  // A new message at the end, the usual case, needs no sorting.
  if (only && incoming.length === 1 && last && only.seq > last.seq) return [...current, only];
  const byId = new Map(current.map((message) => [message._id, message]));
  for (const message of incoming) {
    const known = byId.get(message._id);
    if (!known || known.rev < message.rev) byId.set(message._id, message);
  }
  return [...byId.values()].toSorted((a, b) => a.seq - b.seq);
}
