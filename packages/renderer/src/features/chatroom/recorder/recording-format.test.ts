import { expect, test } from 'vitest';
import { chooseFormat } from './recording-format.ts';

test('WebM where it can be had, otherwise what the browser has among those accepted', () => {
  expect(chooseFormat(() => true)).toEqual({
    mimeType: 'audio/webm;codecs=opus',
    extension: 'webm',
  });
  expect(chooseFormat((type) => type.startsWith('audio/mp4'))?.extension).toBe('mp4');
  expect(chooseFormat((type) => type === 'audio/aac')?.extension).toBe('aac');
  expect(chooseFormat((type) => type === 'audio/ogg')).toBeUndefined();
});
