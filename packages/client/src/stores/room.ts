import {
  DELETED_USER,
  LIMITS,
  type Changes,
  type Chatroom,
  type DeletedMessage,
  type Message,
} from '@parley/contract';

/** One room as far as it is loaded: always an unbroken run of its messages up to the newest. */
export interface Room {
  id: string;
  partnerName: string;
  currentUsername: string;
  /** In the order of `seq`. */
  messages: readonly Message[];
  /** Whether older messages exist on the server. */
  hasMore: boolean;
  /** Everything up to this revision is in here. */
  rev: number;
  /** Up to which `seq` the reader has read. */
  readSeq: number;
  unread: number;
  /** Messages known to be gone, so that a response made before does not bring them back: id to `rev`. */
  deletedRevs: ReadonlyMap<string, number>;
}

/** What is known of a change in a room, besides the room. */
export interface RoomUpdate {
  room: Room;
  /** Whether changes were missed before this one, so that the room must catch up. */
  hasGap: boolean;
}

/** Whether the partner's account is gone. */
export function isPartnerDeleted(room: Pick<Room, 'partnerName'>): boolean {
  return room.partnerName === '' || room.partnerName === DELETED_USER;
}

/** A room from its newest page. What is known of it already and is newer stays. */
export function withNewestPage(id: string, page: Chatroom, known?: Room): Room {
  const fresh: Room = {
    id,
    partnerName: page.partnerName,
    currentUsername: page.currentUsername,
    messages: page.chatroomMessages,
    hasMore: page.hasMore,
    rev: page.rev,
    readSeq: page.readSeq,
    unread: page.unreadMessagesCount,
    deletedRevs: known?.deletedRevs ?? new Map(),
  };
  if (!known) return fresh;
  if (known.rev >= page.rev) return known;
  // What came live and was not in the page yet.
  const newer = known.messages.filter((message) => message.rev > page.rev);
  return { ...fresh, messages: mergeMessages(page.chatroomMessages, newer, fresh.deletedRevs) };
}

/** The room with one page of older messages in front. */
export function withOlderPage(room: Room, page: Chatroom): Room {
  return {
    ...room,
    messages: mergeMessages(page.chatroomMessages, room.messages, room.deletedRevs),
    hasMore: page.hasMore,
  };
}

/** The room after a message was sent or edited. `isLive` if every earlier change should be known by now. */
export function withMessage(room: Room, message: Message, isLive: boolean): RoomUpdate {
  const isNew = !room.messages.some(({ _id }) => _id === message._id);
  const isFromPartner = message.sender.username !== room.currentUsername;
  const countsAsUnread =
    isNew && isFromPartner && message.rev > room.rev && message.seq > room.readSeq;
  const messages = mergeMessages(room.messages, withinWindow(room, [message]), room.deletedRevs);
  return advanceRev(
    { ...room, messages, unread: countsAsUnread ? room.unread + 1 : room.unread },
    message.rev,
    isLive,
  );
}

/** The room after a message was deleted. */
export function withDeleted(room: Room, deleted: DeletedMessage, isLive: boolean): RoomUpdate {
  const before = room.messages.find(({ _id }) => _id === deleted._id);
  const wasUnread =
    before !== undefined &&
    before.sender.username !== room.currentUsername &&
    before.seq > room.readSeq;
  return advanceRev(
    {
      ...room,
      messages: before ? room.messages.filter((message) => message !== before) : room.messages,
      unread: wasUnread ? Math.max(0, room.unread - 1) : room.unread,
      deletedRevs: new Map(room.deletedRevs).set(deleted._id, deleted.rev),
    },
    deleted.rev,
    isLive,
  );
}

/** The room after catching up. */
export function withChanges(room: Room, changes: Changes['rooms'][number]): Room {
  const deletedRevs = new Map(room.deletedRevs);
  for (const { _id, rev } of changes.deleted) deletedRevs.set(_id, rev);
  const next = {
    ...room,
    partnerName: changes.partnerName,
    messages: mergeMessages(room.messages, withinWindow(room, changes.updated), deletedRevs),
    rev: Math.max(room.rev, changes.rev),
    readSeq: Math.max(room.readSeq, changes.readSeq),
    deletedRevs,
  };
  // A response that was overtaken by events counts fewer messages.
  const reported = changes.rev >= room.rev ? changes.unreadMessagesCount : room.unread;
  // The server hides a deleted account's messages at once and tells of their deletions bit by bit.
  return changes.partnerName === DELETED_USER
    ? withPartnerDeleted(next)
    : { ...next, unread: unreadIn(next, reported) };
}

/** The room with its newest messages only, so that one that was scrolled far back takes no memory once it is left. */
export function withNewestOnly(room: Room, count: number): Room {
  if (room.messages.length <= count) return room;
  return { ...room, messages: room.messages.slice(-count), hasMore: true };
}

/**
 * The room after it was read, here or on another device.
 * @param unread counts where the messages after the position are not all loaded; it may be outdated
 */
export function withRead(room: Room, readSeq: number, unread: number): Room {
  const read = { ...room, readSeq: Math.max(room.readSeq, readSeq) };
  return { ...read, unread: unreadIn(read, unread) };
}

/** How much of a room is unread: counted, or as told where not all of it is loaded. */
function unreadIn(room: Room, reported: number): number {
  const { messages, hasMore, currentUsername, readSeq } = room;
  const oldest = messages[0]?.seq ?? Infinity;
  if (hasMore && oldest > readSeq + 1) return reported;
  const unread = messages.filter(
    ({ sender, seq }) => seq > readSeq && sender.username !== currentUsername,
  );
  return Math.min(unread.length, LIMITS.unreadMax);
}

/** The room after the partner's account, and with it their messages, went. */
export function withPartnerDeleted(room: Room): Room {
  return {
    ...room,
    partnerName: DELETED_USER,
    messages: room.messages.filter(({ sender }) => sender.username === room.currentUsername),
    unread: 0,
  };
}

// An old message that was edited belongs to a page that is not loaded yet: alone it would be a hole.
function withinWindow(room: Room, messages: readonly Message[]): readonly Message[] {
  const oldest = room.messages[0]?.seq;
  if (!room.hasMore || oldest === undefined) return messages;
  return messages.filter(({ seq }) => seq >= oldest);
}

function advanceRev(room: Room, rev: number, isLive: boolean): RoomUpdate {
  if (rev <= room.rev) return { room, hasGap: false };
  if (rev === room.rev + 1) return { room: { ...room, rev }, hasGap: false };
  return { room, hasGap: isLive };
}

/** Both in the order of `seq`, without those that are gone; either may still have some of these. */
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
  // The usual case, a new message at the end, costs no sorting.
  if (only && incoming.length === 1 && last && only.seq > last.seq) return [...current, only];
  const byId = new Map(current.map((message) => [message._id, message]));
  for (const message of incoming) {
    const known = byId.get(message._id);
    if (!known || known.rev < message.rev) byId.set(message._id, message);
  }
  return [...byId.values()].toSorted((a, b) => a.seq - b.seq);
}
