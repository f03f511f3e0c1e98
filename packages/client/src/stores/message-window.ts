import type { Chatroom, Message } from '@parley/contract';
import {
  isCleared,
  mergeMessages,
  withDeleted,
  withMessage,
  withQuotes,
  type DetachedMessages,
  type LoadedChatroom,
} from './loaded-chatroom.ts';

/** Number of messages that stay loaded where the user reads. Those far from there are released. */
export const WINDOW_MAX = 800;
/** Number of newest messages that stay loaded while others are shown, or none are. */
const NEWEST_KEPT = 200;
/** Number of messages on each side of a position that stay loaded in a chatroom that is left. */
const SIDE_KEPT = 100;

/** Returns the messages that are shown, and whether older ones exist on the server. */
export function shownPart(room: LoadedChatroom): DetachedMessages {
  return room.detached ?? room;
}

/** Returns whether a part of a chatroom extends over a position, so that its message is loaded if it exists. */
export function covers({ messages, hasMore }: DetachedMessages, seq: number): boolean {
  const [first, last] = [messages[0]?.seq, messages.at(-1)?.seq];
  if (first === undefined || last === undefined) return false;
  return seq <= last && (seq >= first || !hasMore);
}

/**
 * Returns the current version of a message that was loaded before; undefined if it was deleted since. A message that is
 * no longer loaded is returned as it was.
 */
export function currentVersion(room: LoadedChatroom, message: Message): Message | undefined {
  const { _id: id, seq, sender } = message;
  if (room.deletedRevs.has(id) || isCleared(room, seq, sender.username)) return undefined;
  const { messages, hasMore, detached } = room;
  const isSame = ({ _id }: Message): boolean => _id === id;
  const loaded = messages.find(isSame) ?? detached?.messages.find(isSame);
  if (loaded) return loaded;
  const isInRange = !hasMore || seq >= (messages[0]?.seq ?? Infinity);
  if (isInRange || (detached && covers(detached, seq))) return undefined;
  return room.changedElsewhere.get(id) ?? message;
}

/** Returns the chatroom with a page of messages before those that are shown. */
export function withOlderPage(room: LoadedChatroom, page: Chatroom): LoadedChatroom {
  const messages = mergeMessages(shownPart(room).messages, page.chatroomMessages, room);
  const { hasMore } = page;
  if (room.detached) return withDetached(room, { messages, hasMore });
  return withQuotes({ ...room, messages, hasMore });
}

/**
 * Returns the chatroom without messages far from one end of those that are shown, if these are too many. Separate from
 * adding messages at that end, as a list cannot keep its position while it changes at both.
 */
export function withoutFarFrom(room: LoadedChatroom, end: 'older' | 'newer'): LoadedChatroom {
  const { messages, hasMore } = shownPart(room);
  if (messages.length <= WINDOW_MAX) return room;
  if (end === 'newer') {
    const part = { messages: messages.slice(-WINDOW_MAX), hasMore: true };
    return room.detached ? { ...room, detached: part } : { ...room, ...part };
  }
  const last = room.detached ? WINDOW_MAX : Math.min(WINDOW_MAX, messages.length - NEWEST_KEPT);
  return detach(room, { messages: messages.slice(0, last), hasMore });
}

/** Returns the chatroom with a page of messages after the detached ones, which may join the newest ones. */
export function withNewerPage(room: LoadedChatroom, page: Chatroom): LoadedChatroom {
  if (!room.detached) return room;
  const { messages, hasMore } = room.detached;
  return withPart(
    room,
    { messages: mergeMessages(messages, page.chatroomMessages, room), hasMore },
    page,
  );
}

/** Returns the chatroom with the messages around one that is not loaded, detached unless they join the newest. */
export function withPageAround(room: LoadedChatroom, page: Chatroom): LoadedChatroom {
  const messages = mergeMessages([], page.chatroomMessages, room);
  return withPart(room, { messages, hasMore: page.hasMore }, page);
}

/** Returns the chatroom with its newest messages instead of detached ones. */
export function withoutDetached(room: LoadedChatroom): LoadedChatroom {
  if (!room.detached) return room;
  const { detached: _detached, ...others } = room;
  return others;
}

/** Returns the chatroom with only its newest messages, to release memory. */
export function withNewestOnly(room: LoadedChatroom, count = NEWEST_KEPT): LoadedChatroom {
  const newest = withoutDetached(room);
  if (newest.messages.length <= count) return newest;
  return { ...newest, messages: newest.messages.slice(-count), hasMore: true };
}

/**
 * Returns a chatroom that the user leaves, with only its newest messages and those around the position to which the
 * user will return, to release memory.
 * @param seq undefined for the end of the chatroom
 */
export function withOnlyNear(room: LoadedChatroom, seq: number | undefined): LoadedChatroom {
  const { messages, hasMore } = shownPart(room);
  if (seq === undefined || !covers({ messages, hasMore }, seq)) return withNewestOnly(room);
  const index = messages.findIndex((message) => message.seq >= seq);
  const start = Math.max(0, index - SIDE_KEPT);
  const needed = messages.length - start;
  if (!room.detached && needed <= 2 * NEWEST_KEPT) {
    return withNewestOnly(room, Math.max(needed, NEWEST_KEPT));
  }
  const near = messages.slice(start, index + SIDE_KEPT);
  return detach(room, { messages: near, hasMore: hasMore || start > 0 });
}

/**
 * Returns the open chatroom without messages that are far from what the user sees, as others have arrived.
 * @param findReadAt returns the position at which the user reads; undefined at the end of the chatroom
 */
export function withinMemory(
  room: LoadedChatroom,
  findReadAt: () => number | undefined,
): LoadedChatroom {
  const { detached, messages, hasMore, readSeq } = room;
  if (detached) return messages.length > 2 * NEWEST_KEPT ? detach(room, detached) : room;
  if (messages.length <= 2 * WINDOW_MAX) return room;
  const readAt = findReadAt();
  if (readAt === undefined) {
    const unread = messages.filter(({ seq }) => seq > readSeq).length;
    return withNewestOnly(room, Math.min(WINDOW_MAX, unread + NEWEST_KEPT));
  }
  const end = messages.findIndex(({ seq }) => seq > readAt) + 2 * NEWEST_KEPT;
  const isFar = end > 2 * NEWEST_KEPT && end < messages.length - NEWEST_KEPT;
  return isFar ? detach(room, { messages: messages.slice(0, end), hasMore }) : room;
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
  const { changedElsewhere, loadedRev } = current;
  let room = isRestored ? loaded : { ...loaded, deletedRevs, changedElsewhere, loadedRev };
  for (const message of arrived.toSorted((a, b) => a.rev - b.rev)) {
    room = withMessage(room, message, false).room;
  }
  for (const [_id, rev] of current.deletedRevs) {
    if (deletedRevs.has(_id)) continue;
    room = withDeleted(room, { _id, rev }, false).room;
  }
  return room;
}

/** Returns the chatroom with detached messages, or with all if they overlap the newest ones. */
function withDetached(room: LoadedChatroom, detached: DetachedMessages): LoadedChatroom {
  const [first, last] = [detached.messages[0]?.seq, detached.messages.at(-1)?.seq];
  // All were deleted.
  if (first === undefined || last === undefined) return withoutDetached(room);
  const [oldest = Infinity, newest = 0] = [room.messages[0]?.seq, room.messages.at(-1)?.seq];
  const isApart = last < oldest || first > newest;
  return isApart ? detach(room, detached) : withJoined(room, detached);
}

/** Returns a resynced chatroom, the newest messages of which may have reached the detached ones, or deleted all. */
export function withCurrentWindow(room: LoadedChatroom): LoadedChatroom {
  return room.detached ? withDetached(room, room.detached) : room;
}

/**
 * Returns the chatroom with a part of it that ends with a page. The page may be the last one, or show that the newest
 * messages in memory are outdated.
 */
function withPart(room: LoadedChatroom, part: DetachedMessages, page: Chatroom): LoadedChatroom {
  const first = part.messages[0]?.seq ?? 0;
  const last = part.messages.at(-1)?.seq ?? 0;
  const newest = room.messages.at(-1)?.seq ?? 0;
  const hasNewer = page.hasNewer === true;
  if (hasNewer && last >= newest && page.chat.rev > room.rev) {
    // A resync adds what follows the newest messages in memory.
    return detach(room, part);
  }
  // A message that arrived since the response is not in it.
  const hasReachedEnd = !hasNewer && page.chat.rev >= room.rev;
  if (!hasReachedEnd || part.messages.length === 0) return withDetached(room, part);
  return withJoined(first > newest ? { ...room, messages: [] } : room, part);
}

function detach(room: LoadedChatroom, detached: DetachedMessages): LoadedChatroom {
  return withQuotes({ ...withNewestOnly(room), detached });
}

/** Returns the chatroom with a part of it that overlaps or touches the newest messages. */
function withJoined(room: LoadedChatroom, part: DetachedMessages): LoadedChatroom {
  const messages = mergeMessages(part.messages, room.messages, room);
  const isPartOlder = (part.messages[0]?.seq ?? 0) <= (room.messages[0]?.seq ?? Infinity);
  const hasMore = isPartOlder ? part.hasMore : room.hasMore;
  return withQuotes({ ...withoutDetached(room), messages, hasMore });
}
