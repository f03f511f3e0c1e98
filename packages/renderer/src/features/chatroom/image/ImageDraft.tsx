import { Image as ImageIcon, X } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { IconButton } from '../../../ui/IconButton.tsx';
import css from './ImageDraft.module.css';
import type { ImageUpload } from './use-image-upload.ts';

/** The chosen picture above the composer, and how far its upload has come. */
export function ImageDraft({ image }: { image: ImageUpload }) {
  const { t } = useTranslation();
  const { draft } = image;
  if (!draft) return null;
  const percent = Math.round((draft.progress ?? 0) * 100);
  return (
    <div className={css.draft}>
      <span className={css.picture}>
        <ImageIcon aria-hidden="true" />
        <img
          src={draft.previewUrl}
          alt=""
          onError={(event) => event.currentTarget.style.setProperty('visibility', 'hidden')}
        />
      </span>
      <div className={css.words}>
        <span className={css.name} dir="auto">
          {draft.fileName}
        </span>
        {draft.progress === undefined ? (
          <span className={css.size}>{formatSize(draft.file.size)}</span>
        ) : (
          <>
            <progress className={css.progress} max={100} value={percent} aria-hidden="true" />
            <output className={css.size}>{t('composer.uploading', { percent })}</output>
          </>
        )}
      </div>
      <IconButton
        label={t('composer.removeImage')}
        size="small"
        icon={<X aria-hidden="true" />}
        onClick={image.drop}
      />
    </div>
  );
}

function formatSize(bytes: number): string {
  return bytes < 1024 * 1024
    ? `${Math.max(1, Math.round(bytes / 1024))} KB`
    : `${(bytes / 1024 / 1024).toFixed(1)} MB`;
}
