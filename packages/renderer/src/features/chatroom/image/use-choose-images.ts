import { selectUnsentFiles } from '@parley/client';
import { checkImageFile, LIMITS, UI } from '@parley/contract';
import { useCallback } from 'react';
import { useTranslation } from 'react-i18next';
import { useClient } from '../../../client/client-context.ts';
import { toastError } from '../../../ui/show-toast.ts';

/** Returns a function that adds images to the draft of a chatroom, and shows errors for files that cannot be sent. */
export function useChooseImages(id: string): (files: Iterable<File>) => void {
  const { t } = useTranslation();
  const client = useClient();
  return useCallback(
    (chosen: Iterable<File>) => {
      const errorTexts = new Set<string>();
      for (const file of chosen) {
        const refusal = checkImageFile(file);
        if (refusal === 'type' || refusal === 'empty') {
          errorTexts.add(t('composer.imageType'));
        } else if (refusal === 'size') {
          errorTexts.add(t('composer.imageTooLarge', { size: LIMITS.imageBytesMax / 1024 / 1024 }));
        } else if (
          selectUnsentFiles(client.outbox.getState().entries, 'image', id).length >=
          UI.unsentImagesMax
        ) {
          errorTexts.add(t('composer.imagesTooMany', { count: UI.unsentImagesMax }));
        } else {
          client.addMedia('image', id, file, file.name);
        }
      }
      for (const text of errorTexts) toastError(text);
    },
    [client, id, t],
  );
}
