import { isPartnerDeleted, type Room } from '@parley/client';
import { useCallback, useEffect, useLayoutEffect, useMemo, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useClient, useClientState } from '../../client/client-context.ts';
import { usePageTitle } from '../../shared/screen/use-page-title.ts';
import { toastError } from '../../ui/show-toast.ts';
import css from './ChatroomView.module.css';
import { Composer } from './composer/Composer.tsx';
import { BlockedBar } from './consent/BlockedBar.tsx';
import { RequestBar } from './consent/RequestBar.tsx';
import { RoomMenu } from './consent/RoomMenu.tsx';
import { useFocusAfterBar, type RoomBar } from './consent/use-focus-after-bar.ts';
import { usePartnerDialogs } from './consent/use-partner-dialogs.tsx';
import { ImageViewer } from './image/ImageViewer.tsx';
import { useImageDrop } from './image/use-image-drop.ts';
import { useImageUpload } from './image/use-image-upload.ts';
import { useCloseImageOnMount } from './image/use-open-image.ts';
import { MessageList } from './messages/MessageList.tsx';
import { PartnerStatus } from './PartnerStatus.tsx';
import { RoomHeader } from './RoomHeader.tsx';
import { RoomModeContext } from './room-mode.ts';
import { useIsPageFocused } from './use-is-page-focused.ts';

interface ChatroomViewProps {
  room: Room;
  isLoadingOlder: boolean;
  /** Whether the room comes from the offline copy, so that newer messages may follow. */
  isFromCopy: boolean;
}

/** A loaded chatroom: its header, messages and composer. */
export function ChatroomView({ room, isLoadingOlder, isFromCopy }: ChatroomViewProps) {
  const { t } = useTranslation();
  const client = useClient();
  const isAttended = useIsPageFocused();
  const [isAtBottom, setIsAtBottom] = useState(false);
  const image = useImageUpload(room);
  // Dropped images would not be visible while a message is edited.
  const isEditing = useClientState('editing', ({ message }) => message !== undefined);
  const isDeleted = isPartnerDeleted(room);
  const isRequest = room.isRequest === true && !isDeleted;
  const isBlocked = room.isBlocked === true && !isDeleted;
  let bar: RoomBar = 'none';
  if (isBlocked) bar = 'blocked';
  else if (isRequest) bar = 'request';
  const drop = useImageDrop(isEditing || isDeleted || isBlocked ? undefined : image.choose);
  const { id, unread } = room;
  const isConnected = useClientState(
    'connection',
    ({ disconnectedAt }) => disconnectedAt === undefined,
  );
  // Until the room has resynced, unread messages may follow after the end of the list.
  const isResyncing = isFromCopy && isConnected;
  const isReading = isAtBottom && isAttended && !isResyncing;
  const name = isDeleted ? t('room.deletedName') : room.partnerName;
  // Remounts the list at the first message that arrived while the app was closed.
  const newest = room.messages.at(-1)?.seq;
  const [opening, setOpening] = useState({ isResyncing, newest, count: 0 });
  if (opening.isResyncing !== isResyncing) {
    const isBehind = !isFromCopy && isAtBottom && unread > 0 && newest !== opening.newest;
    setOpening({ isResyncing, newest, count: opening.count + (isBehind ? 1 : 0) });
    if (isBehind) setIsAtBottom(false);
  }
  const mode = useMemo(
    () => ({
      isQuiet: isRequest,
      isReadOnly: isBlocked,
      canReact: !isRequest && !isBlocked && !isDeleted,
    }),
    [isRequest, isBlocked, isDeleted],
  );
  const dialogs = usePartnerDialogs(room);
  const section = useRef<HTMLElement>(null);
  useFocusAfterBar(section, bar);
  usePageTitle(name);
  useCloseImageOnMount();

  useEffect(() => client.view.getState().setView(id, isAtBottom), [client, id, isAtBottom]);
  // Runs before the next paint, so that the badge does not flash for messages read on arrival.
  useLayoutEffect(() => {
    if (unread > 0 && isReading) void client.markRead(id);
  }, [client, id, unread, isReading]);
  useEffect(() => () => client.editing.getState().stop(), [client]);

  const loadOlder = useCallback(() => {
    client.loadOlder(id).catch(() => toastError(t('room.olderFailed')));
  }, [client, id, t]);

  return (
    <section ref={section} className={css.room} aria-label={name} data-room={id} {...drop.handlers}>
      <RoomHeader
        partnerName={room.partnerName}
        isDeleted={isDeleted}
        status={!isDeleted && !isRequest && !isBlocked && <PartnerStatus room={room} />}
        menu={
          !isDeleted && (
            <RoomMenu
              onReport={dialogs.openReport}
              onBlock={isBlocked ? undefined : dialogs.openBlock}
            />
          )
        }
      />
      <RoomModeContext value={mode}>
        <MessageList
          key={opening.count}
          room={room}
          isLoadingOlder={isLoadingOlder}
          isReading={isReading}
          onLoadOlder={loadOlder}
          onAtBottomChange={setIsAtBottom}
        />
      </RoomModeContext>
      {bar === 'request' && <RequestBar room={room} onBlock={dialogs.openBlock} />}
      {bar === 'blocked' ? <BlockedBar room={room} /> : <Composer room={room} image={image} />}
      {!isRequest && <ImageViewer room={room} />}
      {dialogs.dialog}
      {drop.isOver && <p className={css.drop}>{t('composer.dropImage')}</p>}
    </section>
  );
}
