import type { ChatState, Message } from '@parley/contract';

/** Ada's user id. */
const ADA = 'ada-id';

/**
 * Creates what Ada sees of her accepted chat with Bob.
 * @param last the newest message, if there is one
 */
export function createChatState(changes: Partial<ChatState> = {}, last?: Message): ChatState {
  return {
    chatId: 'room',
    rev: last?.rev ?? 1,
    memberRev: 0,
    usernames: ['Bob'],
    isDeletedAccount: false,
    status: 'accepted',
    lastMessage: last ? toLastMessage(last) : null,
    currentUserId: ADA,
    timestamps: last ? [last.createdAt] : [],
    activeAt: last?.createdAt ?? '2025-03-20T09:00:00.000Z',
    unreadMessagesCount: 0,
    readSeq: 0,
    ...changes,
  };
}

function toLastMessage({
  content,
  sender,
  kind,
  seq,
}: Message): NonNullable<ChatState['lastMessage']> {
  return { content, sender: sender.username === 'Ada' ? ADA : 'bob-id', kind, seq };
}
