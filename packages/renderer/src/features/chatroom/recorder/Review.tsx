import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { AudioPlayer } from '../audio/AudioPlayer.tsx';
import { peaksOfBlob, type Peaks } from '../audio/peaks.ts';
import css from './Review.module.css';
import type { Recorded } from './recording.ts';

/** Lets the person hear what they recorded before they send it. */
export function Review({ recorded }: { recorded: Recorded }) {
  const { t } = useTranslation();
  const [peaks, setPeaks] = useState<Peaks>();

  useEffect(() => {
    let isCurrent = true;
    void peaksOfBlob(recorded.blob).then((found) => {
      if (isCurrent) setPeaks(found);
      return found;
    });
    return () => {
      isCurrent = false;
    };
  }, [recorded.blob]);

  return (
    <div className={css.review}>
      <AudioPlayer
        src={recorded.url}
        playKey="review"
        label={t('recorder.review')}
        peaks={peaks}
        isOwn
      />
    </div>
  );
}
