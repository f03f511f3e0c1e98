import type { FileEntry } from '@parley/client';
import { X } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { classNames } from '../../../ui/class-names.ts';
import { IconButton } from '../../../ui/IconButton.tsx';
import css from './ImageDrafts.module.css';
import { UnsentImage } from './UnsentImage.tsx';

interface ImageDraftsProps {
  images: readonly FileEntry[];
  onRemove: (clientId: string) => void;
}

/** The images above the composer that are not sent yet: a single one with its name, several as tiles. */
export function ImageDrafts({ images, onRemove }: ImageDraftsProps) {
  const { t } = useTranslation();
  const isTile = images.length > 1;
  return (
    <ul className={isTile ? css.tiles : css.single} aria-label={t('composer.images')}>
      {images.map((image) => (
        <ImageDraft
          key={image.clientId}
          image={image}
          isTile={isTile}
          onRemove={() => onRemove(image.clientId)}
        />
      ))}
    </ul>
  );
}

interface ImageDraftProps {
  image: FileEntry;
  isTile: boolean;
  onRemove: () => void;
}

function ImageDraft({ image, isTile, onRemove }: ImageDraftProps) {
  const { t } = useTranslation();
  const { file } = image;
  // Tiles show the name and the size to screen readers only.
  const [name, size] = isTile ? ['visually-hidden', 'visually-hidden'] : [css.name, css.size];
  return (
    <li className={classNames('fade-in', css.draft)} title={file.name}>
      <span className={css.picture}>
        <UnsentImage clientId={image.clientId} file={file} alt="" />
      </span>
      <div className={css.words}>
        <span className={name} dir="auto">
          {file.name}
        </span>
        <span className={size}>{formatSize(file.blob.size)}</span>
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

function formatSize(bytes: number): string {
  return bytes < 1024 * 1024
    ? `${Math.max(1, Math.round(bytes / 1024))} KB`
    : `${(bytes / 1024 / 1024).toFixed(1)} MB`;
}
