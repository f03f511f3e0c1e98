import { selectUnsentFiles } from '@parley/client';
import { checkImageFile, LIMITS, UI, type ImageRefusal } from '@parley/contract';
import { useCallback, useRef, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { useClient } from '../../../client/client-context.ts';
import { judgeImage } from '../../../client/shrink-image.ts';
import {
  useSmallerCopies,
  type LargeImage,
} from '../../../shared/smaller-copies/use-smaller-copies.tsx';
import { toastError } from '../../../ui/show-toast.ts';

interface ChooseImages {
  choose: (files: Iterable<File>) => void;
  dialog: ReactNode;
}

/**
 * Returns a function that adds images to the draft of a chatroom, and shows errors for files that cannot be sent. Its
 * dialog offers smaller copies of images that are too large.
 */
export function useChooseImages(id: string): ChooseImages {
  const { t } = useTranslation();
  const client = useClient();
  const { offer, dialog } = useSmallerCopies();
  /** The last choice. The next one follows it, so that images keep their order. */
  const last = useRef(Promise.resolve());

  const choose = useCallback(
    (chosen: Iterable<File>) => {
      const errorTexts = new Set<string>();
      const add = (file: File): void => {
        const { entries } = client.outbox.getState();
        if (selectUnsentFiles(entries, 'image', id).length >= UI.unsentImagesMax) {
          errorTexts.add(t('composer.imagesTooMany', { count: UI.unsentImagesMax }));
        } else client.addMedia('image', id, file, file.name);
      };
      const addAll = async (files: readonly File[]): Promise<void> => {
        const large: LargeImage[] = [];
        for (const file of files) {
          const found = await inspectImage(file);
          if (found.state === 'refused') {
            const texts = {
              type: t('composer.imageType'),
              empty: t('composer.imageEmpty'),
              size: t('composer.imageTooLarge', { size: LIMITS.imageBytesMax / 1024 / 1024 }),
              complex: t('composer.imageTooComplex'),
            };
            errorTexts.add(texts[found.reason]);
          } else if (found.state === 'shrinkable') large.push(found);
          else add(found.file);
        }
        if (large.length > 0) for (const copy of await offer(large)) add(copy);
        for (const text of errorTexts) toastError(text);
      };
      // The list of a file input is emptied by the caller.
      const files = [...chosen];
      last.current = last.current.then(() => addAll(files));
    },
    [client, id, offer, t],
  );
  return { choose, dialog };
}

/** Resolves to the image with the type that its bytes tell, and to whether it can be sent. */
async function inspectImage(
  chosen: File,
): Promise<
  | { readonly state: 'sendable'; readonly file: File }
  | ({ readonly state: 'shrinkable' } & LargeImage)
  | { readonly state: 'refused'; readonly reason: ImageRefusal | 'complex' }
> {
  const { refusal, type } = await checkImageFile(chosen);
  if (type === undefined) return { state: 'refused', reason: refusal };
  const file = new File([chosen], chosen.name, { type });
  const found = await judgeImage(file);
  return found.state === 'refused' ? found : { ...found, file };
}
