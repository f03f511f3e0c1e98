import { useEffect, useEffectEvent, useState, type RefObject } from 'react';
import { useClient, useClientState } from '../../../client/client-context.ts';
import { logFailure } from '../../../logging/log-failure.ts';
import { useOnReconnect } from '../use-on-reconnect.ts';

/** The state and the controls of an audio element. Times are in seconds. */
export interface AudioState {
  isPlaying: boolean;
  isBroken: boolean;
  position: number;
  /** 0 until it is known. */
  duration: number;
  toggle: () => void;
  seek: (seconds: number) => void;
}

/** A position in seconds beyond the end of any recording. Seeking there makes the browser determine the duration. */
const SEEK_PAST_END = 1e7;

/**
 * Controls the playback of one recording, and pauses it when another one starts. If `knownDuration` is 0, the
 * duration is read from the file.
 */
export function useAudio(
  ref: RefObject<HTMLAudioElement | null>,
  key: string,
  knownDuration: number,
): AudioState {
  const client = useClient();
  const [isPlaying, setIsPlaying] = useState(false);
  const [isBroken, setIsBroken] = useState(false);
  const [position, setPosition] = useState(0);
  const [ownDuration, setOwnDuration] = useState(0);
  const { key: playing, speed } = useClientState('playback');
  const hasKnownDuration = useEffectEvent(() => knownDuration > 0);

  useEffect(() => {
    const audio = ref.current;
    if (!audio) return undefined;
    const listening = new AbortController();
    const on = (name: string, handler: () => void): void =>
      audio.addEventListener(name, handler, { signal: listening.signal });
    // Files written by MediaRecorder have no duration in their header.
    let isMeasuring = false;
    on('loadedmetadata', () => {
      if (audio.duration !== Infinity || hasKnownDuration()) return;
      isMeasuring = true;
      audio.currentTime = SEEK_PAST_END;
    });
    on('durationchange', () => {
      if (!Number.isFinite(audio.duration)) return;
      setOwnDuration(audio.duration);
      if (isMeasuring) {
        isMeasuring = false;
        audio.currentTime = 0;
      }
    });
    on('timeupdate', () => {
      if (!isMeasuring) setPosition(audio.currentTime);
    });
    on('play', () => {
      audio.playbackRate = client.playback.getState().speed;
      setIsPlaying(true);
      client.playback.getState().start(key);
    });
    on('pause', () => setIsPlaying(false));
    on('ended', () => {
      setPosition(0);
      audio.currentTime = 0;
      client.playback.getState().stop(key);
    });
    on('error', () => {
      logFailure('playing a recording', audio.error);
      setIsBroken(true);
    });
    return () => {
      listening.abort();
      audio.pause();
      client.playback.getState().stop(key);
    };
  }, [client, key, ref]);

  useOnReconnect(() => {
    if (!isBroken) return;
    setIsBroken(false);
    ref.current?.load();
  });

  useEffect(() => {
    if (ref.current) ref.current.playbackRate = speed;
  }, [speed, ref]);

  useEffect(() => {
    if (playing !== key) ref.current?.pause();
  }, [playing, key, ref]);

  return {
    isPlaying,
    isBroken,
    position,
    duration: knownDuration || ownDuration,
    toggle: () => {
      const audio = ref.current;
      if (!audio) return;
      if (!audio.paused) {
        audio.pause();
        return;
      }
      audio.play().catch((error: unknown) => {
        logFailure('playing a recording', error);
        setIsBroken(audio.error !== null);
      });
    },
    seek: (seconds) => {
      if (ref.current) ref.current.currentTime = seconds;
      setPosition(seconds);
    },
  };
}
