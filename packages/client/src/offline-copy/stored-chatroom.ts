import {
  hasFields,
  isBoolean,
  isNumber,
  isOptionalBoolean,
  isText,
  listOf,
  objectWith,
  optional,
} from '../api/responses.ts';
import type { UserStorage } from '../storage/user-storage.ts';
import type { LoadedChatroom } from '../stores/loaded-chatroom.ts';
import { isQuote } from '../stores/quotes.ts';

/** A chatroom in the offline copy. */
export type StoredChatroom = Omit<
  LoadedChatroom,
  'deletedRevs' | 'changedElsewhere' | 'loadedRev' | 'detached'
>;

/** Messages to store per chatroom. */
const MESSAGES_KEPT = 50;
/** Messages to store if more are unread. */
const UNREAD_KEPT = 200;

/** Returns the part of a chatroom to store: its newest messages, including unread ones. */
export function toStoredChatroom(room: LoadedChatroom): StoredChatroom {
  const {
    deletedRevs: _deletedRevs,
    changedElsewhere: _changedElsewhere,
    loadedRev: _loadedRev,
    detached: _detached,
    ...kept
  } = room;
  const unread = room.messages.filter(({ seq }) => seq > room.readSeq).length;
  const count = Math.min(UNREAD_KEPT, Math.max(MESSAGES_KEPT, unread));
  const messages = room.messages.slice(-count);
  return { ...kept, messages, hasMore: room.hasMore || messages.length < room.messages.length };
}

const isSender = objectWith({ username: isText });
const isReaction = objectWith({ emoji: isText, usernames: listOf(isText) });

/** Parses a stored chatroom. Returns undefined for any other value. */
export function parseStoredChatroom(value: unknown, id: string): LoadedChatroom | undefined {
  const isStoredChatroom = hasFields(value, {
    id: (it) => it === id,
    partnerName: isText,
    currentUsername: isText,
    messages: listOf(
      objectWith({
        _id: isText,
        chatroom: (it) => it === id,
        content: isText,
        sender: isSender,
        createdAt: isText,
        updatedAt: isText,
        seq: isNumber,
        rev: isNumber,
        kind: isText,
        reactions: optional(listOf(isReaction)),
        replyTo: optional(isQuote),
      }),
    ),
    hasMore: isBoolean,
    rev: isNumber,
    readSeq: isNumber,
    unread: isNumber,
    memberRev: isNumber,
    // A blocked chatroom is never stored.
    status: (status) => isText(status) && status !== 'blocked',
    isSentAsRequest: isOptionalBoolean,
    clearedSeq: optional(isNumber),
    ownClearedSeq: optional(isNumber),
  });
  if (!isStoredChatroom) return undefined;
  const stored = value as StoredChatroom;
  return {
    ...stored,
    deletedRevs: new Map(),
    changedElsewhere: new Map(),
    loadedRev: stored.rev,
  };
}

/** Resolves to a stored chatroom, or to undefined if it is not stored. */
export async function readStoredChatroom(
  storage: UserStorage,
  id: string,
): Promise<LoadedChatroom | undefined> {
  return parseStoredChatroom((await storage.get('rooms', id))?.value, id);
}

/** Resolves to all stored chatrooms. */
export async function readStoredChatrooms(
  storage: UserStorage,
): Promise<readonly LoadedChatroom[]> {
  const records = await storage.getAll('rooms');
  return records.flatMap(({ key, value }) => parseStoredChatroom(value, key) ?? []);
}

/**
 * Stores a chatroom, unless a newer revision is stored.
 * @param isRestored whether the server was restored from a backup, which invalidates stored revisions
 */
export async function putStoredChatroom(
  storage: UserStorage,
  room: LoadedChatroom,
  isRestored = false,
): Promise<void> {
  const value = toStoredChatroom(room);
  await storage.update('rooms', room.id, (record) => {
    const before = parseStoredChatroom(record?.value, room.id);
    return before && !isRestored && !isAtLeastAsNew(value, before) ? 'keep' : { value };
  });
}

/** Changes a stored chatroom. Resolves to the result, or to undefined if it is not stored. */
export async function updateStoredChatroom(
  storage: UserStorage,
  id: string,
  change: (room: LoadedChatroom) => LoadedChatroom,
): Promise<LoadedChatroom | undefined> {
  let after: LoadedChatroom | undefined;
  await storage.update('rooms', id, (record) => {
    const before = parseStoredChatroom(record?.value, id);
    after = before && change(before);
    return after && after !== before ? { value: toStoredChatroom(after) } : 'keep';
  });
  return after;
}

/** Returns whether a stored chatroom is at least as new as `before` and may replace it. */
export function isAtLeastAsNew(room: StoredChatroom, before: StoredChatroom): boolean {
  if (room.rev !== before.rev) return room.rev > before.rev;
  if (room.memberRev !== before.memberRev) return room.memberRev > before.memberRev;
  return room.readSeq >= before.readSeq;
}
