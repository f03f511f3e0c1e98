import { selectUnsentFiles, type FileEntry, type Room } from '@parley/client';
import { LIMITS } from '@parley/contract';
import { useCallback } from 'react';
import { useTranslation } from 'react-i18next';
import { useClient } from '../../../client/client-context.ts';
import { toastError } from '../../../ui/toasts.ts';
import { useUnsentFiles } from '../use-unsent-files.ts';

/** What may be chosen; the server looks at the bytes. */
export const IMAGE_TYPES: readonly string[] = [
  'image/jpeg',
  'image/png',
  'image/svg+xml',
  'image/gif',
  'image/webp',
];

/** Pictures that may wait in one room. */
const AT_ONCE_MAX = 10;

/** Choosing, showing and sending pictures. */
export interface ImageUpload {
  /** Those that are not uploaded yet, in the order in which they go out. */
  files: readonly FileEntry[];
  /** Takes files; tells the user which of them cannot be sent. */
  choose: (files: Iterable<File>) => void;
  send: () => void;
}

/** The room's pictures that are not sent yet. */
export function useImageUpload({ id }: Room): ImageUpload {
  const { t } = useTranslation();
  const client = useClient();
  const files = useUnsentFiles('image', id);

  const choose = useCallback(
    (chosen: Iterable<File>) => {
      const refusals = new Set<string>();
      for (const file of chosen) {
        if (!IMAGE_TYPES.includes(file.type)) {
          refusals.add(t('composer.imageType'));
        } else if (file.size > LIMITS.imageBytesMax) {
          refusals.add(t('composer.imageTooLarge', { size: LIMITS.imageBytesMax / 1024 / 1024 }));
        } else if (
          selectUnsentFiles(client.outbox.getState().entries, 'image', id).length >= AT_ONCE_MAX
        ) {
          refusals.add(t('composer.imagesTooMany', { count: AT_ONCE_MAX }));
        } else {
          client.addMedia('image', id, file, file.name);
        }
      }
      for (const text of refusals) toastError(text);
    },
    [client, id, t],
  );

  return { files, choose, send: () => client.sendMedia('image', id) };
}
