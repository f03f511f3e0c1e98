import { useCallback, useRef, useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { shrinkImage } from '../../client/shrink-image.ts';
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
  /** Offers smaller copies of images to the user. Resolves to them, or to none if the user declines. */
  offer: (images: readonly LargeImage[]) => Promise<File[]>;
  dialog: ReactNode;
}

/** Returns a function that offers to make smaller copies of images, and its dialog. */
export function useSmallerCopies(): SmallerCopies {
  const { t } = useTranslation();
  const language = useLanguage();
  const [offered, setOffered] = useState<readonly LargeImage[]>([]);
  const [isOpen, setIsOpen] = useState(false);
  const [isBusy, setIsBusy] = useState(false);
  const respond = useRef<((copies: File[]) => void) | undefined>(undefined);
  const count = offered.length;

  const offer = useCallback((images: readonly LargeImage[]): Promise<File[]> => {
    const { promise, resolve } = Promise.withResolvers<File[]>();
    respond.current = resolve;
    setOffered(images);
    setIsBusy(false);
    setIsOpen(true);
    return promise;
  }, []);

  const close = (copies: File[]): void => {
    setIsOpen(false);
    respond.current?.(copies);
    respond.current = undefined;
  };

  const confirm = async (): Promise<void> => {
    const current = respond.current;
    setIsBusy(true);
    const copies: File[] = [];
    for (const { file } of offered) {
      try {
        copies.push(await shrinkImage(file));
      } catch {
        toastError(t('smallerCopy.failed', { name: file.name }));
      }
    }
    // The user may have canceled in the meantime.
    if (respond.current === current) close(copies);
  };

  const format = (value: number): string =>
    new Intl.NumberFormat(language, { maximumFractionDigits: 1 }).format(value);
  // Several files may have the same name.
  const keyed = new Map(offered.map((image, index) => [`${index}/${image.file.name}`, image]));
  const dialog = (
    <ConfirmDialog
      open={isOpen}
      onOpenChange={(open) => !open && close([])}
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
                megapixels: format(megapixels),
                size: format(file.size / 1024 / 1024),
              })}
            </span>
          </li>
        ))}
      </ul>
    </ConfirmDialog>
  );
  return { offer, dialog };
}
