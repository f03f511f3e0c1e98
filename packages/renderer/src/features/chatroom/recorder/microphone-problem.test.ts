import { describe, expect, test } from 'vitest';
import de from '../../../i18n/de.json' with { type: 'json' };
import en from '../../../i18n/en.json' with { type: 'json' };
import { microphoneProblem, recordingProblem } from './microphone-problem.ts';

const STATES = [
  'denied',
  'denied-by-system',
  'insecure',
  'needs-restart',
  'switched-off',
  'no-device',
  'unsupported',
] as const;

describe.each([
  ['en', en, 'Audio recording is not supported on this device.'],
  ['de', de, 'Audioaufnahmen werden auf diesem Gerät nicht unterstützt.'],
] as const)('in %s', (_, texts, specified) => {
  const recorder: Record<string, string> = texts.recorder;
  const t = ((key: string) => recorder[key.replace('recorder.', '')]) as never;

  test.each(STATES)(
    'a microphone that is %s shows the specified text, then one sentence',
    (state) => {
      const text = microphoneProblem(state, t) ?? '';
      expect(text.startsWith(`${specified} `)).toBe(true);
      expect(text.slice(specified.length + 1)).toMatch(/^[^.!?]+\.$/);
    },
  );

  test.each(['denied', 'no-device', 'unsupported'] as const)(
    'so does a recording that is %s',
    (failure) => {
      expect(recordingProblem(failure, t).startsWith(`${specified} `)).toBe(true);
    },
  );
});

test('a microphone that is there shows nothing', () => {
  expect(microphoneProblem('available', (() => '') as never)).toBeUndefined();
});
