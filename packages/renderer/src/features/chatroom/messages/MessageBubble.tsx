import type { DeliveryState } from '@parley/client';
import type { Language } from '@parley/texts';
import { useTranslation } from 'react-i18next';
import { isTextKind, mediaViewOf } from '../../../format/message-kinds.ts';
import { emojiCount } from '../../../format/segments.ts';
import { usePublicConfig } from '../../../host/host-context.ts';
import { classNames } from '../../../ui/class-names.ts';
import { MessageQuote } from '../replies/MessageQuote.tsx';
import { useChatroomMode } from '../chatroom-mode.ts';
import type { MessageControls } from './menu/message-controls.ts';
import { canEdit } from './menu/message-menu-entries.ts';
import { FailedActions } from './FailedActions.tsx';
import { ForwardedMark } from './forward/ForwardedMark.tsx';
import { MenuButton } from './MenuButton.tsx';
import { MessageActions } from './MessageActions.tsx';
import css from './MessageBubble.module.css';
import { MessageContent } from './MessageContent.tsx';
import { MessageMeta, MessageMetaButtons } from './MessageMeta.tsx';
import metaCss from './MessageMeta.module.css';
import { MessageReactions } from './reactions/MessageReactions.tsx';
import { contentOf, kindOf, type TimelineRow } from './timeline.ts';

interface MessageBubbleProps extends Omit<TimelineRow, 'key'> {
  delivery: DeliveryState;
  isTabStop: boolean;
  controls: MessageControls;
  isMenuOpen: boolean;
  /** Whether the button of the menu is beside the time, as nothing appears beside the bubble on hover. */
  hasTouch: boolean;
  partnerName: string;
  language: Language;
  today: Date;
}

/** A message's content in the color of its sender, with its time, state and actions. */
export function MessageBubble(props: MessageBubbleProps) {
  const { message, entry, images, isOwn, isTabStop, partnerName, language, today } = props;
  const { t } = useTranslation();
  const { mediaPrefix } = usePublicConfig();
  const { isQuiet, isReadOnly } = useChatroomMode();
  const isHidden = isQuiet && !isOwn;
  const items = images ?? [{ key: '', message, entry }];
  const content = contentOf({ message, entry });
  const kind = kindOf({ message, entry }, mediaPrefix);
  const view = isHidden ? undefined : mediaViewOf(kind);
  // The caption also shows the reactions to the images above it.
  const reactedItems = props.caption === 'image' ? [] : [...(props.captioned ?? []), ...items];
  const reacted = reactedItems.flatMap((item) =>
    item.message?.reactions?.length ? item.message : [],
  );
  // Only the first image of an album is a reply.
  const first = items[0]?.message ?? items[0]?.entry;
  const isReply = first?.replyTo !== undefined;
  const isPlain = !isReply && props.caption === undefined;
  const emoji = isTextKind(kind) && isPlain ? emojiCount(content) : 0;
  const state = message ? 'sent' : (entry?.state ?? 'waiting');
  const menuButton = (
    <MenuButton
      className={props.hasTouch ? metaCss.menu : css.menu}
      isTabStop={isTabStop}
      isOpen={props.isMenuOpen}
      controls={props.controls}
    />
  );
  const actions = isOwn && (
    <MessageActions
      ownMessages={items.flatMap((item) => item.message ?? [])}
      isEditable={canEdit({ kind, isOwn, isReadOnly })}
      isPending={state !== 'failed'}
      isTabStop={isTabStop}
      controls={props.controls}
    />
  );
  // The caption shows the time of the whole album.
  const isTimeBelow = props.caption === 'image';
  const meta = isTimeBelow ? (
    (isOwn || props.hasTouch) && (
      <MessageMetaButtons>
        {actions}
        {props.hasTouch && menuButton}
      </MessageMetaButtons>
    )
  ) : (
    <MessageMeta
      createdAt={message?.createdAt ?? entry?.createdAt ?? ''}
      updatedAt={message?.updatedAt}
      state={state}
      delivery={props.delivery}
      isLimited={entry?.waitReason === 'limit'}
      isOwn={isOwn}
      language={language}
      today={today}
      actions={actions}
      menuButton={props.hasTouch && menuButton}
    />
  );
  return (
    <div
      className={css.side}
      data-own={isOwn || undefined}
      data-reacted={reacted.length > 0 || undefined}
    >
      <div className={css.line}>
        <div
          className={classNames(
            css.bubble,
            isOwn ? css.own : css.partner,
            !props.isFirst && css.joinedAbove,
            !props.isLast && css.joinedBelow,
            props.isLast && view?.isPicture !== true && css.tail,
            css[view?.bubble ?? 'text'],
            emoji > 0 && css.emoji,
            state === 'failed' && css.failed,
            isReply && css.reply,
            props.caption === 'image' && css.captioned,
            props.caption === 'caption' && css.caption,
          )}
          style={{ width: props.width }}
          {...(!images && { 'data-message': message?._id ?? entry?.clientId, 'data-state': state })}
        >
          {(message ?? entry)?.isForwarded && <ForwardedMark />}
          <MessageQuote
            message={items[0]?.message}
            entry={items[0]?.entry}
            isTabStop={isTabStop}
            controls={props.controls}
          />
          <MessageContent
            message={message}
            entry={entry}
            kind={kind}
            content={content}
            images={images}
            emojiCount={emoji}
            isOwn={isOwn}
            isHidden={isHidden}
            isTabStop={isTabStop}
            partnerName={partnerName}
          >
            {meta}
          </MessageContent>
        </div>
        {!props.hasTouch && menuButton}
      </div>
      {reacted.length > 0 && (
        <div className={css.reacted}>
          {reacted.map((each) => (
            <MessageReactions key={each._id} message={each} isTabStop={isTabStop} />
          ))}
        </div>
      )}
      {entry?.state === 'failed' && !message && (
        <FailedActions entry={entry} isTabStop={isTabStop} />
      )}
      {entry?.waitReason === 'limit' && !message && (
        <output className={css.limited}>{t('message.limited')}</output>
      )}
    </div>
  );
}
