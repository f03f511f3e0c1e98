import type { MediaInfo } from '@parley/contract';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { useMediaUrl } from '../../../format/use-media-url.ts';
import css from './AudioMessage.module.css';
import { AudioPlayer } from './AudioPlayer.tsx';

interface AudioMessageProps {
  /** The recording's URL. */
  content: string;
  /** Duration and waveform, if the server knows them. */
  media: MediaInfo | undefined;
  playKey: string;
  isOwn: boolean;
  partnerName: string;
  /** Whether Tab reaches the player. */
  isTabStop: boolean;
  /** The message's time and state. */
  children: ReactNode;
}

/** A message with a recording. */
export function AudioMessage({
  content,
  media,
  playKey,
  isOwn,
  partnerName,
  isTabStop,
  children,
}: AudioMessageProps) {
  const { t } = useTranslation();
  return (
    <div className={css.audio}>
      <AudioPlayer
        src={useMediaUrl(content)}
        playKey={playKey}
        label={isOwn ? t('audio.own') : t('audio.partner', { name: partnerName })}
        media={media}
        isOwn={isOwn}
        tabIndex={isTabStop ? 0 : -1}
      />
      <span className={css.corner}>{children}</span>
    </div>
  );
}
