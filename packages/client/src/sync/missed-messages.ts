import type { LastReaction } from '@parley/contract';
import type { IncomingMessage } from '../notification-arbiter.ts';
import type { Chat } from '../stores/chat-list.ts';

/**
 * Finds the messages and reactions that arrived during a disconnection, at most one of each for a chat: its newest
 * message, unless it is read or the current user sent it, and the latest reaction. A known request has no new messages.
 * @param before the chat list before the disconnection
 * @param after the reloaded chat list, before the chatrooms resync
 */
export function findMissedMessages(
  before: readonly Chat[],
  after: readonly Chat[],
): IncomingMessage[] {
  const known = new Map(before.map((chat) => [chat.id, chat]));
  return after.flatMap((chat) => {
    const earlier = known.get(chat.id);
    return [...findMissedMessage(earlier, chat), ...findMissedReaction(earlier, chat)];
  });
}

function findMissedMessage(
  before: Chat | undefined,
  { id, rev, names, unread, last, activeAt, status }: Chat,
): IncomingMessage[] {
  const isRequest = status === 'request';
  if (!last || last.isOwn || unread === 0 || (isRequest && before)) return [];
  // A server that was restored from a backup gives positions again. Unlike the time of a message, its place in the
  // list is later than that of each earlier one, also if the clock was put back between them.
  const isNew = last.seq > (before?.last?.seq ?? 0) || activeAt > (before?.activeAt ?? '');
  if (!isNew) return [];
  const { kind, content, seq } = last;
  const key = `${id}.${rev}`;
  const message = { key, chatroomId: id, name: names.join(', '), kind, content, seq };
  return [{ ...message, ...(isRequest && { isRequest }) }];
}

function findMissedReaction(
  before: Chat | undefined,
  { id, names, reaction }: Chat,
): IncomingMessage[] {
  if (!reaction || isSameReaction(reaction, before?.reaction)) return [];
  const { messageId, emoji, kind, content } = reaction;
  const key = `${messageId}:${emoji}`;
  return [{ key, chatroomId: id, name: names.join(', '), kind, content, reaction: emoji }];
}

/** Returns whether two reactions are the same one. The message that it refers to may have been edited. */
function isSameReaction(a: LastReaction, b: LastReaction | undefined): boolean {
  return a.messageId === b?.messageId && a.emoji === b.emoji && a.createdAt === b.createdAt;
}
