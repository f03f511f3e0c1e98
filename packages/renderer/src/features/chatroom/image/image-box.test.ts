import { expect, test } from 'vitest';
import { imageBox } from './image-box.ts';

test('keeps the aspect ratio within the bounds', () => {
  expect(imageBox({ width: 3400, height: 1700 })).toEqual({ width: 340, height: 170 });
  expect(imageBox({ width: 1000, height: 3800 })).toEqual({ width: 120, height: 380 });
  expect(imageBox({ width: 200, height: 150 })).toEqual({ width: 200, height: 150 });
});

test('leaves space for the time in tiny, very long and unknown images', () => {
  expect(imageBox({ width: 1, height: 1 })).toEqual({ width: 120, height: 64 });
  expect(imageBox({ width: 10_000, height: 10 })).toEqual({ width: 340, height: 64 });
  expect(imageBox({ width: 0, height: 10 })).toEqual(imageBox(undefined));
});
