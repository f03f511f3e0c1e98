import { expect, test } from 'vitest';
import { checkImageFile } from './image-files.ts';
import { LIMITS } from './limits.ts';

test.each([
  ['image/png', 1, undefined],
  ['image/png', LIMITS.imageBytesMax, undefined],
  ['image/png', LIMITS.imageBytesMax + 1, 'size'],
  ['image/png', 0, 'empty'],
  ['image/bmp', 1, undefined],
  ['image/heic', 1, 'type'],
  ['', 1, 'type'],
])('checks a file of type %o with %i bytes: %o', (type, size, refusal) => {
  expect(checkImageFile({ type, size })).toBe(refusal);
});
