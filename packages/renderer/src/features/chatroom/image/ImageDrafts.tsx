import type { FileEntry } from '@parley/client';
import { Image as ImageIcon, X } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { useClientState } from '../../../client/client-context.ts';
import { classNames } from '../../../ui/class-names.ts';
import { IconButton } from '../../../ui/IconButton.tsx';
import css from './ImageDrafts.module.css';

interface ImageDraftsProps {
  images: readonly FileEntry[];
  onRemove: (clientId: string) => void;
}

/** The images above the composer with their upload progress: a single one with its name, several as tiles. */
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
  const { clientId, file, state } = image;
  const progress = useClientState('outbox', (outbox) => outbox.progress[clientId]);
  const isOnline = useClientState('connection', ({ status }) => status === 'online');
  // Tiles show the name and the size to screen readers only.
  const [name, size] = isTile ? ['visually-hidden', 'visually-hidden'] : [css.name, css.size];
  const percent = Math.round((progress ?? 0) * 100);
  return (
    <li className={classNames('fade-in', css.draft)} title={file.name}>
      <span className={css.picture}>
        <ImageIcon aria-hidden="true" />
        {/* An SVG could freeze the window before the server has checked its complexity. */}
        {file.blob.type !== 'image/svg+xml' && (
          <img
            src={file.previewUrl}
            alt=""
            onError={(event) => event.currentTarget.style.setProperty('visibility', 'hidden')}
          />
        )}
      </span>
      <div className={css.words}>
        <span className={name} dir="auto">
          {file.name}
        </span>
        {state !== 'draft' ? (
          <progress className={css.progress} max={100} value={percent} aria-hidden="true" />
        ) : (
          <span className={size}>{formatSize(file.blob.size)}</span>
        )}
        {state !== 'draft' && progress === undefined && !isOnline && (
          <output className={size}>{t('message.waiting')}</output>
        )}
        {progress !== undefined && (
          <output className={size}>{t('composer.uploading', { percent })}</output>
        )}
      </div>
      <IconButton
        className={css.remove}
        label={t('composer.removeImage')}
        size="small"
        icon={<X aria-hidden="true" />}
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
