import { isPartnerDeleted, type Room } from '@parley/client';
import { useCallback, useEffect, useLayoutEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useClient, useClientState } from '../../client/client-context.ts';
import { usePageTitle } from '../../shared/screen/use-page-title.ts';
import { toastError } from '../../ui/toasts.ts';
import css from './Chatroom.module.css';
import { Composer } from './composer/Composer.tsx';
import { ImageViewer } from './image/ImageViewer.tsx';
import { useImageDrop } from './image/use-image-drop.ts';
import { useImageUpload } from './image/use-image-upload.ts';
import { useNoPictureAtFirst } from './image/use-open-picture.ts';
import { MessageList } from './messages/MessageList.tsx';
import { RoomHeader } from './RoomHeader.tsx';
import { usePageAttended } from './use-page-attended.ts';

/** A room that is loaded: its header, its messages and the composer. */
export function Chatroom({ room, isLoadingOlder }: { room: Room; isLoadingOlder: boolean }) {
  const { t } = useTranslation();
  const client = useClient();
  const isAttended = usePageAttended();
  const [isAtBottom, setIsAtBottom] = useState(false);
  const image = useImageUpload(room);
  // What would come while a message is changed could not be seen.
  const isEditing = useClientState('editing', ({ message }) => message !== undefined);
  const isDeleted = isPartnerDeleted(room);
  const drop = useImageDrop(isEditing || isDeleted ? undefined : image.choose);
  const { id, unread } = room;
  const isReading = isAtBottom && isAttended;
  const name = isDeleted ? t('room.deletedName') : room.partnerName;
  usePageTitle(name);
  useNoPictureAtFirst();

  useEffect(() => client.view.getState().setView(id, isAtBottom), [client, id, isAtBottom]);
  // Before the next paint, so that no badge flashes for what is read as it arrives.
  useLayoutEffect(() => {
    if (unread > 0 && isReading) void client.markRead(id);
  }, [client, id, unread, isReading]);
  useEffect(() => () => client.editing.getState().stop(), [client]);

  const loadOlder = useCallback(() => {
    client.loadOlder(id).catch(() => toastError(t('room.olderFailed')));
  }, [client, id, t]);

  return (
    <section className={css.room} aria-label={name} data-room={id} {...drop.handlers}>
      <RoomHeader partnerName={room.partnerName} isDeleted={isDeleted} />
      <MessageList
        room={room}
        isLoadingOlder={isLoadingOlder}
        isReading={isReading}
        onLoadOlder={loadOlder}
        onAtBottomChange={setIsAtBottom}
      />
      <Composer room={room} image={image} />
      <ImageViewer room={room} />
      {drop.isOver && <p className={css.drop}>{t('composer.dropImage')}</p>}
    </section>
  );
}
