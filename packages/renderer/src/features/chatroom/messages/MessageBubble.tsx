import type { DeliveryState, MessageEntry } from '@parley/client';
import { contentKind, type Message } from '@parley/contract';
import type { Language } from '@parley/texts';
import { useTranslation } from 'react-i18next';
import { emojiCount } from '../../../format/segments.ts';
import { usePublicConfig } from '../../../host/host-context.ts';
import { classNames } from '../../../ui/class-names.ts';
import { AudioMessage } from '../audio/AudioMessage.tsx';
import { ImageMessage } from '../image/ImageMessage.tsx';
import { useRoomMode } from '../room-mode.ts';
import type { MessageControls } from './menu/message-controls.ts';
import { canEdit } from './menu/message-menu-entries.ts';
import { FailedActions } from './FailedActions.tsx';
import { MessageActions } from './MessageActions.tsx';
import css from './MessageBubble.module.css';
import { MessageMeta } from './MessageMeta.tsx';
import { HiddenMedia } from './HiddenMedia.tsx';
import { MessageText } from './MessageText.tsx';
import { MessageReactions } from './reactions/MessageReactions.tsx';

interface MessageBubbleProps {
  message: Message | undefined;
  entry: MessageEntry | undefined;
  delivery: DeliveryState;
  isOwn: boolean;
  /** Whether it is the first message of its group. */
  isFirst: boolean;
  /** Whether it is the last message of its group, which has the tail. */
  isLast: boolean;
  isTabStop: boolean;
  controls: MessageControls;
  isMenuOpen: boolean;
  partnerName: string;
  language: Language;
  today: Date;
}

/** A message's content in the color of its sender, with its time, state and actions. */
export function MessageBubble(props: MessageBubbleProps) {
  const { message, entry, isOwn, partnerName, language, today } = props;
  const { t } = useTranslation();
  const { mediaPrefix } = usePublicConfig();
  const { isQuiet, isReadOnly } = useRoomMode();
  const isHidden = isQuiet && !isOwn;
  const content = message?.content ?? entry?.content ?? '';
  // The server determines the kind, as a text may look like an upload's URL. Outbox entries have none yet.
  const kind = message?.kind ?? contentKind(content, mediaPrefix);
  const emoji = kind === 'text' ? emojiCount(content) : 0;
  const state = message ? 'sent' : (entry?.state ?? 'waiting');
  const meta = (
    <MessageMeta
      createdAt={message?.createdAt ?? entry?.createdAt ?? ''}
      updatedAt={message?.updatedAt}
      state={state}
      delivery={props.delivery}
      isOwn={isOwn}
      language={language}
      today={today}
    />
  );
  return (
    <div className={css.side} data-own={isOwn || undefined}>
      <div
        className={classNames(
          css.bubble,
          isOwn ? css.own : css.partner,
          !props.isFirst && css.joinedAbove,
          props.isLast ? css.tail : css.joinedBelow,
          isHidden ? css.text : css[kind],
          emoji > 0 && css.emoji,
          state === 'failed' && css.failed,
        )}
        data-message={message?._id ?? entry?.clientId}
        data-state={state}
      >
        {kind === 'text' && (
          <MessageText text={content} emojiCount={emoji}>
            {meta}
          </MessageText>
        )}
        {isHidden && kind !== 'text' && <HiddenMedia kind={kind}>{meta}</HiddenMedia>}
        {!isHidden && kind === 'image' && (
          <ImageMessage
            content={content}
            media={message?.media}
            isOwn={isOwn}
            partnerName={partnerName}
          >
            {meta}
          </ImageMessage>
        )}
        {!isHidden && kind === 'audio' && (
          <AudioMessage
            content={content}
            media={message?.media ?? entry?.media}
            playKey={message?._id ?? entry?.clientId ?? ''}
            isOwn={isOwn}
            partnerName={partnerName}
          >
            {meta}
          </AudioMessage>
        )}
      </div>
      {message && <MessageReactions message={message} isTabStop={props.isTabStop} />}
      <MessageActions
        isOwn={isOwn}
        ownMessage={isOwn ? message : undefined}
        isEditable={canEdit({ kind, isOwn, isReadOnly })}
        isTabStop={props.isTabStop}
        controls={props.controls}
        isMenuOpen={props.isMenuOpen}
      />
      {entry?.state === 'failed' && !message && <FailedActions clientId={entry.clientId} />}
      {entry?.waitReason === 'limit' && !message && (
        <output className={css.limited}>{t('message.limited')}</output>
      )}
    </div>
  );
}
