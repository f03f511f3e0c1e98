import type { DeliveryState } from '@parley/client';
import type { Language } from '@parley/texts';
import { memo } from 'react';
import { useTranslation } from 'react-i18next';
import { formatDay, formatWhen } from '../../../format/dates.ts';
import { classNames } from '../../../ui/class-names.ts';
import { MessageCheck } from '../selection/MessageCheck.tsx';
import type { RowSelection } from '../selection/use-row-selection.ts';
import type { MessageControls } from './menu/message-controls.ts';
import { MessageBubble } from './MessageBubble.tsx';
import css from './MessageListItem.module.css';
import { ChatroomStart } from './ChatroomStart.tsx';
import type { TimelineRow } from './timeline.ts';

interface MessageListItemProps extends Omit<TimelineRow, 'key'> {
  /** Whether to animate the message, because it has just been sent or received. */
  isNew: boolean;
  /** Whether Tab reaches this message. */
  isTabStop: boolean;
  isEditing: boolean;
  controls: MessageControls;
  isMenuOpen: boolean;
  /** Whether the device has no pointer that hovers. */
  hasTouch: boolean;
  /** Whether the user has opened its menu with a long press. */
  isLifted: boolean;
  /** Whether the user has just jumped to it. */
  isTarget: boolean;
  /** Whether it is selected. Undefined unless the user selects messages. */
  selection: RowSelection;
  /** Applies to an own message that was sent. */
  delivery: DeliveryState;
  partnerName: string;
  /** Whether the partner's account was deleted. */
  isPartnerDeleted: boolean;
  language: Language;
  today: Date;
}

/** A message, and the day separator or unread line above it. */
export const MessageListItem = memo(function MessageListItem(props: MessageListItemProps) {
  const { message, entry, isOwn, isFirst, isLast, selection, partnerName, language, today } = props;
  const { t } = useTranslation();
  const time = message?.createdAt ?? entry?.createdAt ?? '';
  const when = formatWhen(time, language, today);
  const images = props.images && t('message.imageCount', { count: props.images.length });
  const name = isOwn
    ? t('message.own', { time: when })
    : t('message.partner', { name: partnerName, time: when });
  const label = images === undefined ? name : `${name}: ${images}`;
  // Follows the ARIA feed pattern: articles are focusable, and Tab reaches one of them.
  const tabStop = { tabIndex: props.isTabStop ? 0 : -1 };
  const isSelected = selection === 'on';
  return (
    <>
      {props.isChatroomStart && (
        <ChatroomStart partnerName={partnerName} isPartnerDeleted={props.isPartnerDeleted} />
      )}
      {props.day !== undefined && (
        <p className={css.day}>
          <time dateTime={props.day.slice(0, 10)}>{formatDay(props.day, language, today)}</time>
        </p>
      )}
      {props.isFirstUnread && <p className={css.unread}>{t('room.newMessages')}</p>}
      <article
        className={classNames(
          css.row,
          isOwn ? css.own : css.partner,
          isFirst && css.first,
          isLast && css.last,
          props.caption === 'image' && css.captioned,
          props.caption === 'caption' && css.caption,
          props.isNew && css.arriving,
          props.isEditing && css.editing,
          props.isLifted && css.lifted,
          props.isTarget && css.target,
          selection && css.selecting,
          isSelected && css.selected,
        )}
        {...tabStop}
        aria-label={isSelected ? t('selection.selected', { message: label }) : label}
        data-selecting={selection}
      >
        {selection && selection !== 'none' && props.caption !== 'image' && (
          <MessageCheck isChecked={isSelected} label={label} isTabStop={props.isTabStop} />
        )}
        <MessageBubble {...props} isTabStop={props.isTabStop && !selection} />
      </article>
    </>
  );
});
