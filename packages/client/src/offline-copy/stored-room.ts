import { hasFields, isBoolean, isListOf, isNumber, isText } from '../api/responses.ts';
import type { Room } from '../stores/room.ts';

/** A room as it is stored. */
export type StoredRoom = Omit<Room, 'deletedRevs'>;

/** Messages that are kept of a room. */
const MESSAGES_KEPT = 50;
/** The same where more than those are unread. */
const UNREAD_KEPT = 200;

/** Returns what is kept of a room: its newest messages, and more where more are unread. */
export function toStoredRoom({ deletedRevs: _deletedRevs, ...room }: Room): StoredRoom {
  const unread = room.messages.filter(({ seq }) => seq > room.readSeq).length;
  const count = Math.min(UNREAD_KEPT, Math.max(MESSAGES_KEPT, unread));
  const messages = room.messages.slice(-count);
  return { ...room, messages, hasMore: room.hasMore || messages.length < room.messages.length };
}

/** Returns a stored room; undefined for anything else. */
export function parseStoredRoom(value: unknown, id: string): Room | undefined {
  const isRoom = hasFields(value, {
    id: (it) => it === id,
    partnerName: isText,
    currentUsername: isText,
    messages: isListOf({
      _id: isText,
      chatroom: (it) => it === id,
      content: isText,
      sender: (sender) => hasFields(sender, { username: isText }),
      createdAt: isText,
      updatedAt: isText,
      seq: isNumber,
      rev: isNumber,
      kind: isText,
    }),
    hasMore: isBoolean,
    rev: isNumber,
    readSeq: isNumber,
    unread: isNumber,
  });
  return isRoom ? { ...(value as StoredRoom), deletedRevs: new Map() } : undefined;
}

/** Whether unread messages lie before those that a room has: it must be loaded as far as the first of them. */
export function isMissingUnread({ messages, readSeq, unread, hasMore }: Room): boolean {
  return hasMore && unread > 0 && (messages[0]?.seq ?? 0) > readSeq + 1;
}

/** Whether a stored room may take the place of another: it is as new, or newer. */
export function isAtLeastAsNew(room: StoredRoom, before: StoredRoom): boolean {
  return room.rev === before.rev ? room.readSeq >= before.readSeq : room.rev > before.rev;
}
