import type { MediaInfo } from '@parley/contract';
import { useTranslation } from 'react-i18next';
import { classNames } from '../../../ui/class-names.ts';
import { AudioPlayer } from '../audio/AudioPlayer.tsx';
import css from './RecordingPlayer.module.css';

interface RecordingPlayerProps {
  /** Object URL of the recording. */
  src: string;
  media: MediaInfo | undefined;
  className?: string | undefined;
}

/** A player for reviewing a recording before it is sent. */
export function RecordingPlayer({ src, media, className }: RecordingPlayerProps) {
  const { t } = useTranslation();
  return (
    <div className={classNames(css.preview, className)}>
      <AudioPlayer src={src} playKey="review" label={t('recorder.review')} media={media} isOwn />
    </div>
  );
}
