import type { ChatSummary, Message, MessageKind } from '@parley/contract';

/** A chat as the list shows it. */
export interface Chat {
  id: string;
  /** The other participants. */
  names: readonly string[];
  isDeleted: boolean;
  last: { content: string; kind: MessageKind; isOwn: boolean } | null;
  /** Time of the newest message, ISO 8601; null where there is none. */
  time: string | null;
  unread: number;
  /** The room's revision that this entry stands for. */
  rev: number;
}

/** A chat from the server's list. */
export function chatOf(summary: ChatSummary): Chat {
  const { lastMessage: last } = summary;
  return {
    id: summary.chatId,
    names: summary.usernames,
    isDeleted: summary.isDeletedAccount,
    last: last && {
      content: last.content,
      kind: last.kind,
      isOwn: last.sender === summary.currentUserId,
    },
    time: summary.timestamps[0] ?? null,
    unread: summary.unreadMessagesCount,
    rev: summary.rev,
  };
}

/**
 * The server's list, joined with what arrived while it was on its way: an entry that is newer here
 * stays, and one that says the same stays the same object, so that its row need not render again.
 */
export function mergeChats(current: readonly Chat[], incoming: readonly Chat[]): readonly Chat[] {
  const known = new Map(current.map((chat) => [chat.id, chat]));
  const merged = incoming.map((chat) => {
    const own = known.get(chat.id);
    if (!own) return chat;
    return own.rev > chat.rev || isSame(own, chat) ? own : chat;
  });
  return sortChats(merged);
}

/**
 * The list after a new message, or undefined where it cannot be told from the message alone and the
 * list must be fetched: an unknown room, or changes that were missed before it.
 */
export function withMessage(
  chats: readonly Chat[],
  message: Message,
  isOwn: boolean,
): readonly Chat[] | undefined {
  const chat = chats.find(({ id }) => id === message.chatroom);
  if (!chat) return undefined;
  if (message.rev <= chat.rev) return chats;
  if (message.rev > chat.rev + 1) return undefined;
  return replace(chats, {
    ...chat,
    last: { content: message.content, kind: message.kind, isOwn },
    time: message.createdAt,
    unread: isOwn ? chat.unread : chat.unread + 1,
    rev: message.rev,
  });
}

/** The list after the number of unread messages of a room became known. */
export function withUnread(chats: readonly Chat[], id: string, unread: number): readonly Chat[] {
  const chat = chats.find((each) => each.id === id);
  return !chat || chat.unread === unread ? chats : replace(chats, { ...chat, unread });
}

/** Unread messages in all chats. */
export function totalUnread(chats: readonly Chat[]): number {
  return chats.reduce((sum, chat) => sum + chat.unread, 0);
}

function replace(chats: readonly Chat[], changed: Chat): readonly Chat[] {
  return sortChats(chats.map((chat) => (chat.id === changed.id ? changed : chat)));
}

// Living partners by newest message first, deleted accounts last.
function sortChats(chats: readonly Chat[]): readonly Chat[] {
  return chats.toSorted(
    (a, b) =>
      Number(a.isDeleted) - Number(b.isDeleted) || (b.time ?? '').localeCompare(a.time ?? ''),
  );
}

function isSame(a: Chat, b: Chat): boolean {
  return JSON.stringify({ ...a, ...b }) === JSON.stringify(a);
}
