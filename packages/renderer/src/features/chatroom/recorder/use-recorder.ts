import { useCallback, useEffect, useEffectEvent, useRef, useState } from 'react';
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
  onRecorded: (recorded: Recorded) => void;
}

/** A recording under way, and what can be done with it. */
export interface RecorderControl {
  phase: 'starting' | 'recording' | 'paused';
  /** How long it is, in seconds. */
  seconds: number;
  /** The last moments' loudness, 0 to 1, the newest last. */
  levels: readonly number[];
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
  const [phase, setPhase] = useState<RecorderControl['phase']>('starting');
  const [ticks, setTicks] = useState(0);
  const [levels, setLevels] = useState<readonly number[]>([]);
  const { onFailure, onLimit, onRecorded } = source;
  const fail = useEffectEvent((error: unknown) => onFailure(failureOf(error, 'unsupported')));
  // What was said until the room was left is not lost: it waits there.
  const leave = useEffectEvent(() => {
    recording.current?.stop().then(onRecorded, () => undefined);
    recording.current = undefined;
  });

  useEffect(() => {
    let isGone = false;
    const start = async (): Promise<void> => {
      const started = await startRecording();
      if (isGone) {
        started.discard();
        return;
      }
      recording.current = started;
      setPhase('recording');
    };
    start().catch((error: unknown) => {
      if (!isGone) fail(error);
    });
    return () => {
      isGone = true;
      leave();
    };
  }, []);

  const stop = useCallback(async (): Promise<boolean> => {
    const current = recording.current;
    if (!current) return false;
    recording.current = undefined;
    try {
      onRecorded(await current.stop());
      return true;
    } catch (error) {
      onFailure(failureOf(error, 'missing'));
      return false;
    }
  }, [onFailure, onRecorded]);

  const seconds = (ticks * TICK_MS) / 1_000;
  const tick = useEffectEvent(() => {
    setTicks((before) => before + 1);
    setLevels((before) => [...before.slice(1 - LEVELS_KEPT), recording.current?.level() ?? 0]);
    if (seconds < MAX_SECONDS) return;
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
    pause: () => {
      recording.current?.pause();
      setPhase('paused');
    },
    resume: () => {
      recording.current?.resume();
      setPhase('recording');
    },
    stop,
    discard: () => {
      recording.current?.discard();
      recording.current = undefined;
    },
  };
}

function failureOf(error: unknown, otherwise: RecordingFailure): RecordingFailure {
  return error instanceof RecordingError ? error.failure : otherwise;
}
