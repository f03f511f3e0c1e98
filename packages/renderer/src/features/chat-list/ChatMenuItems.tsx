import type { ListedChat } from '@parley/client';
import { LIMITS } from '@parley/contract';
import { Archive, ArchiveRestore, Mail, MailOpen, Pin, PinOff } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { useClient } from '../../client/client-context.ts';
import { MuteMenuItems } from '../../shared/chat-menu/MuteMenuItems.tsx';
import { MenuItem, MenuSeparator } from '../../ui/DropdownMenu.tsx';
import { toastError, toastInfo } from '../../ui/show-toast.ts';

/** The items of the menu of a chat in the list. */
export function ChatMenuItems({ chat }: { chat: ListedChat }) {
  const { t } = useTranslation();
  const client = useClient();
  const { id, isDeleted, isArchived = false, isPinned = false, isMuted = false } = chat;
  const isUnread = chat.unread > 0 || chat.isMarkedUnread === true;

  const toggleMark = (): void => {
    if (isUnread) client.markChatRead(id);
    else client.markUnread(id);
  };

  const togglePin = (): void => {
    const { chats } = client.chats.getState();
    const pinned = chats.filter((each) => each.isPinned).length;
    if (!isPinned && pinned >= LIMITS.pinnedChatsMax) {
      toastError(t('chatMenu.pinLimit', { count: LIMITS.pinnedChatsMax }));
    } else client.pin(id, !isPinned);
  };

  const toggleArchive = (): void => {
    client.archive(id, !isArchived);
    if (isArchived) return;
    // Pinning takes the chat out of the archive, too.
    const undo = (): void => (isPinned ? client.pin(id, true) : client.archive(id, false));
    toastInfo(t('chatMenu.archived'), {
      action: { label: t('chatMenu.undo'), onSelect: undo },
    });
  };

  return (
    <>
      <MenuItem icon={isUnread ? <MailOpen /> : <Mail />} onClick={toggleMark}>
        {t(isUnread ? 'chatMenu.markRead' : 'chatMenu.markUnread')}
      </MenuItem>
      {!isDeleted && !isArchived && (
        <MenuItem icon={isPinned ? <PinOff /> : <Pin />} onClick={togglePin}>
          {t(isPinned ? 'chatMenu.unpin' : 'chatMenu.pin')}
        </MenuItem>
      )}
      <MenuItem icon={isArchived ? <ArchiveRestore /> : <Archive />} onClick={toggleArchive}>
        {t(isArchived ? 'chatMenu.unarchive' : 'chatMenu.archive')}
      </MenuItem>
      {!isDeleted && (
        <>
          <MenuSeparator />
          <MuteMenuItems chatroomId={id} isMuted={isMuted} />
        </>
      )}
    </>
  );
}
