import { useCallback, useEffect, useEffectEvent, useRef, useState } from 'react';
import {
  MAX_SECONDS,
  RecordingError,
  startRecording,
  type Recorded,
  type Recording,
  type RecordingFailure,
} from './recording.ts';

/** How a recording stands. */
export type RecorderState =
  | { phase: 'starting' }
  | { phase: 'recording' | 'paused' }
  | { phase: 'review'; recorded: Recorded };

/** A recording and what can be done with it. */
export interface RecorderControl {
  state: RecorderState;
  /** How long it is, in seconds. */
  seconds: number;
  /** The last moments' loudness, 0 to 1, the newest last. */
  levels: readonly number[];
  pause: () => void;
  resume: () => void;
  /** Ends it; what came out, or undefined where nothing did (then `onFailure` was told). */
  stop: () => Promise<Recorded | undefined>;
}

const TICK_MS = 100;
const LEVELS_KEPT = 48;

/** Records from the moment it is there until it is stopped or gone, or has reached its greatest length (`onLimit`). */
export function useRecorder(
  onFailure: (failure: RecordingFailure) => void,
  onLimit: () => void,
): RecorderControl {
  const recording = useRef<Recording>(undefined);
  const [state, setState] = useState<RecorderState>({ phase: 'starting' });
  const [ticks, setTicks] = useState(0);
  const [levels, setLevels] = useState<readonly number[]>([]);
  const fail = useEffectEvent((error: unknown) =>
    onFailure(error instanceof RecordingError ? error.failure : 'unsupported'),
  );

  useEffect(() => {
    let isGone = false;
    const start = async (): Promise<void> => {
      const started = await startRecording();
      if (isGone) {
        started.discard();
        return;
      }
      recording.current = started;
      setState({ phase: 'recording' });
    };
    start().catch((error: unknown) => {
      if (!isGone) fail(error);
    });
    return () => {
      isGone = true;
      recording.current?.discard();
      recording.current = undefined;
    };
  }, []);

  const url = state.phase === 'review' ? state.recorded.url : undefined;
  useEffect(
    () => () => {
      if (url !== undefined) URL.revokeObjectURL(url);
    },
    [url],
  );

  const stop = useCallback(async (): Promise<Recorded | undefined> => {
    const current = recording.current;
    if (!current) return undefined;
    recording.current = undefined;
    try {
      const recorded = await current.stop();
      setState({ phase: 'review', recorded });
      return recorded;
    } catch (error) {
      onFailure(error instanceof RecordingError ? error.failure : 'missing');
      return undefined;
    }
  }, [onFailure]);

  const seconds = (ticks * TICK_MS) / 1_000;
  const tick = useEffectEvent(() => {
    setTicks((before) => before + 1);
    setLevels((before) => [...before.slice(1 - LEVELS_KEPT), recording.current?.level() ?? 0]);
    if (seconds < MAX_SECONDS) return;
    onLimit();
    void stop();
  });
  const isRunning = state.phase === 'recording';
  useEffect(() => {
    if (!isRunning) return undefined;
    const timer = setInterval(() => tick(), TICK_MS);
    return () => clearInterval(timer);
  }, [isRunning]);

  return {
    state,
    seconds,
    levels,
    pause: () => {
      recording.current?.pause();
      setState({ phase: 'paused' });
    },
    resume: () => {
      recording.current?.resume();
      setState({ phase: 'recording' });
    },
    stop,
  };
}
