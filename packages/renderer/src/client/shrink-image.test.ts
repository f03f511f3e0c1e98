import { expect, test } from 'vitest';
import { copySize } from './shrink-image.ts';

test.each([
  [12_000, 9_000, 0, { width: 4_618, height: 3_464 }],
  [4_000, 3_000, 0, { width: 4_000, height: 3_000 }],
  [4_000, 3_000, 1, { width: 2_800, height: 2_100 }],
  [100, 60_000, 0, { width: 53, height: 32_000 }],
  [60_000, 1, 0, { width: 32_000, height: 1 }],
])('makes a copy of %i × %i pixels smaller (attempt %i)', (width, height, attempt, size) => {
  expect(copySize(width, height, attempt)).toEqual(size);
});
