import type { ListedChat } from '@parley/client';
import type { Language } from '@parley/texts';
import { BellOff, EllipsisVertical, Pin } from 'lucide-react';
import { memo, type MouseEvent } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router-dom';
import { useClient } from '../../client/client-context.ts';
import { formatFull, formatWhen } from '../../format/dates.ts';
import { chatPath } from '../../navigation/paths.ts';
import { Avatar } from '../../ui/Avatar.tsx';
import { Badge, DotBadge } from '../../ui/Badge.tsx';
import { classNames } from '../../ui/class-names.ts';
import { ChatMark, ChatMarks } from './ChatMarks.tsx';
import css from './ChatRow.module.css';
import { OnlineDot } from './OnlineDot.tsx';
import { PreviewLine } from './PreviewLine.tsx';

interface ChatRowProps {
  chat: ListedChat;
  isActive: boolean;
  /** Whether Tab reaches this chat. */
  isTabStop: boolean;
  /** Whether the window is at least 1280 pixels wide, which allows longer previews. */
  isWide: boolean;
  language: Language;
  today: Date;
  /** Called when the user clicks the button of the menu. */
  onMenu: (event: MouseEvent<HTMLElement>) => void;
}

/**
 * A chat with its partner, marks, time, last message and unread count, in a row of fixed height. The button for its menu
 * appears below the pointer. A quiet request has no menu, and its count draws no attention.
 */
export const ChatRow = memo(function ChatRow({
  chat,
  isActive,
  isTabStop,
  isWide,
  language,
  today,
  onMenu,
}: ChatRowProps) {
  const { t } = useTranslation();
  const client = useClient();
  const { names, isDeleted, time, isMuted = false, isPinned = false } = chat;
  const isRequest = chat.status === 'request';
  const { unread } = chat;
  const joined = names.join(', ');
  const name = isDeleted ? t('chatList.deletedAccount') : joined || t('chatList.noUsername');
  const isMarked = unread === 0 && chat.isMarkedUnread === true;
  const isUnread = unread > 0 || isMarked;
  const settings = (isPinned || isMuted) && (
    <>
      {isPinned && <ChatMark icon={Pin} label={t('chatList.pinned')} />}
      {isMuted && <ChatMark icon={BellOff} label={t('chatList.muted')} />}
    </>
  );
  // In narrow rows, the name needs the space of these marks, in wide ones the preview.
  const hasSecondLine = !isDeleted || isUnread || (!isWide && settings !== false);
  const row = (
    <Link
      to={chatPath(chat.id)}
      className={classNames(
        css.row,
        css.link,
        !hasSecondLine && css.single,
        isUnread && css.unread,
        isMuted && css.muted,
      )}
      aria-current={isActive ? 'page' : undefined}
      tabIndex={isTabStop ? 0 : -1}
      data-chat={chat.id}
      // The mark of the open chat, which is not opened again.
      onClick={isActive && isMarked ? () => client.markChatRead(chat.id) : undefined}
      data-folded={isRequest || chat.isArchived || undefined}
    >
      <span className={css.avatar}>
        <Avatar name={isDeleted ? undefined : joined} size={48} />
        {!isDeleted && !isRequest && <OnlineDot chatroomId={chat.id} />}
      </span>
      <span className={classNames(css.name, isDeleted && css.deleted)}>
        {isRequest && <span className="visually-hidden">{t('requests.row')} </span>}
        <bdi>{name}</bdi>
      </span>
      <span className={css.when}>
        {isWide && settings}
        <ChatMarks chat={chat} isActive={isActive} />
        {time !== null && (
          <time dateTime={time} title={formatFull(time, language)}>
            {formatWhen(time, language, today)}
          </time>
        )}
      </span>
      {hasSecondLine && (
        <span className={css.second}>
          {!isDeleted && <PreviewLine chat={chat} isWide={isWide} />}
          <span className={css.states}>
            {!isWide && settings}
            <Badge
              count={unread}
              label={t('chatList.unread', { count: unread })}
              isQuiet={isMuted || isRequest}
            />
            {isMarked && <DotBadge label={t('chatList.markedUnread')} isQuiet={isMuted} />}
          </span>
        </span>
      )}
    </Link>
  );
  if (isRequest) return row;
  return (
    <>
      {row}
      {/* Keys open the menu on the row itself. */}
      <button
        type="button"
        className={css.menu}
        tabIndex={-1}
        data-menu-of={chat.id}
        aria-label={t('chatMenu.open', { name })}
        onClick={onMenu}
      >
        <EllipsisVertical />
      </button>
    </>
  );
});
