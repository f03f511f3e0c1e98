import {
  deliveryOf,
  isPartnerDeleted,
  selectUnsentMessages,
  withPendingReactions,
  type Room,
} from '@parley/client';
import { MessagesSquare } from 'lucide-react';
import { useCallback, useMemo, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Virtualizer, type VirtualizerHandle } from 'virtua';
import { useClientState } from '../../../client/client-context.ts';
import { useToday } from '../../../format/use-today.ts';
import { useLanguage } from '../../../i18n/use-language.ts';
import { EmptyState } from '../../../ui/EmptyState.tsx';
import { Spinner } from '../../../ui/Spinner.tsx';
import { BottomButton } from './BottomButton.tsx';
import { DatePill } from './DatePill.tsx';
import { moveMessageFocus } from './message-focus.ts';
import css from './MessageList.module.css';
import { useMessageMenu } from './menu/use-message-menu.tsx';
import { MessageListItem } from './MessageListItem.tsx';
import { buildTimeline, type TimelineRow } from './timeline.ts';
import { useFirstUnread } from './use-first-unread.ts';
import { useScrollAnchor } from './use-scroll-anchor.ts';

interface MessageListProps {
  room: Room;
  isLoadingOlder: boolean;
  /** Whether the user is reading at the bottom of the list. */
  isReading: boolean;
  onLoadOlder: () => void;
  /** Called when the list reaches or leaves its bottom. */
  onAtBottomChange: (isAtBottom: boolean) => void;
}

/**
 * The virtualized list of a room's messages. It opens at the first unread message, at the saved position or at
 * the bottom.
 */
export function MessageList(props: MessageListProps) {
  const { room, isLoadingOlder, isReading, onLoadOlder, onAtBottomChange } = props;
  const { t } = useTranslation();
  const language = useLanguage();
  const today = useToday();
  const entries = useClientState('outbox', (state) => state.entries);
  const editedMessageId = useClientState('editing', (state) => state.message?._id);
  const receipt = useClientState(
    'chats',
    ({ chats }) => chats.find(({ id }) => id === room.id)?.receipt,
  );
  const firstUnreadSeq = useFirstUnread(room, isReading);
  // Only newer messages are animated.
  const [newestSeqAtOpening] = useState(() => room.messages.at(-1)?.seq ?? 0);

  const { currentUsername, hasMore } = room;
  const intents = useClientState('intents', (state) => state.intents);
  const messages = useMemo(
    () => withPendingReactions(room.messages, intents, currentUsername),
    [room.messages, intents, currentUsername],
  );
  const rows = useMemo(
    () =>
      buildTimeline({
        messages,
        entries: selectUnsentMessages(entries, room.id),
        currentUsername,
        hasMore,
        firstUnreadSeq,
      }),
    [messages, entries, currentUsername, hasMore, firstUnreadSeq, room.id],
  );
  const frame = useRef<HTMLDivElement>(null);
  const { openKey, liftedKey, controls, menu } = useMessageMenu(frame, rows);
  const scroller = useRef<HTMLElement>(null);
  const list = useRef<VirtualizerHandle>(null);
  const scrollAnchor = useScrollAnchor({
    chatroomId: room.id,
    scroller,
    list,
    rows,
    hasMore,
    isLoadingOlder,
    onLoadOlder,
    onAtBottomChange,
  });

  const { tabStopKey, keepMounted, handleFocus } = useTabStop(rows, openKey);
  const hasDeletedPartner = isPartnerDeleted(room);

  return (
    // The arrow keys move the focus between messages. Tab reaches only one of them.
    <div
      ref={frame}
      className={css.frame}
      role="presentation"
      onKeyDown={moveMessageFocus}
      // The events of the menu bubble here, too.
      onFocus={({ target }) => frame.current?.contains(target) && handleFocus(target)}
    >
      {isLoadingOlder && (
        <output className={css.loading}>
          <Spinner />
          {t('room.olderLoading')}
        </output>
      )}
      <section
        ref={scroller}
        className={css.scroller}
        aria-label={t('room.messages', { name: room.partnerName })}
      >
        <div className={css.filler} />
        <Virtualizer
          ref={list}
          as="ol"
          item="li"
          data={rows}
          shift={scrollAnchor.isPrepending}
          bufferSize={600}
          keepMounted={keepMounted}
          onScroll={scrollAnchor.onScroll}
          onResize={scrollAnchor.onResize}
        >
          {({ key, ...row }) => (
            <div key={key} data-key={key} className={css.item}>
              <MessageListItem
                {...row}
                isNew={
                  row.entry !== undefined ||
                  (!row.isOwn && (row.message?.seq ?? 0) > newestSeqAtOpening)
                }
                isTabStop={key === tabStopKey}
                delivery={row.isOwn ? deliveryOf(row.message?.seq, receipt) : 'sent'}
                isEditing={row.message !== undefined && row.message._id === editedMessageId}
                controls={controls}
                isMenuOpen={key === openKey}
                isLifted={key === liftedKey}
                partnerName={room.partnerName}
                isPartnerDeleted={hasDeletedPartner}
                language={language}
                today={today}
              />
            </div>
          )}
        </Virtualizer>
      </section>
      {!isLoadingOlder && (
        <DatePill scroller={scroller} list={list} rows={rows} language={language} today={today} />
      )}
      {rows.length === 0 && (
        <div className={css.empty}>
          <EmptyState
            illustration={<MessagesSquare size={40} />}
            title={t('room.empty')}
            {...(!hasDeletedPartner && { text: t('room.emptyHelp') })}
          />
        </div>
      )}
      <BottomButton
        unread={room.unread}
        isAtBottom={scrollAnchor.isAtBottom}
        onClick={scrollAnchor.scrollToBottom}
      />
      {menu}
    </div>
  );
}

/**
 * Tracks which message Tab reaches: the one that was focused last, or the newest. This message, the one whose menu
 * is open and the one whose recording is playing stay mounted outside the visible part of the list.
 */
function useTabStop(rows: readonly TimelineRow[], openKey: string | undefined) {
  const playingKey = useClientState('playback', (state) => state.key);
  const [tabStop, setTabStop] = useState<string>();
  const keepMounted = useMemo(
    () =>
      rows.flatMap(({ key, message }, index) =>
        key === tabStop ||
        key === openKey ||
        (playingKey !== undefined && message?._id === playingKey)
          ? [index]
          : [],
      ),
    [rows, tabStop, openKey, playingKey],
  );
  const handleFocus = useCallback((target: Element) => {
    setTabStop(target.closest('[data-key]')?.getAttribute('data-key') ?? undefined);
  }, []);
  const tabStopKey = rows.some(({ key }) => key === tabStop) ? tabStop : rows.at(-1)?.key;
  return { tabStopKey, keepMounted, handleFocus };
}
