import type { MediaInfo } from '@parley/contract';
import { useTranslation } from 'react-i18next';
import { AudioPlayer } from '../audio/AudioPlayer.tsx';
import css from './RecordingPlayer.module.css';

interface RecordingPlayerProps {
  /** Where the recording is to be had on this device. */
  src: string;
  media: MediaInfo | undefined;
}

/** Lets the user hear what they recorded before they send it. */
export function RecordingPlayer({ src, media }: RecordingPlayerProps) {
  const { t } = useTranslation();
  return (
    <div className={css.preview}>
      <AudioPlayer src={src} playKey="review" label={t('recorder.review')} media={media} isOwn />
    </div>
  );
}
