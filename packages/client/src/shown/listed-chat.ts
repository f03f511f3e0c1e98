import type { Chat } from '../stores/chat-list.ts';

/** A chat of the list as it is shown: with changes that the server has not confirmed yet. */
export interface ListedChat extends Chat {
  isArchived?: true;
  /** Whether the chat is muted now. */
  isMuted?: true;
  isMarkedUnread?: true;
}

/** Finds a chat of the list by the id of its chatroom. */
export function findListed(
  { chats }: { readonly chats: readonly ListedChat[] },
  chatroomId: string,
): ListedChat | undefined {
  return chats.find(({ id }) => id === chatroomId);
}

/**
 * Returns the number of unread messages in all chats. Requests, muted and archived chats do not count.
 */
export function selectTotalUnread({ chats }: { readonly chats: readonly ListedChat[] }): number {
  return chats.reduce(
    (sum, { unread, status, isMuted, isArchived }) =>
      status === 'request' || isMuted || isArchived ? sum : sum + unread,
    0,
  );
}
