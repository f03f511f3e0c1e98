import { deliveryOf, isPartnerDeleted, shownPart, type ShownChatroom } from '@parley/client';
import { useRef, type ReactNode, type RefObject } from 'react';
import { useTranslation } from 'react-i18next';
import { Virtualizer, type VirtualizerHandle } from 'virtua';
import { useClientState } from '../../../client/client-context.ts';
import { useToday } from '../../../format/use-clock.ts';
import { useLanguage } from '../../../i18n/use-language.ts';
import { Spinner } from '../../../ui/Spinner.tsx';
import { useMediaQuery } from '../../../ui/use-media-query.ts';
import { useListTarget } from '../jumps/use-list-target.ts';
import type { ChatroomJumps } from '../jumps/use-chatroom-jumps.ts';
import { useSwipeToReply } from '../replies/use-swipe-to-reply.tsx';
import { useChatroomMode } from '../chatroom-mode.ts';
import { useEditedMessageId } from '../use-draft.ts';
import type { MessageSelection } from '../selection/use-message-selection.ts';
import { useRowSelection, type RowSelecting } from '../selection/use-row-selection.ts';
import { useSelectedSeq } from '../search/chatroom-highlights.ts';
import { BottomButton } from './BottomButton.tsx';
import { DatePill } from './DatePill.tsx';
import { EmptyChatroom } from './EmptyChatroom.tsx';
import { handleMessageKeys, useFocusNewest } from './message-focus.ts';
import css from './MessageList.module.css';
import { useMessageMenu, type MessageMenuState } from './menu/use-message-menu.tsx';
import { MessageListItem } from './MessageListItem.tsx';
import { hasKey, hasSeq, itemsOf, type TimelineRow } from './timeline.ts';
import { useArrivals } from './use-arrivals.ts';
import { useFirstUnread } from './use-first-unread.ts';
import { useKeyboardReach } from './use-keyboard-reach.ts';
import { useScrollAnchor } from './use-scroll-anchor.ts';
import { useTabStop } from './use-tab-stop.ts';
import { useTimeline } from './use-timeline.ts';

interface MessageListProps {
  room: ShownChatroom;
  /** `seq` of the message at whose unread line the list opens, even if it is read by now. */
  unreadLine: number | undefined;
  /** Whether the list opens at its end, as the user has gone back there. */
  opensAtEnd: boolean;
  isLoadingOlder: boolean;
  /** Whether the user is reading at the bottom of the list. */
  isReading: boolean;
  jumps: ChatroomJumps;
  selection: MessageSelection;
  /** Called with the time of a message on whose day the user wants to choose another one. */
  onChooseDay: (time: string) => void;
  /** Called when the list reaches or leaves its bottom. */
  onAtBottomChange: (isAtBottom: boolean) => void;
}

/**
 * The virtualized list of a room's messages. It opens at the first unread message, at the saved position or at
 * the bottom.
 */
export function MessageList(props: MessageListProps) {
  const { room, isLoadingOlder, isReading, jumps, selection, onAtBottomChange } = props;
  const { t } = useTranslation();
  const firstUnreadSeq = useFirstUnread(room, isReading, props.unreadLine);
  const rows = useTimeline(room, firstUnreadSeq);
  const isDetached = room.detached !== undefined;
  const frame = useRef<HTMLDivElement>(null);
  const scroller = useRef<HTMLElement>(null);
  const list = useRef<VirtualizerHandle>(null);
  const selecting = useRowSelection(frame, rows, selection);
  const messageMenu = useMessageMenu(frame, rows, jumps.jump, selecting);
  const scrollAnchor = useScrollAnchor({
    chatroomId: room.id,
    scroller,
    list,
    rows,
    hasMore: shownPart(room).hasMore,
    isLoadingOlder,
    isDetached,
    onAtBottomChange,
    target: jumps.target,
    opensAtEnd: props.opensAtEnd,
  });
  const targetKey = useListTarget({ frame, rows, scrollAnchor, jumps });
  const swipeIcon = useReplyBySwipe(frame, rows, !selecting.isActive, messageMenu.reply);
  const tabStop = useTabStop({ scroller, rows, openKey: messageMenu.openKey, targetKey });
  useKeyboardReach(frame);
  useFocusNewest(frame, scrollAnchor.isAtBottom, jumps.takeFocusRequest);
  const view = {
    ...useRowsView(room),
    messageMenu,
    selecting,
    targetKey,
    tabStopKey: tabStop.key,
    arrivedKeys: useArrivals(rows, isDetached),
  };

  return (
    // The arrow keys move the focus between messages. Tab reaches only one of them.
    <div
      ref={frame}
      className={css.frame}
      role="presentation"
      onClickCapture={selecting.handleClick}
      onChange={selecting.handleChange}
      onKeyDown={(event) => {
        if (selecting.handleKey(event)) return;
        handleMessageKeys(event);
        messageMenu.handleLetter(event);
      }}
      // The events of the menu bubble here, too.
      onFocus={({ target }) => frame.current?.contains(target) && tabStop.handleFocus(target)}
    >
      {(isLoadingOlder || jumps.isLoading) && (
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
          shift={scrollAnchor.isShifting}
          bufferSize={600}
          keepMounted={tabStop.keepMounted}
          onScroll={scrollAnchor.onScroll}
          onResize={scrollAnchor.onResize}
        >
          {(row) => <ListRow key={row.key} row={row} view={view} />}
        </Virtualizer>
      </section>
      {!isLoadingOlder && (
        <DatePill
          scroller={scroller}
          list={list}
          rows={rows}
          language={view.language}
          today={view.today}
          onChoose={props.onChooseDay}
        />
      )}
      {rows.length === 0 && <EmptyChatroom room={room} />}
      <BottomButton
        unread={room.unread}
        isAtBottom={isDetached ? false : scrollAnchor.isAtBottom}
        wayBack={jumps.wayBack}
        onClick={() => {
          jumps.showNewest();
          if (!isDetached) scrollAnchor.scrollToBottom();
        }}
      />
      {swipeIcon}
      {messageMenu.menu}
    </div>
  );
}

/** What all rows of a list show alike. */
interface RowsView extends ReturnType<typeof useRowsView> {
  messageMenu: Pick<MessageMenuState, 'openKey' | 'liftedKey' | 'controls'>;
  selecting: Pick<RowSelecting, 'stateOf'>;
  /** The key of the row that the user has jumped to. */
  targetKey: string | undefined;
  /** The key of the row that Tab reaches. */
  tabStopKey: string | undefined;
  /** The keys of the rows to animate. */
  arrivedKeys: ReadonlySet<string>;
}

function useRowsView(room: ShownChatroom) {
  const { id, partnerName } = room;
  const receipt = useClientState(
    'chats',
    ({ chats }) => chats.find((chat) => chat.id === id)?.receipt,
  );
  const editedMessageId = useEditedMessageId(id);
  return {
    receipt,
    editedMessageId,
    hasTouch: useMediaQuery('(hover: none)'),
    foundSeq: useSelectedSeq(),
    partnerName,
    hasDeletedPartner: isPartnerDeleted(room),
    language: useLanguage(),
    today: useToday(),
  };
}

/** A row of the list, which is found by its key and by the `seq` of its message. */
function ListRow({ row, view }: { row: TimelineRow; view: RowsView }) {
  const { key, ...item } = row;
  const { message, isOwn } = row;
  const { messageMenu, foundSeq } = view;
  return (
    <div
      data-key={key}
      data-seq={message?.seq}
      data-found={(foundSeq !== undefined && hasSeq(row, foundSeq)) || undefined}
      className={css.item}
    >
      <MessageListItem
        {...item}
        isNew={view.arrivedKeys.has(key)}
        isTabStop={key === view.tabStopKey}
        delivery={isOwn ? deliveryOf(message?.seq, view.receipt) : 'sent'}
        isEditing={message !== undefined && message._id === view.editedMessageId}
        controls={messageMenu.controls}
        hasTouch={view.hasTouch}
        isMenuOpen={hasKey(row, messageMenu.openKey)}
        isLifted={hasKey(row, messageMenu.liftedKey)}
        isTarget={hasKey(row, view.targetKey)}
        selection={view.selecting.stateOf(row)}
        partnerName={view.partnerName}
        isPartnerDeleted={view.hasDeletedPartner}
        language={view.language}
        today={view.today}
      />
    </div>
  );
}

/** Starts a reply to a message that the user swipes. Returns its icon. */
function useReplyBySwipe(
  frame: RefObject<HTMLElement | null>,
  rows: readonly TimelineRow[],
  isEnabled: boolean,
  reply: MessageMenuState['reply'],
): ReactNode {
  const { canReply } = useChatroomMode();
  return useSwipeToReply(frame, canReply && isEnabled, (bubble) => {
    const key = bubble.closest<HTMLElement>('[data-key]')?.dataset['key'];
    const message = rows.flatMap(itemsOf).find((item) => item.key === key)?.message;
    if (!message) return;
    reply(message);
  });
}
