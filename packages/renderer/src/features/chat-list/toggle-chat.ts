import type { Client, ListedChat } from '@parley/client';
import type { TFunction } from 'i18next';
import { toastInfo } from '../../ui/show-toast.ts';

/** Returns whether a chat has unread messages or a mark as unread. */
export function isUnreadChat({ unread, isMarkedUnread }: ListedChat): boolean {
  return unread > 0 || isMarkedUnread === true;
}

/** Marks a chat as read, or else as unread. */
export function toggleMark(client: Client, chat: ListedChat): void {
  if (isUnreadChat(chat)) client.markChatRead(chat.id);
  else client.markUnread(chat.id);
}

/** Archives a chat, which can be undone for a while, or takes it out of the archive. */
export function toggleArchive(client: Client, t: TFunction, chat: ListedChat): void {
  const { id, isArchived = false, isPinned = false } = chat;
  const pinned = client.chats.getState().chats.filter((each) => each.isPinned);
  client.archive(id, !isArchived);
  if (isArchived) return;
  const undo = (): void => {
    if (!isPinned) return client.archive(id, false);
    // Pinning takes the chat out of the archive, too.
    client.pin(id, true);
    client.orderPinned(pinned.map((each) => each.id));
  };
  toastInfo(t('chatMenu.archived'), {
    action: { label: t('chatMenu.undo'), onSelect: undo },
  });
}
