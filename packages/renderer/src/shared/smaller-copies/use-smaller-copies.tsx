import { useCallback, useEffect, useRef, useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { shrinkImage } from '../../client/shrink-image.ts';
import { formatFileSize } from '../../format/file-size.ts';
import { useLanguage } from '../../i18n/use-language.ts';
import { ConfirmDialog } from '../../ui/ConfirmDialog.tsx';
import { toastError } from '../../ui/show-toast.ts';
import css from './SmallerCopies.module.css';

/** An image that is too large to send. */
export interface LargeImage {
  readonly file: File;
  readonly megapixels: number;
}

interface SmallerCopies {
  /**
   * Offers to make a smaller copy of an image, together with others that wait for a response. Resolves to the copy, or
   * to undefined if the user declines, the copy cannot be made, or the user leaves the screen.
   */
  offer: (image: LargeImage) => Promise<File | undefined>;
  dialog: ReactNode;
}

/** An image that waits for the user's response. */
interface Offer extends LargeImage {
  readonly respond: (copy: File | undefined) => void;
}

/** Returns a function that offers to make smaller copies of images, and its dialog, which shows them all. */
export function useSmallerCopies(): SmallerCopies {
  const { t } = useTranslation();
  const language = useLanguage();
  /** What the dialog shows. It stays while the dialog closes. */
  const [offered, setOffered] = useState<readonly Offer[]>([]);
  const [isOpen, setIsOpen] = useState(false);
  const [isBusy, setIsBusy] = useState(false);
  /** The offers without a response. Each dialog has another array. */
  const waiting = useRef<Offer[]>([]);
  const hasLeft = useRef(false);
  const count = offered.length;

  const offer = useCallback(
    (image: LargeImage): Promise<File | undefined> => {
      if (hasLeft.current) {
        toastError(t('smallerCopy.left', { name: image.file.name }));
        return Promise.resolve(undefined);
      }
      const { promise, resolve } = Promise.withResolvers<File | undefined>();
      waiting.current.push({ ...image, respond: resolve });
      setOffered([...waiting.current]);
      setIsOpen(true);
      return promise;
    },
    [t],
  );

  const respond = useCallback((copies: ReadonlyMap<Offer, File>): void => {
    const offers = waiting.current;
    waiting.current = [];
    for (const each of offers) each.respond(copies.get(each));
  }, []);
  useEffect(() => {
    hasLeft.current = false;
    return () => {
      hasLeft.current = true;
      respond(new Map());
    };
  }, [respond]);

  const close = (copies: ReadonlyMap<Offer, File> = new Map()): void => {
    setIsOpen(false);
    setIsBusy(false);
    respond(copies);
  };

  const confirm = async (): Promise<void> => {
    const offers = waiting.current;
    setIsBusy(true);
    const copies = new Map<Offer, File>();
    // Includes images that are offered in the meantime.
    for (const each of offers) {
      try {
        copies.set(each, await shrinkImage(each.file));
      } catch {
        toastError(t('smallerCopy.failed', { name: each.file.name }));
      }
      // The user may have canceled in the meantime.
      if (waiting.current !== offers) return;
    }
    close(copies);
  };

  const formatNumber = (value: number): string =>
    new Intl.NumberFormat(language, { maximumFractionDigits: 1 }).format(value);
  // Several files may have the same name.
  const keyed = new Map(offered.map((image, index) => [`${index}/${image.file.name}`, image]));
  const dialog = (
    <ConfirmDialog
      open={isOpen}
      onOpenChange={(open) => !open && close()}
      title={t('smallerCopy.title', { count })}
      text={t('smallerCopy.text', { count })}
      confirmLabel={t('smallerCopy.confirm', { count })}
      cancelLabel={t('app.cancel')}
      onConfirm={() => void confirm()}
      isBusy={isBusy}
    >
      <ul className={css.images}>
        {[...keyed].map(([key, { file, megapixels }]) => (
          <li key={key}>
            <bdi className={css.name}>{file.name}</bdi>
            <span className={css.size}>
              {t('smallerCopy.size', {
                megapixels: formatNumber(megapixels),
                size: formatFileSize(file.size, language),
              })}
            </span>
          </li>
        ))}
      </ul>
    </ConfirmDialog>
  );
  return { offer, dialog };
}
