import { selectUnsentFiles, type FileEntry, type Room } from '@parley/client';
import { LIMITS } from '@parley/contract';
import { useCallback } from 'react';
import { useTranslation } from 'react-i18next';
import { useClient } from '../../../client/client-context.ts';
import { toastError } from '../../../ui/show-toast.ts';
import { useUnsentFiles } from '../use-unsent-files.ts';

/** Accepted types. The server checks the content. */
export const IMAGE_TYPES: readonly string[] = [
  'image/jpeg',
  'image/png',
  'image/svg+xml',
  'image/gif',
  'image/webp',
];

/** Maximum number of unsent images per chatroom. */
const UNSENT_IMAGES_MAX = 10;

/** The unsent images of a chatroom and their actions. */
export interface ImageUpload {
  /** Images that are not uploaded yet, in sending order. */
  files: readonly FileEntry[];
  /** Adds files, and shows errors for those that cannot be sent. */
  choose: (files: Iterable<File>) => void;
  send: () => void;
}

/** Returns the unsent images of a chatroom and their actions. */
export function useImageUpload({ id }: Room): ImageUpload {
  const { t } = useTranslation();
  const client = useClient();
  const files = useUnsentFiles('image', id);

  const choose = useCallback(
    (chosen: Iterable<File>) => {
      const errorTexts = new Set<string>();
      for (const file of chosen) {
        if (!IMAGE_TYPES.includes(file.type)) {
          errorTexts.add(t('composer.imageType'));
        } else if (file.size > LIMITS.imageBytesMax) {
          errorTexts.add(t('composer.imageTooLarge', { size: LIMITS.imageBytesMax / 1024 / 1024 }));
        } else if (
          selectUnsentFiles(client.outbox.getState().entries, 'image', id).length >=
          UNSENT_IMAGES_MAX
        ) {
          errorTexts.add(t('composer.imagesTooMany', { count: UNSENT_IMAGES_MAX }));
        } else {
          client.addMedia('image', id, file, file.name);
        }
      }
      for (const text of errorTexts) toastError(text);
    },
    [client, id, t],
  );

  return { files, choose, send: () => client.sendMedia('image', id) };
}
