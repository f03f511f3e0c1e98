import { isServerReachable } from '@parley/client';
import { LIMITS, type MediaInfo } from '@parley/contract';
import { MicOff, Pause, Play } from 'lucide-react';
import { useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { useClientState } from '../../../client/client-context.ts';
import { formatDuration } from '../../../format/dates.ts';
import { classNames } from '../../../ui/class-names.ts';
import { Spinner } from '../../../ui/Spinner.tsx';
import { useDelayed } from '../../../ui/use-delayed.ts';
import css from './AudioPlayer.module.css';
import { BAR_COUNT } from './peaks.ts';
import { useAudio } from './use-audio.ts';

interface AudioPlayerProps {
  src: string;
  /** Unique key of this player. */
  playKey: string;
  /** Accessible name. */
  label: string;
  /** Duration and waveform, if known. */
  media: MediaInfo | undefined;
  isOwn: boolean;
  /** Whether Tab reaches its controls; by default it does. */
  tabIndex?: number;
}

/** Milliseconds before a recording that is being loaded shows a spinner. */
const SPINNER_DELAY_MS = 300;

/** The replacement for an unknown waveform. */
const FLAT = Array.from({ length: BAR_COUNT }, () => 12);

/** An audio player with a play button, a waveform for seeking, the time and the speed. */
export function AudioPlayer(props: AudioPlayerProps) {
  const { src, playKey, label, media, isOwn, tabIndex } = props;
  const { t } = useTranslation();
  const element = useRef<HTMLAudioElement>(null);
  const audio = useAudio(element, src, playKey, (media?.duration ?? 0) / 1_000);
  const { speed, nextSpeed } = useClientState('playback');
  const isOnline = useClientState('connection', isServerReachable);
  const { position, duration, isStarting, isPlaying, isBroken } = audio;
  const canPause = isPlaying || isStarting;
  const PlayIcon = canPause ? Pause : Play;
  const isSlow = useDelayed(isStarting, SPINNER_DELAY_MS);
  const current = formatDuration(position);
  const total = formatDuration(duration);
  const playedFraction = duration > 0 ? Math.min(1, position / duration) : 0;

  return (
    <fieldset className={classNames(css.player, isOwn && css.own)}>
      <legend className="visually-hidden">{label}</legend>
      {/* There are no captions for recordings. */}
      <audio ref={element} src={audio.src} preload={media?.duration ? 'none' : 'metadata'}>
        <track kind="captions" />
      </audio>
      {isBroken ? (
        <span className={css.broken}>
          <MicOff />
          {t(isOnline ? 'audio.broken' : 'message.waiting')}
        </span>
      ) : (
        <>
          <button
            type="button"
            className={css.play}
            aria-label={canPause ? t('audio.pause') : t('audio.play')}
            aria-busy={isStarting}
            tabIndex={tabIndex}
            data-play
            onClick={audio.toggle}
          >
            {isSlow ? <Spinner /> : <PlayIcon />}
          </button>
          <div className={css.track}>
            <div className={css.wave} aria-hidden="true">
              {(media?.peaks ?? FLAT).map((bar, index, bars) => (
                <span
                  key={`${index / bars.length}`}
                  className={css.bar}
                  data-played={index / bars.length < playedFraction || undefined}
                  style={{ height: `${Math.max(10, (bar / LIMITS.peakMax) * 100)}%` }}
                />
              ))}
            </div>
            <input
              type="range"
              className={css.seek}
              tabIndex={tabIndex}
              aria-label={t('audio.seek')}
              aria-valuetext={t('audio.position', { current, total })}
              min={0}
              max={duration || 1}
              step={0.1}
              value={Math.min(position, duration || 1)}
              onChange={(event) => audio.seek(Number(event.target.value))}
            />
          </div>
          <button
            type="button"
            className={css.speed}
            tabIndex={tabIndex}
            aria-label={t('audio.speed', { speed: `${speed}×` })}
            onClick={nextSpeed}
          >
            {`${speed}×`}
          </button>
          <span className={css.time}>{isPlaying || position > 0 ? current : total}</span>
        </>
      )}
    </fieldset>
  );
}
