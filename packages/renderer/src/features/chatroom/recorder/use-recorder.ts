import type { MediaInfo } from '@parley/contract';
import { useCallback, useEffect, useEffectEvent, useRef, useState, type RefObject } from 'react';
import { computePeaks } from '../audio/peaks.ts';
import { canGoOn, type Interruption } from './watch-interruptions.ts';
import {
  MAX_SECONDS,
  RecordingError,
  startRecording,
  type Recorded,
  type Recording,
  type RecordingFailure,
} from './recording.ts';

interface RecorderOptions {
  onFailure: (failure: RecordingFailure) => void;
  /** Called when the recording ends because it has reached its maximum duration. */
  onLimit: () => void;
  /**
   * Called when the browser stops recording by itself. Afterwards, the recording is paused, or has ended and was passed
   * to `onRecorded` if it `isKept`, as something was recorded.
   */
  onInterruption: (interruption: Interruption, isKept: boolean) => void;
  /** Called when the recording goes on after a pause. */
  onResume: () => void;
  /** Called when the recording has ended, even if the user left the room. */
  onRecorded: (recorded: Recorded, media: MediaInfo) => void;
}

/** A preview of a paused recording. */
export interface RecordingPreview {
  /** Object URL. */
  url: string;
  media: MediaInfo;
}

/** The state and the controls of a recording in progress. */
export interface RecorderControl {
  phase: 'starting' | 'recording' | 'paused';
  /** Duration in seconds. */
  seconds: number;
  /** The latest loudness samples, 0 to 1, newest last. */
  levels: readonly number[];
  /** Available while paused, if the browser has recorded data. */
  preview: RecordingPreview | undefined;
  pause: () => void;
  resume: () => void;
  /** Finishes the recording. Resolves to whether it succeeded, after calling `onRecorded` or `onFailure`. */
  stop: () => Promise<boolean>;
  /** Stops recording and discards the data. */
  discard: () => void;
}

const TICK_MS = 100;
const LEVELS_KEPT = 48;

/** Records from mounting until the recording is stopped or reaches its maximum duration. */
export function useRecorder(options: RecorderOptions): RecorderControl {
  const recording = useRef<Recording>(undefined);
  /** All loudness samples so far. */
  const recordedLevels = useRef<number[]>([]);
  const [phase, setPhase] = useState<RecorderControl['phase']>('starting');
  const [seconds, setSeconds] = useState(0);
  const [levels, setLevels] = useState<readonly number[]>([]);
  const { preview, loadPreview, clearPreview } = useRecordingPreview(recording, recordedLevels);
  const { onFailure, onInterruption, onLimit, onRecorded, onResume } = options;
  const fail = useEffectEvent((error: unknown) => onFailure(failureOf(error, 'unsupported')));
  // Leaving the room keeps the recording for review.
  const leave = useEffectEvent(() => {
    const current = recording.current;
    recording.current = undefined;
    current?.stop().then(
      (recorded) => onRecorded(recorded, mediaOf(current, recordedLevels.current)),
      () => undefined,
    );
  });

  const pause = (): void => {
    const { current } = recording;
    if (!current) return;
    current.pause();
    setPhase('paused');
    setSeconds(current.elapsed() / 1_000);
    loadPreview(current).catch(() => undefined);
  };
  const endInterrupted = async (current: Recording, interruption: Interruption): Promise<void> => {
    recording.current = undefined;
    const recorded = await current.stop().catch(() => undefined);
    if (recorded) onRecorded(recorded, mediaOf(current, recordedLevels.current));
    onInterruption(interruption, recorded !== undefined);
  };
  const interrupt = useEffectEvent((interruption: Interruption) => {
    const { current } = recording;
    if (!current) return;
    if (!canGoOn(interruption)) {
      void endInterrupted(current, interruption);
      return;
    }
    pause();
    onInterruption(interruption, true);
  });

  useEffect(() => {
    let isCancelled = false;
    const start = async (): Promise<void> => {
      const started = await startRecording((interruption) => {
        if (!isCancelled) interrupt(interruption);
      });
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
    if (level !== undefined) {
      recordedLevels.current.push(level);
      setLevels((before) => [...before.slice(1 - LEVELS_KEPT), level]);
    }
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

  return {
    phase,
    seconds,
    levels,
    preview,
    pause,
    resume: () => {
      const { current } = recording;
      if (!current) return;
      if (!current.resume()) {
        onInterruption('muted', true);
        return;
      }
      onResume();
      clearPreview();
      setPhase('recording');
    },
    stop,
    discard: () => {
      recording.current?.discard();
      recording.current = undefined;
    },
  };
}

/** Manages the preview of the paused recording. Revokes its URL once the preview is cleared or replaced. */
function useRecordingPreview(
  recording: RefObject<Recording | undefined>,
  recordedLevels: RefObject<number[]>,
) {
  const [preview, setPreview] = useState<RecordingPreview>();
  useEffect(() => {
    if (!preview) return undefined;
    return () => URL.revokeObjectURL(preview.url);
  }, [preview]);

  const loadPreview = async (current: Recording): Promise<void> => {
    const file = await current.preview();
    // The recording may have been resumed or stopped in the meantime.
    if (file.size === 0 || recording.current !== current || !current.isPaused()) return;
    setPreview({ url: URL.createObjectURL(file), media: mediaOf(current, recordedLevels.current) });
  };

  return { preview, loadPreview, clearPreview: () => setPreview(undefined) };
}

function mediaOf(recording: Recording, recordedLevels: readonly number[]): MediaInfo {
  return {
    duration: Math.max(1, Math.round(recording.elapsed())),
    // Without a loudness, players show bars of equal height.
    ...(recordedLevels.length > 0 && { peaks: computePeaks(recordedLevels) }),
  };
}

function failureOf(error: unknown, otherwise: RecordingFailure): RecordingFailure {
  return error instanceof RecordingError ? error.failure : otherwise;
}
