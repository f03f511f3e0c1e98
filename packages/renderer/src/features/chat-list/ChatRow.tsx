import { deliveryOf, type Chat } from '@parley/client';
import type { Language } from '@parley/texts';
import { memo } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router-dom';
import { formatFull, formatWhen } from '../../format/dates.ts';
import { chatPath } from '../../routes/paths.ts';
import { DeliveryIcon } from '../../shared/delivery/DeliveryIcon.tsx';
import { Avatar } from '../../ui/Avatar.tsx';
import { Badge } from '../../ui/Badge.tsx';
import { classNames } from '../../ui/class-names.ts';
import css from './ChatRow.module.css';
import { PreviewLine } from './PreviewLine.tsx';

interface ChatRowProps {
  chat: Chat;
  isActive: boolean;
  /** Whether Tab reaches this chat. */
  isTabStop: boolean;
  /** Whether the window is at least 1280 pixels wide, which allows longer previews. */
  isWide: boolean;
  language: Language;
  today: Date;
}

/** A chat with its partner, time, last message and unread count, which a message request does not show. */
export const ChatRow = memo(function ChatRow({
  chat,
  isActive,
  isTabStop,
  isWide,
  language,
  today,
}: ChatRowProps) {
  const { t } = useTranslation();
  const { names, isDeleted, time } = chat;
  const isRequest = chat.isRequest === true;
  // A message request does not draw attention.
  const unread = isRequest ? 0 : chat.unread;
  const joined = names.join(', ');
  const name = isDeleted ? t('chatList.deletedAccount') : joined || t('chatList.noUsername');
  return (
    <Link
      to={chatPath(chat.id)}
      className={classNames(css.row, css.link, unread > 0 && css.unread)}
      aria-current={isActive ? 'page' : undefined}
      tabIndex={isTabStop ? 0 : -1}
      data-chat={chat.id}
    >
      <Avatar name={isDeleted ? undefined : joined} size={48} />
      <span className={css.words}>
        <span className={classNames(css.line, css.title)}>
          <span className={classNames(css.name, isDeleted && css.deleted)}>
            {isRequest && <span className="visually-hidden">{t('requests.row')} </span>}
            <bdi>{name}</bdi>
          </span>
          {time !== null && (
            <span className={css.time}>
              {chat.last?.isOwn && !isDeleted && (
                <DeliveryIcon delivery={deliveryOf(chat.last.seq, chat.receipt)} />
              )}
              <time dateTime={time} title={formatFull(time, language)}>
                {formatWhen(time, language, today)}
              </time>
            </span>
          )}
        </span>
        {(!isDeleted || unread > 0) && (
          <span className={css.line}>
            {!isDeleted && <PreviewLine chat={chat} isWide={isWide} />}
            <Badge count={unread} label={t('chatList.unread', { count: unread })} />
          </span>
        )}
      </span>
    </Link>
  );
});
