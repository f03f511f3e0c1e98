import type { MediaDraft } from '@parley/client';
import { Image as ImageIcon, X } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { classNames } from '../../../ui/class-names.ts';
import { IconButton } from '../../../ui/IconButton.tsx';
import css from './ImageDrafts.module.css';

interface ImageDraftsProps {
  drafts: readonly MediaDraft[];
  onRemove: (file: Blob) => void;
}

/** The chosen pictures above the composer, and how far their upload has come: one with its name, several as tiles. */
export function ImageDrafts({ drafts, onRemove }: ImageDraftsProps) {
  const { t } = useTranslation();
  const isTile = drafts.length > 1;
  return (
    <ul className={isTile ? css.tiles : css.single} aria-label={t('composer.images')}>
      {drafts.map((draft) => (
        <ImageDraft
          key={draft.previewUrl}
          draft={draft}
          isTile={isTile}
          onRemove={() => onRemove(draft.file)}
        />
      ))}
    </ul>
  );
}

interface ImageDraftProps {
  draft: MediaDraft;
  isTile: boolean;
  onRemove: () => void;
}

function ImageDraft({ draft, isTile, onRemove }: ImageDraftProps) {
  const { t } = useTranslation();
  // On a tile, the words are for screen readers.
  const [name, size] = isTile ? ['visually-hidden', 'visually-hidden'] : [css.name, css.size];
  const percent = Math.round((draft.progress ?? 0) * 100);
  return (
    <li className={classNames('rises', css.draft)} title={draft.fileName}>
      <span className={css.picture}>
        <ImageIcon aria-hidden="true" />
        {/* The server has not yet checked that drawing an SVG does not freeze the window. */}
        {draft.file.type !== 'image/svg+xml' && (
          <img
            src={draft.previewUrl}
            alt=""
            onError={(event) => event.currentTarget.style.setProperty('visibility', 'hidden')}
          />
        )}
      </span>
      <div className={css.words}>
        <span className={name} dir="auto">
          {draft.fileName}
        </span>
        {draft.isGoing ? (
          <progress className={css.progress} max={100} value={percent} aria-hidden="true" />
        ) : (
          <span className={size}>{formatSize(draft.file.size)}</span>
        )}
        {draft.progress !== undefined && (
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
