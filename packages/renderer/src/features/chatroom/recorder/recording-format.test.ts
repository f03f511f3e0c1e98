import { expect, test } from 'vitest';
import { chooseFormat } from './recording-format.ts';

test('prefers WebM and falls back to other accepted formats of the browser', () => {
  expect(chooseFormat(() => true)).toEqual({
    mimeType: 'audio/webm;codecs=opus',
    extension: 'webm',
  });
  expect(chooseFormat((type) => type.startsWith('audio/mp4'))?.extension).toBe('mp4');
  expect(chooseFormat((type) => type === 'audio/aac')?.extension).toBe('aac');
  expect(chooseFormat((type) => type === 'audio/ogg')).toBeUndefined();
});
