import { LIMITS } from '@parley/contract';
import { useCallback } from 'react';
import { useTranslation } from 'react-i18next';
import type { Room } from '../../../stores/room.ts';
import { toastError } from '../../../ui/toasts.ts';
import { useMediaDraft, type MediaDraftControl } from '../use-media-draft.ts';
import { IMAGE_TYPES, imageFailure } from './image-failure.ts';

/** Choosing, showing and sending one picture. */
export interface ImageUpload extends Pick<MediaDraftControl, 'draft' | 'send' | 'drop'> {
  /** Takes a file; tells the person where it is none that can be sent. */
  choose: (file: File | null | undefined) => void;
}

/** Lets the person choose one picture for a room. Leaving the room stops an upload. */
/** The room's picture that is not sent yet. */
export function useImageUpload(room: Room): ImageUpload {
  const { t } = useTranslation();
  const { draft, keep, send, drop } = useMediaDraft('image', room.id, (error) =>
    imageFailure(error, t),
  );

  const choose = useCallback(
    (file: File | null | undefined) => {
      if (!file) return;
      if (!IMAGE_TYPES.includes(file.type)) {
        toastError(t('composer.imageType'));
        return;
      }
      if (file.size > LIMITS.imageBytesMax) {
        toastError(t('composer.imageTooLarge', { size: LIMITS.imageBytesMax / 1024 / 1024 }));
        return;
      }
      keep(file, file.name);
    },
    [keep, t],
  );

  return { draft, choose, send, drop };
}
