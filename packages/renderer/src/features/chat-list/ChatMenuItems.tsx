import type { ListedChat } from '@parley/client';
import { LIMITS } from '@parley/contract';
import { Archive, ArchiveRestore, Mail, MailOpen, Pin, PinOff } from 'lucide-react';
import { Suspense } from 'react';
import { useTranslation } from 'react-i18next';
import { useClient } from '../../client/client-context.ts';
import { MuteMenuItems } from '../../shared/chat-menu/MuteMenuItems.tsx';
import { MenuItem, MenuSeparator } from '../../ui/DropdownMenu.tsx';
import { toastError } from '../../ui/show-toast.ts';
import { LazyDeleteChatItem, LazyPinMoveItems } from './lazy-gestures.ts';
import { isUnreadChat, toggleArchive, toggleMark } from './toggle-chat.ts';

interface ChatMenuItemsProps {
  chat: ListedChat;
  onDelete: () => void;
}

/** The items of the menu of a chat in the list. */
export function ChatMenuItems({ chat, onDelete }: ChatMenuItemsProps) {
  const { t } = useTranslation();
  const client = useClient();
  const { id, isDeleted, isArchived = false, isPinned = false, isMuted = false } = chat;
  const isUnread = isUnreadChat(chat);

  const togglePin = (): void => {
    const { chats } = client.chats.getState();
    const pinned = chats.filter((each) => each.isPinned).length;
    if (!isPinned && pinned >= LIMITS.pinnedChatsMax) {
      toastError(t('chatMenu.pinLimit', { count: LIMITS.pinnedChatsMax }));
    } else client.pin(id, !isPinned);
  };

  return (
    <>
      <MenuItem icon={isUnread ? <MailOpen /> : <Mail />} onClick={() => toggleMark(client, chat)}>
        {t(isUnread ? 'chatMenu.markRead' : 'chatMenu.markUnread')}
      </MenuItem>
      {!isDeleted && !isArchived && (
        <MenuItem icon={isPinned ? <PinOff /> : <Pin />} onClick={togglePin}>
          {t(isPinned ? 'chatMenu.unpin' : 'chatMenu.pin')}
        </MenuItem>
      )}
      {isPinned && (
        <Suspense>
          <LazyPinMoveItems chatroomId={id} />
        </Suspense>
      )}
      <MenuItem
        icon={isArchived ? <ArchiveRestore /> : <Archive />}
        onClick={() => toggleArchive(client, t, chat)}
      >
        {t(isArchived ? 'chatMenu.unarchive' : 'chatMenu.archive')}
      </MenuItem>
      {!isDeleted && (
        <>
          <MenuSeparator />
          <MuteMenuItems chatroomId={id} isMuted={isMuted} />
        </>
      )}
      <Suspense>
        <LazyDeleteChatItem onDelete={onDelete} />
      </Suspense>
    </>
  );
}
