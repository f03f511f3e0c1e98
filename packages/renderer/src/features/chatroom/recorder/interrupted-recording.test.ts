import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { startRecording, type Recording } from './recording.ts';
import type { Interruption } from './watch-interruptions.ts';

class FakeTrack extends EventTarget {
  muted = false;
  readonly stop = vi.fn<() => void>();

  setMuted(isMuted: boolean): void {
    this.muted = isMuted;
    this.dispatchEvent(new Event(isMuted ? 'mute' : 'unmute'));
  }
}

/** A recorder that delivers a second of data each second, unless the device sleeps. */
class FakeRecorder extends EventTarget {
  state: RecordingState = 'inactive';
  isAsleep = false;
  #timer: ReturnType<typeof setInterval> | undefined;

  start(): void {
    this.state = 'recording';
    this.#timer = setInterval(() => {
      if (this.state === 'recording' && !this.isAsleep) this.deliver();
    }, 1_000);
  }

  deliver(): void {
    this.dispatchEvent(Object.assign(new Event('dataavailable'), { data: new Blob(['data']) }));
  }

  pause(): void {
    this.#require('recording', 'paused');
    this.state = 'paused';
  }

  resume(): void {
    this.#require('paused', 'recording');
    this.state = 'recording';
  }

  requestData(): void {
    this.#require('recording', 'paused');
    this.deliver();
  }

  stop(): void {
    this.#require('recording', 'paused');
    this.state = 'inactive';
    clearInterval(this.#timer);
    queueMicrotask(() => {
      this.deliver();
      this.dispatchEvent(new Event('stop'));
    });
  }

  #require(...states: readonly RecordingState[]): void {
    if (!states.includes(this.state)) throw new DOMException('', 'InvalidStateError');
  }
}

let recorder: FakeRecorder;
let track: FakeTrack;
let interruptions: Interruption[];

beforeEach(() => {
  vi.useFakeTimers();
  track = new FakeTrack();
  interruptions = [];
  const stream = { getTracks: () => [track], getAudioTracks: () => [track] };
  vi.stubGlobal('navigator', { mediaDevices: { getUserMedia: async () => stream } });
  const createRecorder = function createRecorder(): FakeRecorder {
    recorder = new FakeRecorder();
    return recorder;
  };
  vi.stubGlobal('MediaRecorder', Object.assign(createRecorder, { isTypeSupported: () => true }));
  vi.stubGlobal(
    'AudioContext',
    class {
      state = 'running';
      close = async () => undefined;
      createAnalyser = () => ({ getFloatTimeDomainData: () => undefined });
      createMediaStreamSource = () => ({ connect: () => undefined });
    },
  );
});

afterEach(() => {
  vi.unstubAllGlobals();
  vi.useRealTimers();
});

/** Starts a recording. Resolves once `ms` milliseconds are recorded. */
async function record(ms: number): Promise<Recording> {
  const recording = await startRecording((interruption) => interruptions.push(interruption));
  await vi.advanceTimersByTimeAsync(ms);
  return recording;
}

test.each<[string, Interruption, () => void]>([
  ['a microphone is unplugged', 'ended', () => track.dispatchEvent(new Event('ended'))],
  ['the recorder stops by itself', 'ended', () => recorder.stop()],
  ['the recorder fails', 'failed', () => recorder.dispatchEvent(new Event('error'))],
])('keeps what was recorded until %s', async (_, interruption, interrupt) => {
  const recording = await record(3_000);
  interrupt();
  await vi.advanceTimersByTimeAsync(60_000);
  expect(interruptions).toEqual([interruption]);
  expect(recording.elapsed()).toBe(3_000);
  recording.pause();
  expect(recording.resume()).toBe(false);
  expect((await recording.stop()).blob.size).toBeGreaterThan(0);
  expect(track.stop).toHaveBeenCalled();
});

test('pausing and resuming never throw, in any state', async () => {
  const recording = await record(1_000);
  recording.pause();
  recording.pause();
  expect(recording.resume()).toBe(true);
  recording.resume();
  await recording.stop();
  recording.pause();
  recording.resume();
  recording.discard();
  expect(interruptions).toEqual([]);
});

test('pauses while a call or the system silences the microphone', async () => {
  const recording = await record(3_000);
  track.setMuted(true);
  await vi.advanceTimersByTimeAsync(60_000);
  expect(interruptions).toEqual(['muted']);
  expect(recording.isPaused()).toBe(true);
  expect(recording.elapsed()).toBe(3_000);
  expect(recording.resume()).toBe(false);
  // The user resumes it, who may not expect to be recorded anymore.
  track.setMuted(false);
  await vi.advanceTimersByTimeAsync(60_000);
  expect(recording.isPaused()).toBe(true);
  expect(recording.resume()).toBe(true);
  await vi.advanceTimersByTimeAsync(2_000);
  expect(recording.elapsed()).toBe(5_000);
  expect(interruptions).toEqual(['muted']);
});

test('goes on after a moment without sound, as when a headset connects, but not against the user', async () => {
  const recording = await record(3_000);
  track.setMuted(true);
  await vi.advanceTimersByTimeAsync(500);
  track.setMuted(false);
  expect(recording.isPaused()).toBe(false);
  await vi.advanceTimersByTimeAsync(1_000);
  expect(recording.elapsed()).toBe(4_000);

  track.setMuted(true);
  recording.pause();
  track.setMuted(false);
  await vi.advanceTimersByTimeAsync(60_000);
  expect(recording.isPaused()).toBe(true);
  expect(interruptions).toEqual([]);
});

test('says when a microphone is silenced from the beginning', async () => {
  track.muted = true;
  const recording = await record(60_000);
  expect(interruptions).toEqual(['muted']);
  expect(recording.elapsed()).toBe(0);
});

test('pauses after the device has slept, without counting the time', async () => {
  const recording = await record(3_000);
  vi.setSystemTime(Date.now() + 60 * 60_000);
  await vi.advanceTimersByTimeAsync(1_000);
  expect(interruptions).toEqual(['stalled']);
  expect(recording.isPaused()).toBe(true);
  expect(recording.elapsed()).toBe(3_000);
  recording.resume();
  await vi.advanceTimersByTimeAsync(30_000);
  expect(recording.elapsed()).toBe(33_000);
  expect(interruptions).toEqual(['stalled']);
});

test('stops the clock and pauses if a microphone delivers nothing anymore', async () => {
  const recording = await record(3_000);
  recorder.isAsleep = true;
  await vi.advanceTimersByTimeAsync(9_000);
  expect(recording.elapsed()).toBe(5_000);
  await vi.advanceTimersByTimeAsync(5_000);
  expect(interruptions).toEqual(['stalled']);
  expect(recording.elapsed()).toBe(3_000);
});

test.each([
  [
    'the constructor',
    () =>
      vi.stubGlobal('AudioContext', function refuse() {
        throw new DOMException('', 'NotSupportedError');
      }),
  ],
  [
    'another sample rate',
    () =>
      vi.stubGlobal(
        'AudioContext',
        class {
          close = () => Promise.reject(new Error('closed'));
          createAnalyser = () => ({});
          createMediaStreamSource = () => {
            throw new DOMException('', 'NotSupportedError');
          };
        },
      ),
  ],
  [
    'missing speakers',
    () =>
      vi.stubGlobal(
        'AudioContext',
        class {
          state = 'suspended';
          close = async () => undefined;
          createAnalyser = () => ({ getFloatTimeDomainData: () => undefined });
          createMediaStreamSource = () => ({ connect: () => undefined });
        },
      ),
  ],
  ['a missing API', () => vi.stubGlobal('AudioContext', undefined)],
])('records without a level if the meter fails because of %s', async (_, fail) => {
  fail();
  const recording = await record(2_000);
  expect(recording.level()).toBeUndefined();
  expect(recording.elapsed()).toBe(2_000);
  expect((await recording.stop()).blob.size).toBeGreaterThan(0);
});
