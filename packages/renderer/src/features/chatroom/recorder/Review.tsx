import { SendHorizontal, Trash2 } from 'lucide-react';
import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { MediaDraft } from '../../../stores/media-drafts.ts';
import { IconButton } from '../../../ui/IconButton.tsx';
import { AudioPlayer } from '../audio/AudioPlayer.tsx';
import { peaksOfBlob, type Peaks } from '../audio/peaks.ts';
import recorderCss from './Recorder.module.css';
import css from './Review.module.css';

interface ReviewProps {
  draft: MediaDraft;
  onSend: () => void;
  onDiscard: () => void;
}

/** Lets the person hear what they recorded before they send it. */
export function Review({ draft, onSend, onDiscard }: ReviewProps) {
  const { t } = useTranslation();
  const [peaks, setPeaks] = useState<Peaks>();
  const { file, previewUrl, progress } = draft;

  useEffect(() => {
    let isCurrent = true;
    void peaksOfBlob(file).then((found) => {
      if (isCurrent) setPeaks(found);
      return found;
    });
    return () => {
      isCurrent = false;
    };
  }, [file]);

  return (
    <>
      <IconButton
        label={t('recorder.discard')}
        variant="danger"
        icon={<Trash2 aria-hidden="true" />}
        onClick={onDiscard}
      />
      <div className={css.review}>
        <AudioPlayer
          src={previewUrl}
          playKey="review"
          label={t('recorder.review')}
          peaks={peaks}
          isOwn
        />
      </div>
      {progress !== undefined && (
        <output className={recorderCss.progress}>
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
