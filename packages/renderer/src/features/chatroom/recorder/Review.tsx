import type { MediaDraft } from '@parley/client';
import { SendHorizontal, Trash2 } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { IconButton } from '../../../ui/IconButton.tsx';
import { Preview } from './Preview.tsx';
import css from './Recorder.module.css';

interface ReviewProps {
  draft: MediaDraft;
  onSend: () => void;
  onDiscard: () => void;
}

/** The recorder's controls for a recording that has ended and is not sent yet. */
export function Review({ draft, onSend, onDiscard }: ReviewProps) {
  const { t } = useTranslation();
  const { previewUrl, media, progress } = draft;
  return (
    <>
      <IconButton
        label={t('recorder.discard')}
        variant="danger"
        icon={<Trash2 aria-hidden="true" />}
        onClick={onDiscard}
      />
      <Preview src={previewUrl} media={media} />
      {progress !== undefined && (
        <output className={css.progress}>
          {t('recorder.uploading', { percent: Math.round(progress * 100) })}
        </output>
      )}
      <IconButton
        label={t('recorder.send')}
        variant="own"
        icon={<SendHorizontal aria-hidden="true" />}
        disabled={progress !== undefined}
        onClick={onSend}
      />
    </>
  );
}
