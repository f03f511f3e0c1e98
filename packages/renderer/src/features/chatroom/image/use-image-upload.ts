import { draftsAt, mediaDraftKey, type Room } from '@parley/client';
import { LIMITS } from '@parley/contract';
import { useCallback } from 'react';
import { useTranslation } from 'react-i18next';
import { useClient } from '../../../client/client-context.ts';
import { toastError } from '../../../ui/toasts.ts';
import { useRoomMediaDrafts, type MediaDraftsControl } from '../use-room-media-drafts.ts';
import { IMAGE_TYPES, imageFailure } from './image-failure.ts';

/** Pictures that may wait in one room. */
const AT_ONCE_MAX = 10;

/** Choosing, showing and sending pictures. */
export interface ImageUpload extends Pick<MediaDraftsControl, 'drafts' | 'send' | 'discard'> {
  /** Takes files; tells the person which of them cannot be sent. */
  choose: (files: Iterable<File>) => void;
}

/** The room's pictures that are not sent yet. */
export function useImageUpload(room: Room): ImageUpload {
  const { t } = useTranslation();
  const client = useClient();
  const { drafts, keep, send, discard } = useRoomMediaDrafts('image', room.id, (error) =>
    imageFailure(error, t),
  );

  const choose = useCallback(
    (files: Iterable<File>) => {
      const refusals = new Set<string>();
      const key = mediaDraftKey('image', room.id);
      for (const file of files) {
        if (!IMAGE_TYPES.includes(file.type)) {
          refusals.add(t('composer.imageType'));
        } else if (file.size > LIMITS.imageBytesMax) {
          refusals.add(t('composer.imageTooLarge', { size: LIMITS.imageBytesMax / 1024 / 1024 }));
        } else if (draftsAt(client.mediaDrafts.getState(), key).length >= AT_ONCE_MAX) {
          refusals.add(t('composer.imagesTooMany', { count: AT_ONCE_MAX }));
        } else {
          keep(file, file.name);
        }
      }
      for (const text of refusals) toastError(text);
    },
    [client, keep, room.id, t],
  );

  return { drafts, choose, send, discard };
}
