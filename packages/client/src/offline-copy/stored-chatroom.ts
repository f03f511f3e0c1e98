import {
  createListCheck,
  hasFields,
  isBoolean,
  isNumber,
  isOptionalBoolean,
  isText,
  isTextList,
} from '../api/responses.ts';
import { isQuote } from '../stores/quotes.ts';
import type { LoadedChatroom } from '../stores/loaded-chatroom.ts';

/** A chatroom in the offline copy. */
export type StoredChatroom = Omit<LoadedChatroom, 'deletedRevs' | 'detached'>;

/** Messages to store per chatroom. */
const MESSAGES_KEPT = 50;
/** Messages to store if more are unread. */
const UNREAD_KEPT = 200;

/** Returns the part of a chatroom to store: its newest messages, including unread ones. */
export function toStoredChatroom(room: LoadedChatroom): StoredChatroom {
  const { deletedRevs: _deletedRevs, detached: _detached, ...kept } = room;
  const unread = room.messages.filter(({ seq }) => seq > room.readSeq).length;
  const count = Math.min(UNREAD_KEPT, Math.max(MESSAGES_KEPT, unread));
  const messages = room.messages.slice(-count);
  return { ...kept, messages, hasMore: room.hasMore || messages.length < room.messages.length };
}

const isReactionList = createListCheck({ emoji: isText, usernames: isTextList });

/** Parses a stored chatroom. Returns undefined for any other value. */
export function parseStoredChatroom(value: unknown, id: string): LoadedChatroom | undefined {
  const isStoredChatroom = hasFields(value, {
    id: (it) => it === id,
    partnerName: isText,
    currentUsername: isText,
    messages: createListCheck({
      _id: isText,
      chatroom: (it) => it === id,
      content: isText,
      sender: (sender) => hasFields(sender, { username: isText }),
      createdAt: isText,
      updatedAt: isText,
      seq: isNumber,
      rev: isNumber,
      kind: isText,
      reactions: (reactions) => reactions === undefined || isReactionList(reactions),
      replyTo: (replyTo) => replyTo === undefined || isQuote(replyTo),
    }),
    hasMore: isBoolean,
    rev: isNumber,
    readSeq: isNumber,
    unread: isNumber,
    memberRev: isNumber,
    // A blocked chatroom is never stored.
    status: (status) => isText(status) && status !== 'blocked',
    isSentAsRequest: isOptionalBoolean,
  });
  return isStoredChatroom ? { ...(value as StoredChatroom), deletedRevs: new Map() } : undefined;
}

/** Returns whether a chatroom has unread messages that are older than the loaded ones. */
export function isMissingUnread({ messages, readSeq, unread, hasMore }: LoadedChatroom): boolean {
  return hasMore && unread > 0 && (messages[0]?.seq ?? 0) > readSeq + 1;
}

/** Returns whether a stored chatroom is at least as new as `before` and may replace it. */
export function isAtLeastAsNew(room: StoredChatroom, before: StoredChatroom): boolean {
  if (room.rev !== before.rev) return room.rev > before.rev;
  if (room.memberRev !== before.memberRev) return room.memberRev > before.memberRev;
  return room.readSeq >= before.readSeq;
}
