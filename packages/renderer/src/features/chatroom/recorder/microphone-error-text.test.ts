import { loadTexts } from '@parley/texts';
import { describe, expect, test } from 'vitest';
import { microphoneErrorText, recordingErrorText } from './microphone-error-text.ts';

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
  ['en', 'Audio recording is not supported on this device.'],
  ['de', 'Audioaufnahmen werden auf diesem Gerät nicht unterstützt.'],
] as const)('in %s', async (language, specified) => {
  const recorder: Record<string, string> = (await loadTexts(language, 'screens')).recorder;
  const t = ((key: string) => recorder[key.replace('recorder.', '')]) as never;

  test.each(STATES)('the state %s shows the specified text and one more sentence', (state) => {
    const text = microphoneErrorText(state, t) ?? '';
    expect(text.startsWith(`${specified} `)).toBe(true);
    expect(text.slice(specified.length + 1)).toMatch(/^[^.!?]+\.$/);
  });

  test.each(['denied', 'no-device', 'unsupported'] as const)(
    'the failure %s shows the specified text and one more sentence',
    (failure) => {
      expect(recordingErrorText(failure, t).startsWith(`${specified} `)).toBe(true);
    },
  );
});

test('an available microphone has no error text', () => {
  expect(microphoneErrorText('available', (() => '') as never)).toBeUndefined();
});
