import type { MediaInfo } from '@parley/contract';
import { useCallback, useEffect, useEffectEvent, useRef, useState } from 'react';
import { peaksOf } from '../audio/peaks.ts';
import {
  MAX_SECONDS,
  RecordingError,
  startRecording,
  type Recorded,
  type Recording,
  type RecordingFailure,
} from './recording.ts';

interface RecorderSource {
  onFailure: (failure: RecordingFailure) => void;
  /** It has reached its greatest length and ends. */
  onLimit: () => void;
  /** It has ended, also because the room was left. */
  onRecorded: (recorded: Recorded, media: MediaInfo) => void;
}

/** What has been recorded so far. */
export interface RecordingPreview {
  /** Where it is to be had on this device. */
  url: string;
  media: MediaInfo;
}

/** A recording under way, and what can be done with it. */
export interface RecorderControl {
  phase: 'starting' | 'recording' | 'paused';
  /** How long it is, in seconds. */
  seconds: number;
  /** The last moments' loudness, 0 to 1, the newest last. */
  levels: readonly number[];
  /** To listen to while it is paused; undefined where there is nothing to hear. */
  preview: RecordingPreview | undefined;
  pause: () => void;
  resume: () => void;
  /** Ends it; whether something came out (`onRecorded` has it by then, otherwise `onFailure` was told). */
  stop: () => Promise<boolean>;
  /** Ends it for nothing. */
  discard: () => void;
}

const TICK_MS = 100;
const LEVELS_KEPT = 48;

/** Records from the moment it is there until it is ended, or has reached its greatest length. */
export function useRecorder(source: RecorderSource): RecorderControl {
  const recording = useRef<Recording>(undefined);
  /** The loudness of every moment so far. */
  const recordedLevels = useRef<number[]>([]);
  const [phase, setPhase] = useState<RecorderControl['phase']>('starting');
  const [seconds, setSeconds] = useState(0);
  const [levels, setLevels] = useState<readonly number[]>([]);
  const [preview, setPreview] = useState<RecordingPreview>();
  const { onFailure, onLimit, onRecorded } = source;
  const fail = useEffectEvent((error: unknown) => onFailure(failureOf(error, 'unsupported')));
  // What was said until the room was left is not lost: it waits there.
  const leave = useEffectEvent(() => {
    const current = recording.current;
    recording.current = undefined;
    current?.stop().then(
      (recorded) => onRecorded(recorded, mediaOf(current, recordedLevels.current)),
      () => undefined,
    );
  });

  useEffect(() => {
    let isCancelled = false;
    const start = async (): Promise<void> => {
      const started = await startRecording();
      if (isCancelled) {
        started.discard();
        return;
      }
      recording.current = started;
      setPhase('recording');
    };
    start().catch((error: unknown) => {
      if (!isCancelled) fail(error);
    });
    return () => {
      isCancelled = true;
      leave();
    };
  }, []);

  const stop = useCallback(async (): Promise<boolean> => {
    const current = recording.current;
    if (!current) return false;
    recording.current = undefined;
    try {
      onRecorded(await current.stop(), mediaOf(current, recordedLevels.current));
      return true;
    } catch (error) {
      onFailure(failureOf(error, 'missing'));
      return false;
    }
  }, [onFailure, onRecorded]);

  const tick = useEffectEvent(() => {
    const { current } = recording;
    if (!current) return;
    const level = current.level();
    recordedLevels.current.push(level);
    setLevels((before) => [...before.slice(1 - LEVELS_KEPT), level]);
    setSeconds(current.elapsed() / 1_000);
    if (current.elapsed() < MAX_SECONDS * 1_000) return;
    onLimit();
    void stop();
  });
  const isRunning = phase === 'recording';
  useEffect(() => {
    if (!isRunning) return undefined;
    const timer = setInterval(() => tick(), TICK_MS);
    return () => clearInterval(timer);
  }, [isRunning]);

  useEffect(() => {
    if (!preview) return undefined;
    return () => URL.revokeObjectURL(preview.url);
  }, [preview]);

  const loadPreview = async (current: Recording): Promise<void> => {
    const file = await current.preview();
    // It may have gone on, or ended, meanwhile.
    if (file.size === 0 || recording.current !== current || !current.isPaused()) return;
    setPreview({ url: URL.createObjectURL(file), media: mediaOf(current, recordedLevels.current) });
  };

  return {
    phase,
    seconds,
    levels,
    preview,
    pause: () => {
      const { current } = recording;
      if (!current) return;
      current.pause();
      setPhase('paused');
      loadPreview(current).catch(() => undefined);
    },
    resume: () => {
      recording.current?.resume();
      setPreview(undefined);
      setPhase('recording');
    },
    stop,
    discard: () => {
      recording.current?.discard();
      recording.current = undefined;
    },
  };
}

function mediaOf(recording: Recording, recordedLevels: readonly number[]): MediaInfo {
  return { duration: Math.max(1, Math.round(recording.elapsed())), peaks: peaksOf(recordedLevels) };
}

function failureOf(error: unknown, otherwise: RecordingFailure): RecordingFailure {
  return error instanceof RecordingError ? error.failure : otherwise;
}
