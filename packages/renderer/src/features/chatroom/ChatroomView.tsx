import { isPartnerDeleted, type ShownChatroom } from '@parley/client';
import { useMemo, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { useClient, useClientState } from '../../client/client-context.ts';
import { MuteMenuItems } from '../../shared/chat-menu/MuteMenuItems.tsx';
import { OutdatedBanner } from '../../shared/screen/OutdatedBanner.tsx';
import { InputFrame } from '../../shared/input-bar/InputFrame.tsx';
import { useOwnLinks } from '../../shared/screen/use-own-links.ts';
import { usePageTitle } from '../../shared/screen/use-page-title.ts';
import { MenuSeparator } from '../../ui/DropdownMenu.tsx';
import css from './ChatroomView.module.css';
import { Composer } from './composer/Composer.tsx';
import { BlockedBar } from './consent/BlockedBar.tsx';
import { RequestBar } from './consent/RequestBar.tsx';
import { ChatroomMenu } from './consent/ChatroomMenu.tsx';
import { useFocusAfterBar, type ChatroomBar } from './consent/use-focus-after-bar.ts';
import { usePartnerDialogs, type PartnerDialogs } from './consent/use-partner-dialogs.tsx';
import { ChatroomImageViewer } from './image/ChatroomImageViewer.tsx';
import { useImageDrop } from './image/use-image-drop.ts';
import { useChooseImages } from './image/use-choose-images.ts';
import { useCloseImageOnMount } from './image/use-open-image.ts';
import { useLinkedMessage } from './jumps/use-linked-message.ts';
import { useListOpening } from './jumps/use-list-opening.ts';
import { useChatroomJumps } from './jumps/use-chatroom-jumps.ts';
import { MessageList } from './messages/MessageList.tsx';
import { useMessageSelection } from './selection/use-message-selection.ts';
import { PartnerStatus } from './PartnerStatus.tsx';
import { ChatroomHeader } from './ChatroomHeader.tsx';
import { ChatroomModeContext, type ChatroomMode } from './chatroom-mode.ts';
import { ChatroomHighlightsContext } from './search/chatroom-highlights.ts';
import { useChatroomTools, type ChatroomTools } from './search/use-chatroom-tools.tsx';
import { useEditedMessageId } from './use-draft.ts';
import { useReading } from './use-reading.ts';

interface ChatroomViewProps {
  room: ShownChatroom;
  isLoadingOlder: boolean;
  /** Whether the room comes from the offline copy, so that newer messages may follow. */
  isFromCopy: boolean;
}

/** A loaded chatroom: its header, messages and composer. */
export function ChatroomView({ room, isLoadingOlder, isFromCopy }: ChatroomViewProps) {
  const { t } = useTranslation();
  const client = useClient();
  const partner = usePartnerState(room);
  const { isDeleted, isRequest, isBlocked, isAccepted, bar, mode } = partner;
  const name = isDeleted ? t('room.deletedName') : room.partnerName;
  const images = useChooseImages(room.id);
  // Dropped images would not be visible while a message is edited.
  const isEditing = useEditedMessageId(room.id) !== undefined;
  const section = useRef<HTMLElement>(null);
  const selection = useMessageSelection(room, section);
  const canDrop = !isEditing && !isDeleted && !isBlocked && !selection.isActive;
  const drop = useImageDrop(canDrop ? images.choose : undefined);
  const isConnected = useClientState(
    'connection',
    ({ disconnectedAt }) => disconnectedAt === undefined,
  );
  // Until the room has resynced, unread messages may follow after the end of the list.
  const isResyncing = isFromCopy && isConnected;
  const { isAttended, isAtBottom, onAtBottomChange, isReading } = useReading(room, isResyncing);
  const jumps = useChatroomJumps(room);
  useLinkedMessage(!isResyncing, isConnected, jumps);
  const opening = useListOpening({
    room,
    isFromCopy,
    isResyncing,
    isAttended,
    isAtBottom,
    jumps,
    onReopen: () => onAtBottomChange(false),
  });
  const refreshError = useClientState('rooms', ({ rooms }) => {
    const entry = rooms[room.id];
    return entry?.status === 'ready' ? entry.refreshError : undefined;
  });
  const dialogs = usePartnerDialogs(room);
  const ownLinks = useOwnLinks();
  const tools = useChatroomTools({ room, jumps, section });
  useFocusAfterBar(section, bar);
  usePageTitle(name);
  useCloseImageOnMount();

  const { Bar } = selection;
  const selectionBar = Bar && (
    <ChatroomModeContext value={mode}>
      <Bar room={room} messages={selection.messages} section={section} onEnd={selection.end} />
    </ChatroomModeContext>
  );

  return (
    <section
      ref={section}
      className={css.room}
      aria-label={name}
      data-room={room.id}
      {...drop.handlers}
      {...ownLinks}
    >
      <ChatroomHeader
        partnerName={room.partnerName}
        isDeleted={isDeleted}
        status={isAccepted && <PartnerStatus room={room} />}
        menu={<HeaderMenu room={room} partner={partner} tools={tools} dialogs={dialogs} />}
      />
      {tools.bar}
      <OutdatedBanner
        text={t('room.outdated')}
        error={refreshError}
        onRetry={() => void client.open(room.id)}
      />
      <ChatroomModeContext value={mode}>
        <ChatroomHighlightsContext value={tools.highlights}>
          <MessageList
            key={opening.key}
            room={room}
            unreadLine={opening.unreadLine}
            opensAtEnd={opening.isAtEnd}
            isLoadingOlder={isLoadingOlder}
            isReading={isReading}
            jumps={jumps}
            selection={selection}
            onChooseDay={tools.chooseDay}
            onAtBottomChange={onAtBottomChange}
          />
        </ChatroomHighlightsContext>
      </ChatroomModeContext>
      {(bar === 'request' || bar === 'undecided') && (
        <RequestBar room={room} onBlock={dialogs.openBlock} onReport={dialogs.openReport} />
      )}
      {room.isSentAsRequest && bar === 'none' && !isDeleted && (
        <p className={css.note}>{t('request.sent', { name })}</p>
      )}
      {bar === 'blocked' ? (
        (selectionBar && <InputFrame>{selectionBar}</InputFrame>) || <BlockedBar room={room} />
      ) : (
        <Composer room={room} selectionBar={selectionBar} onChooseImages={images.choose} />
      )}
      <output className="visually-hidden">
        {selection.isActive && t('selection.count', { count: selection.messages.length })}
      </output>
      {!isRequest && <ChatroomImageViewer room={room} />}
      {images.dialog}
      {dialogs.dialog}
      {tools.dialog}
      {drop.isOver && <p className={css.drop}>{t('composer.dropImage')}</p>}
    </section>
  );
}

/** Whether the partner still exists and has been accepted, and what follows from that. */
interface PartnerState {
  isDeleted: boolean;
  isRequest: boolean;
  isBlocked: boolean;
  /** Whether typing, presence and receipts are told. */
  isAccepted: boolean;
  bar: ChatroomBar;
  mode: ChatroomMode;
}

function usePartnerState(room: ShownChatroom): PartnerState {
  const isDeleted = isPartnerDeleted(room);
  const isRequest = room.status === 'request' && !isDeleted;
  const isUndecided = room.status === 'undecided' && !isDeleted;
  const isBlocked = room.status === 'blocked' && !isDeleted;
  const isAccepted = !isDeleted && !isRequest && !isUndecided && !isBlocked;
  let bar: ChatroomBar = 'none';
  if (isBlocked) bar = 'blocked';
  else if (isRequest) bar = 'request';
  else if (isUndecided) bar = 'undecided';
  const mode = useMemo(
    () => ({
      isQuiet: isRequest,
      isReadOnly: isBlocked || isDeleted,
      canReact: isAccepted,
      canReply: !isRequest && !isBlocked && !isDeleted,
    }),
    [isRequest, isBlocked, isDeleted, isAccepted],
  );
  return { isDeleted, isRequest, isBlocked, isAccepted, bar, mode };
}

interface HeaderMenuProps {
  room: ShownChatroom;
  partner: PartnerState;
  tools: ChatroomTools;
  dialogs: PartnerDialogs;
}

/** The search button and the menu of a room. */
function HeaderMenu({ room: { id }, partner, tools, dialogs }: HeaderMenuProps) {
  const { isDeleted, isRequest, isBlocked } = partner;
  const isMuted = useClientState('chats', ({ chats }) =>
    chats.some((chat) => chat.id === id && chat.isMuted),
  );
  return (
    <>
      {tools.button}
      <ChatroomMenu
        onExport={dialogs.openExport}
        onReport={isDeleted ? undefined : dialogs.openReport}
        onBlock={isDeleted || isBlocked ? undefined : dialogs.openBlock}
        onDelete={isRequest ? undefined : dialogs.openDelete}
      >
        {tools.menuItems}
        {!isDeleted && <MenuSeparator />}
        {!isDeleted && !isRequest && !isBlocked && (
          <>
            <MuteMenuItems chatroomId={id} isMuted={isMuted} />
            <MenuSeparator />
          </>
        )}
      </ChatroomMenu>
    </>
  );
}
