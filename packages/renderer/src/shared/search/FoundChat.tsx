import type { ListedChat } from '@parley/client';
import { useTranslation } from 'react-i18next';
import { Avatar, type AvatarSize } from '../../ui/Avatar.tsx';
import { Badge, DotBadge } from '../../ui/Badge.tsx';
import { classNames } from '../../ui/class-names.ts';
import css from './results.module.css';

interface FoundChatProps {
  chat: ListedChat;
  size?: AvatarSize;
}

/** A chat that was found by its name: the partner and the unread count. */
export function FoundChat({ chat, size = 40 }: FoundChatProps) {
  const { t } = useTranslation();
  const { names, isDeleted, unread, isMuted = false } = chat;
  const name = isDeleted ? t('chatList.deletedAccount') : names.join(', ');
  return (
    <span className={css.result}>
      <Avatar name={isDeleted ? undefined : names[0]} size={size} />
      <bdi className={classNames(css.name, css.chat)}>{name}</bdi>
      <Badge count={unread} label={t('chatList.unread', { count: unread })} isQuiet={isMuted} />
      {unread === 0 && chat.isMarkedUnread && (
        <DotBadge label={t('chatList.markedUnread')} isQuiet={isMuted} />
      )}
    </span>
  );
}
