import type { ChosenImage, FileEntry } from '@parley/client';
import { Image as ImageIcon, X } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { formatFileSize } from '../../../format/file-size.ts';
import { useLanguage } from '../../../i18n/use-language.ts';
import { classNames } from '../../../ui/class-names.ts';
import { IconButton } from '../../../ui/IconButton.tsx';
import { Spinner } from '../../../ui/Spinner.tsx';
import { useDelayed } from '../../../ui/use-delayed.ts';
import css from './ImageDrafts.module.css';
import { UnsentImage } from './UnsentImage.tsx';

/** Milliseconds before a spinner is shown. Files of this device are usually read before. */
const SPINNER_DELAY = 300;

interface ImageDraftsProps {
  images: readonly FileEntry[];
  /** Images that are being read. */
  chosen: readonly ChosenImage[];
  onRemove: (clientId: string) => void;
}

/** The images above the composer that are not sent yet: a single one with its name, several as tiles. */
export function ImageDrafts({ images, chosen, onRemove }: ImageDraftsProps) {
  const { t } = useTranslation();
  const isTile = images.length + chosen.length > 1;
  // An image keeps its key, and so the focus of its button, once it is read.
  const shown = [
    ...images.map((image) => ({ clientId: image.clientId, name: image.file.name, image })),
    ...chosen.map(({ clientId, name }) => ({ clientId, name, image: undefined })),
  ];
  return (
    <ul className={isTile ? css.tiles : css.single} aria-label={t('composer.images')}>
      {shown.map(({ clientId, name, image }) => (
        <ImageDraft
          key={clientId}
          name={name}
          image={image}
          isTile={isTile}
          onRemove={() => onRemove(clientId)}
        />
      ))}
    </ul>
  );
}

interface ImageDraftProps {
  /** Name of the file. */
  name: string;
  /** Undefined while it is being read. */
  image: FileEntry | undefined;
  isTile: boolean;
  onRemove: () => void;
}

function ImageDraft({ name, image, isTile, onRemove }: ImageDraftProps) {
  const { t } = useTranslation();
  const language = useLanguage();
  const isSpinning = useDelayed(!image, SPINNER_DELAY);
  // Tiles show the name and the size to screen readers only.
  const [nameClass, sizeClass] = isTile
    ? ['visually-hidden', 'visually-hidden']
    : [css.name, css.size];
  return (
    <li
      className={classNames('fade-in', css.draft)}
      title={name}
      aria-busy={image === undefined || undefined}
    >
      <span className={css.picture}>
        {image && <UnsentImage clientId={image.clientId} file={image.file} alt="" />}
        {!image && (isSpinning ? <Spinner /> : <ImageIcon />)}
      </span>
      <div className={css.words}>
        <span className={nameClass} dir="auto">
          {name}
        </span>
        <span className={sizeClass}>
          {image ? formatFileSize(image.file.blob.size, language) : t('composer.readingImage')}
        </span>
      </div>
      <IconButton
        className={css.remove}
        label={t('composer.removeImage')}
        size="small"
        icon={<X />}
        onClick={onRemove}
      />
    </li>
  );
}
