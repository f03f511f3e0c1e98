import type { SendableImage } from '@parley/client';
import { checkImageFile, LIMITS, UI, type ImageRefusal } from '@parley/contract';
import { useCallback, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { useClient } from '../../../client/client-context.ts';
import { countUnsentImages } from '../../../client/count-unsent-images.ts';
import { judgeImage, type Sendability } from '../../../client/judge-image.ts';
import { measureImage } from '../../../client/measure-image.ts';
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

  const choose = useCallback(
    (files: Iterable<File>) => {
      const read = async (
        chosen: File,
        signal: AbortSignal,
      ): Promise<SendableImage | undefined> => {
        const found = await inspectImage(chosen);
        if (signal.aborted) return undefined;
        if (found.state !== 'refused') {
          if (found.state === 'sendable') {
            return { file: found.file, media: found.size ?? (await measureImage(found.file)) };
          }
          const file = await offer(found);
          return file && { file, media: await measureImage(file) };
        }
        const texts = {
          type: t('composer.imageType'),
          empty: t('composer.imageEmpty'),
          unreadable: t('composer.imageUnreadable'),
          size: t('composer.imageTooLarge', { size: LIMITS.imageBytesMax / 1024 / 1024 }),
          complex: t('composer.imageTooComplex'),
        };
        toastError(texts[found.reason]);
        return undefined;
      };
      for (const file of files) {
        if (countUnsentImages(client, id) >= UI.unsentImagesMax) {
          toastError(t('composer.imagesTooMany', { count: UI.unsentImagesMax }));
          break;
        }
        client.chooseImage(id, file.name, (signal) => read(file, signal));
      }
    },
    [client, id, offer, t],
  );
  return { choose, dialog };
}

/** Resolves to the image with the type that its bytes tell, and to whether it can be sent. */
async function inspectImage(
  chosen: File,
): Promise<
  | (Extract<Sendability, { state: 'sendable' }> & { readonly file: File })
  | ({ readonly state: 'shrinkable' } & LargeImage)
  | { readonly state: 'refused'; readonly reason: ImageRefusal | 'complex' }
> {
  const { refusal, type } = await checkImageFile(chosen);
  if (type === undefined) return { state: 'refused', reason: refusal };
  const file = new File([chosen], chosen.name, { type });
  const found = await judgeImage(file);
  return found.state === 'refused' ? found : { ...found, file };
}
