import { selectUnsentFiles } from '@parley/client';
import { checkImageFile, LIMITS, UI } from '@parley/contract';
import { useCallback, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { useClient } from '../../../client/client-context.ts';
import { toastError } from '../../../ui/show-toast.ts';

/** Returns a function that adds images to the draft of a chatroom, and shows errors for files that cannot be sent. */
export function useChooseImages(id: string): (files: Iterable<File>) => void {
  const { t } = useTranslation();
  const client = useClient();
  /** The last choice. The next one follows it, so that images keep their order. */
  const last = useRef(Promise.resolve());

  return useCallback(
    (chosen: Iterable<File>) => {
      const add = async (files: readonly File[]): Promise<void> => {
        const errorTexts = new Set<string>();
        for (const file of files) {
          const { refusal, type } = await checkImageFile(file);
          if (refusal === 'type') errorTexts.add(t('composer.imageType'));
          else if (refusal === 'empty') errorTexts.add(t('composer.imageEmpty'));
          else if (refusal === 'size') {
            errorTexts.add(
              t('composer.imageTooLarge', { size: LIMITS.imageBytesMax / 1024 / 1024 }),
            );
          } else if (
            selectUnsentFiles(client.outbox.getState().entries, 'image', id).length >=
            UI.unsentImagesMax
          ) {
            errorTexts.add(t('composer.imagesTooMany', { count: UI.unsentImagesMax }));
          } else client.addMedia('image', id, file.slice(0, file.size, type), file.name);
        }
        for (const text of errorTexts) toastError(text);
      };
      // The list of a file input is emptied by the caller.
      const files = [...chosen];
      last.current = last.current.then(() => add(files));
    },
    [client, id, t],
  );
}
