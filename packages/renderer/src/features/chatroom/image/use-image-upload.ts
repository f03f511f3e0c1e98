import {
  selectUnsentFiles,
  type FileEntry,
  type QuoteReference,
  type LoadedChatroom,
} from '@parley/client';
import { checkImageFile, LIMITS, UI } from '@parley/contract';
import { useCallback } from 'react';
import { useTranslation } from 'react-i18next';
import { useClient } from '../../../client/client-context.ts';
import { toastError } from '../../../ui/show-toast.ts';
import { useUnsentFiles } from '../use-unsent-files.ts';

/** The unsent images of a chatroom and their actions. */
export interface ImageUpload {
  /** Images that are not uploaded yet, in sending order. */
  files: readonly FileEntry[];
  /** Adds files, and shows errors for those that cannot be sent. */
  choose: (files: Iterable<File>) => void;
  /** Sends the images, with a text as their caption unless it is empty. */
  send: (replyTo: QuoteReference | undefined, caption: string) => void;
}

/** Returns the unsent images of a chatroom and their actions. */
export function useImageUpload({ id }: LoadedChatroom): ImageUpload {
  const { t } = useTranslation();
  const client = useClient();
  const files = useUnsentFiles('image', id);

  const choose = useCallback(
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

  return {
    files,
    choose,
    send: (replyTo, caption) => client.sendMedia('image', id, replyTo, caption),
  };
}
