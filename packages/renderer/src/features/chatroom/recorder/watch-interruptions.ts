import type { RecordingClock } from './recording-clock.ts';

/** Why a recording was interrupted. */
export type Interruption =
  /** The microphone is silenced by the system, a call or another app. The recording is paused. */
  | 'muted'
  /** No data arrived for a while, as when the device sleeps. The recording is paused. */
  | 'stalled'
  /** The microphone is gone, or the permission was withdrawn. The recording has ended. */
  | 'ended'
  /** The recorder has failed. The recording has ended. */
  | 'failed';

/** Returns whether a recording can go on after an interruption. */
export function canGoOn(interruption: Interruption): boolean {
  return interruption === 'muted' || interruption === 'stalled';
}

/** How long a microphone may be silenced, as when a headset connects, before it interrupts. Milliseconds. */
const MUTED_MAX = 1_000;
/** How long data may be missing, in milliseconds. It arrives every second, later on a busy device. */
const STALLED_MAX = 10_000;

interface WatchOptions {
  stream: MediaStream;
  recorder: MediaRecorder;
  clock: RecordingClock;
  onInterruption: (interruption: Interruption) => void;
}

/** Pauses and resumes a running recording, also when the browser stops recording without being asked. */
export function watchInterruptions({ stream, recorder, clock, onInterruption }: WatchOptions) {
  const watching = new AbortController();
  const { signal } = watching;
  const tracks = stream.getAudioTracks();
  let muteTimer: ReturnType<typeof setTimeout> | undefined;
  // The time of day goes on while the device sleeps.
  let dataAt = Date.now();

  const isMuted = (): boolean => tracks.some(({ muted }) => muted);
  const hold = (): void => {
    if (recorder.state === 'recording') recorder.pause();
    clock.pause();
  };
  const proceed = (): boolean => {
    if (recorder.state !== 'paused') return false;
    recorder.resume();
    dataAt = Date.now();
    clock.resume();
    return true;
  };
  const forgetMute = (): void => {
    clearTimeout(muteTimer);
    muteTimer = undefined;
  };
  const end = (interruption: Interruption): void => {
    clock.pause();
    watching.abort();
    onInterruption(interruption);
  };
  const stall = (): void => {
    clock.pauseAtMark();
    hold();
    onInterruption('stalled');
  };

  // Nothing but silence would be recorded.
  const handleMute = (): void => {
    if (recorder.state !== 'recording') return;
    hold();
    muteTimer = setTimeout(() => {
      muteTimer = undefined;
      onInterruption('muted');
    }, MUTED_MAX);
  };
  const handleUnmute = (): void => {
    if (muteTimer === undefined) return;
    forgetMute();
    proceed();
  };
  const handleData = (): void => {
    if (recorder.state !== 'recording') return;
    const hasSlept = Date.now() - dataAt > STALLED_MAX;
    dataAt = Date.now();
    if (hasSlept) stall();
    else clock.mark();
  };

  for (const track of tracks) {
    track.addEventListener('mute', handleMute, { signal });
    track.addEventListener('unmute', handleUnmute, { signal });
    track.addEventListener('ended', () => end('ended'), { signal });
  }
  recorder.addEventListener('error', () => end('failed'), { signal });
  recorder.addEventListener('stop', () => end('ended'), { signal });
  recorder.addEventListener('dataavailable', handleData, { signal });
  // Some microphones are silenced from the beginning.
  if (isMuted()) handleMute();
  // Twice in a row, as the events of a busy page may be late.
  let isOverdue = false;
  const dataTimer = setInterval(() => {
    const wasOverdue = isOverdue;
    isOverdue = recorder.state === 'recording' && Date.now() - dataAt > STALLED_MAX;
    if (wasOverdue && isOverdue) stall();
  }, 1_000);
  signal.addEventListener('abort', () => {
    forgetMute();
    clearInterval(dataTimer);
  });

  return {
    pause: (): void => {
      forgetMute();
      hold();
    },
    /** Returns whether the recording goes on. */
    resume: (): boolean => !signal.aborted && !isMuted() && proceed(),
    end: (): void => watching.abort(),
  };
}
