import { useEffect, useEffectEvent, useState, type RefObject } from 'react';
import { useClient, useClientState } from '../../../client/client-context.ts';
import { logFailure } from '../../../logging/log-failure.ts';
import { useMediaSource, useMediaMemory } from '../../../client/media-memory-context.ts';
import { useOnReconnect } from '../../../client/use-on-reconnect.ts';

/** The state and the controls of an audio element. Times are in seconds. */
export interface AudioState {
  /** The source of the element; undefined until the recording is loaded. */
  src: string | undefined;
  /** Whether it plays as soon as it is loaded. */
  isStarting: boolean;
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
 * Controls the playback of one recording, and pauses it when another one starts. It is loaded when it is played. If
 * `knownDuration` is 0, it is loaded at once, as the duration is read from it.
 */
export function useAudio(
  ref: RefObject<HTMLAudioElement | null>,
  url: string,
  key: string,
  knownDuration: number,
): AudioState {
  const client = useClient();
  const memory = useMediaMemory();
  const [isWanted, setIsWanted] = useState(knownDuration === 0);
  const { src, hasFailed, error } = useMediaSource(url, isWanted);
  const [hasToStart, setHasToStart] = useState(false);
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
      setHasToStart(false);
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
    setHasToStart(false);
    memory.retry(url);
    if (!isBroken) return;
    setIsBroken(false);
    ref.current?.load();
  });

  useEffect(() => {
    if (hasFailed) logFailure('playing a recording', error);
  }, [hasFailed, error]);

  const play = (): void => {
    ref.current?.play().catch((failure: unknown) => {
      logFailure('playing a recording', failure);
      setHasToStart(false);
      setIsBroken(Boolean(ref.current?.error));
    });
  };
  const playLoaded = useEffectEvent(play);
  const isStarting = hasToStart && playing === key && !hasFailed;
  const isReady = src !== undefined;
  useEffect(() => {
    if (isStarting && isReady) playLoaded();
  }, [isStarting, isReady]);

  useEffect(() => {
    if (ref.current) ref.current.playbackRate = speed;
  }, [speed, ref]);

  useEffect(() => {
    if (playing !== key) ref.current?.pause();
  }, [playing, key, ref]);

  return {
    src,
    isStarting,
    isPlaying,
    isBroken: isBroken || hasFailed,
    position,
    duration: knownDuration || ownDuration,
    toggle: () => {
      const audio = ref.current;
      if (!audio) return;
      if (isStarting) {
        client.playback.getState().stop(key);
      } else if (!audio.paused) {
        audio.pause();
      } else if (isReady) {
        play();
      } else {
        // Safari lets an element play later if it is loaded during a click.
        audio.load();
        client.playback.getState().start(key);
        setIsWanted(true);
        setHasToStart(true);
      }
    },
    seek: (seconds) => {
      if (ref.current) ref.current.currentTime = seconds;
      setPosition(seconds);
    },
  };
}
