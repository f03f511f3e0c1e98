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
import { clearedFloor, isUnaccepted, toChat, type Chat } from './chat-list.ts';
import { withReactionsOf } from './message-reactions.ts';
import { withCurrentQuotes } from './quotes.ts';

/**
 * An uninterrupted sequence of messages elsewhere in the chatroom, with messages between it and the newest that are
 * not loaded. It is shown instead of the newest messages, and never stored.
 */
export interface DetachedMessages {
  /** Sorted by `seq`. */
  readonly messages: readonly Message[];
  /** Whether older messages exist on the server. */
  readonly hasMore: boolean;
}

/**
 * The loaded part of a chatroom: an uninterrupted sequence of messages up to the newest, and perhaps another one that
 * is shown. `message-window.ts` decides what is loaded.
 */
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
  /** What is shown instead of the newest messages, until it joins them. */
  detached?: DetachedMessages | undefined;
  /** All changes up to this revision are applied. */
  rev: number;
  /** The current user's read position. */
  readSeq: number;
  unread: number;
  /** Revisions of deletions by message id, so that an older response does not restore deleted messages. */
  deletedRevs: ReadonlyMap<string, number>;
  /**
   * The messages that changed last while they were not loaded, by id, so that an older response does not undo
   * their changes.
   */
  changedElsewhere: ReadonlyMap<string, Message>;
  /** Revision at which the chatroom was loaded. Changes since then are known, so that only older responses are useless. */
  loadedRev: number;
  /** Present and true if the user's messages arrive as a quiet request, which the partner has not accepted. */
  isSentAsRequest?: boolean;
  /** No message of the partner up to this `seq` exists for the user. Missing if all do. */
  clearedSeq?: number;
  /** Likewise for own messages. */
  ownClearedSeq?: number;
}

/** Maximum number of messages whose changes are kept while they are not loaded. */
const ELSEWHERE_MAX = 200;

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
  const { clearedSeq, ownClearedSeq } = page.chat;
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
    changedElsewhere: new Map(),
    loadedRev: rev,
    ...(isSentAsRequest && { isSentAsRequest }),
    ...(clearedSeq !== undefined && { clearedSeq }),
    ...(ownClearedSeq !== undefined && { ownClearedSeq }),
  };
}

/** Returns whether a message of a user no longer exists for the current one, who has declined or deleted the chat. */
export function isCleared(
  room: Pick<LoadedChatroom, 'currentUsername' | 'clearedSeq' | 'ownClearedSeq'>,
  seq: number,
  username: string,
): boolean {
  const { currentUsername, clearedSeq = 0, ownClearedSeq = 0 } = room;
  return seq <= (username === currentUsername ? ownClearedSeq : clearedSeq);
}

/** Returns the chatroom with quotes that match the loaded and the given originals. */
export function withQuotes(room: LoadedChatroom, changed: readonly Message[] = []): LoadedChatroom {
  const { deletedRevs, detached, partnerName, currentUsername } = room;
  const isWithoutPartner = isPartnerDeleted({ partnerName });
  const isDeleted = ({ messageId, seq, username }: Quote): boolean =>
    deletedRevs.has(messageId) ||
    isCleared(room, seq, username) ||
    (isWithoutPartner && username !== currentUsername);
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

/** Applies a change to detached messages, if there are any. Ends with them if none remain. */
function changeDetached(
  { detached }: LoadedChatroom,
  change: (messages: readonly Message[]) => readonly Message[],
): Pick<LoadedChatroom, 'detached'> {
  if (!detached) return {};
  const messages = change(detached.messages);
  return { detached: messages.length > 0 ? { ...detached, messages } : undefined };
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
  const messages = mergeMessages(room.messages, withinWindow(room, [message]), room);
  const unread = countsAsUnread ? room.unread + 1 : room.unread;
  // A message of the partner accepts the user. The partner may have done so before the response to the user's own one.
  const isRequest = isNewer ? isSentAsRequest : room.isSentAsRequest;
  const told = withSentAsRequest(room, !isFromPartner && isRequest === true);
  // A reply accepts the partner.
  const status = !isFromPartner && isUnaccepted(room) ? 'accepted' : room.status;
  const detached = changeDetached(room, (shown) => withNewerVersions(shown, [message]));
  // An older version must not change quotes back.
  const changed = isNewer ? [message] : [];
  const changedElsewhere = rememberElsewhere(room, [message]);
  const next = withQuotes(
    { ...told, status, messages, unread, changedElsewhere, ...detached },
    changed,
  );
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
        messages: mergeMessages(known.messages, withinWindow(known, updated), {
          ...known,
          deletedRevs,
        }),
        rev: Math.max(room.rev, changes.rev),
        deletedRevs,
        changedElsewhere: rememberElsewhere(known, updated),
      },
      updated,
    ),
    chat,
  );
}

/** Returns the chatroom with the state of its chat, as far as it is newer: everything but the messages. */
export function withChatState(room: LoadedChatroom, chat: Chat): LoadedChatroom {
  if ((chat.memberRev - room.memberRev || chat.rev - room.rev) < 0) return room;
  const { memberRev, status, names, isDeleted, isSentAsRequest = false } = chat;
  const known: LoadedChatroom = {
    ...withSentAsRequest(withoutCleared(room, chat), isSentAsRequest),
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

/**
 * Returns the chatroom without what no longer exists for the user: what the partner wrote before the user declined a
 * request, or all before the user deleted the chat, perhaps on another device.
 */
export function withoutCleared(
  room: LoadedChatroom,
  { clearedSeq, ownClearedSeq = 0 }: Pick<Chat, 'clearedSeq' | 'ownClearedSeq'>,
): LoadedChatroom {
  const { clearedSeq: before = 0, ownClearedSeq: ownBefore = 0, detached } = room;
  if (clearedSeq <= before && ownClearedSeq <= ownBefore) return room;
  const cleared: LoadedChatroom = {
    ...room,
    clearedSeq: Math.max(clearedSeq, before),
    ownClearedSeq: Math.max(ownClearedSeq, ownBefore),
  };
  const floor = clearedFloor(cleared);
  const isKept = ({ seq, sender }: Message): boolean => !isCleared(cleared, seq, sender.username);
  const clear = ({ messages, hasMore }: DetachedMessages): DetachedMessages => ({
    messages: messages.filter(isKept),
    hasMore: hasMore && (messages[0]?.seq ?? Infinity) > floor,
  });
  const part = detached && clear(detached);
  const elsewhere = [...room.changedElsewhere].filter(([, message]) => isKept(message));
  return withQuotes({
    ...cleared,
    ...clear(room),
    ...(part && { detached: part.messages.length > 0 ? part : undefined }),
    changedElsewhere: new Map(elsewhere),
  });
}

/** Returns the chatroom with whether the user's messages arrive as a quiet request. */
function withSentAsRequest(room: LoadedChatroom, isSentAsRequest: boolean): LoadedChatroom {
  if ((room.isSentAsRequest ?? false) === isSentAsRequest) return room;
  const { isSentAsRequest: _before, ...others } = room;
  return isSentAsRequest ? { ...others, isSentAsRequest } : others;
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

/** Returns the messages that changed last while they were not loaded, with those of some that are not loaded. */
function rememberElsewhere(
  room: LoadedChatroom,
  changed: readonly Message[],
): LoadedChatroom['changedElsewhere'] {
  const { messages, detached, hasMore, changedElsewhere } = room;
  const oldest = messages[0]?.seq;
  if (!hasMore || oldest === undefined) return changedElsewhere;
  const elsewhere = changed.filter(
    ({ _id, seq, rev }) =>
      seq < oldest &&
      !detached?.messages.some((message) => message._id === _id) &&
      (changedElsewhere.get(_id)?.rev ?? 0) < rev,
  );
  if (elsewhere.length === 0) return changedElsewhere;
  const entries = elsewhere.map((message) => [message._id, message] as const);
  return new Map([...changedElsewhere, ...entries].slice(-ELSEWHERE_MAX));
}

/**
 * Merges loaded messages with those of a response, sorted by `seq`, in their newest known versions and without deleted
 * and cleared ones, which either list may still contain.
 */
export function mergeMessages(
  current: readonly Message[],
  incoming: readonly Message[],
  room: LoadedChatroom,
): readonly Message[] {
  const { deletedRevs, changedElsewhere } = room;
  const newest = incoming.map((message) => {
    const known = changedElsewhere.get(message._id);
    return known && known.rev > message.rev ? known : message;
  });
  return mergeBySeq(current, newest).filter(
    ({ _id, seq, sender }) => !deletedRevs.has(_id) && !isCleared(room, seq, sender.username),
  );
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
