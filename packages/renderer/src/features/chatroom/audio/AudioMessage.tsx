import { useEffect, useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { useMediaUrl } from '../use-media-url.ts';
import { useOnReturn } from '../use-on-return.ts';
import css from './AudioMessage.module.css';
import { AudioPlayer } from './AudioPlayer.tsx';
import { peaksOf, type Peaks } from './peaks.ts';

interface AudioMessageProps {
  /** The recording's URL. */
  content: string;
  playKey: string;
  isOwn: boolean;
  partnerName: string;
  /** The time, for the corner. */
  children: ReactNode;
}

/** A recording in a room. */
export function AudioMessage({
  content,
  playKey,
  isOwn,
  partnerName,
  children,
}: AudioMessageProps) {
  const { t } = useTranslation();
  const src = useMediaUrl(content);
  const [peaks, setPeaks] = useState<Peaks>();

  useEffect(() => {
    let isCurrent = true;
    void peaksOf(src).then((found) => {
      if (isCurrent) setPeaks(found);
      return found;
    });
    return () => {
      isCurrent = false;
    };
  }, [src]);
  useOnReturn(() => void peaksOf(src).then(setPeaks));

  return (
    <div className={css.audio}>
      <AudioPlayer
        src={src}
        playKey={playKey}
        label={isOwn ? t('audio.own') : t('audio.partner', { name: partnerName })}
        peaks={peaks}
        isOwn={isOwn}
      />
      <span className={css.corner}>{children}</span>
    </div>
  );
}
