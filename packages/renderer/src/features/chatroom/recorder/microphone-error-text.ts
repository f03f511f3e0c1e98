import type { TFunction } from 'i18next';
import type { MicrophoneState } from '../../../host/host.ts';
import type { RecordingFailure } from './recording.ts';
import type { Interruption } from './watch-interruptions.ts';

const STATE_KEYS = {
  denied: 'recorder.denied',
  'denied-by-system': 'recorder.deniedBySystem',
  insecure: 'recorder.insecure',
  'needs-restart': 'recorder.needsRestart',
  'switched-off': 'recorder.switchedOff',
  'no-device': 'recorder.noDevice',
  unsupported: 'recorder.unsupported',
} as const satisfies Record<Exclude<MicrophoneState, 'available'>, string>;

const FAILURE_KEYS = {
  denied: 'recorder.denied',
  'no-device': 'recorder.noDevice',
  empty: 'recorder.empty',
  missing: 'recorder.missing',
  unsupported: 'recorder.unsupported',
} as const satisfies Record<RecordingFailure, string>;

/** Returns why the microphone is not available; undefined if it may be available. */
export function microphoneErrorText(state: MicrophoneState, t: TFunction): string | undefined {
  return state === 'available' ? undefined : t(STATE_KEYS[state]);
}

/** Returns the text for a failed recording. */
export function recordingErrorText(failure: RecordingFailure, t: TFunction): string {
  return t(FAILURE_KEYS[failure]);
}

const INTERRUPTION_KEYS = {
  muted: 'recorder.muted',
  stalled: 'recorder.stalled',
  ended: 'recorder.ended',
  withdrawn: 'recorder.withdrawn',
  failed: 'recorder.failed',
} as const satisfies Record<Interruption | 'withdrawn', string>;

/** Returns why the browser stopped recording by itself. `withdrawn` is an end because of a missing permission. */
export function interruptionText(interruption: Interruption | 'withdrawn', t: TFunction): string {
  return t(INTERRUPTION_KEYS[interruption]);
}
