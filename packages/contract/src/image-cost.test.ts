import { expect, test } from 'vitest';
import {
  ANIMATION_LIMITS,
  frameDelay,
  isAnimationWithin,
  isCheapImage,
  type AnimationCost,
} from './image-cost.ts';

test.each([
  ['a scan of 600 dpi', { width: 4_960, height: 7_016 }, true],
  ['a board of 40 megapixels', { width: 8_000, height: 5_000 }, true],
  ['a picture of 49 megapixels', { width: 7_000, height: 7_000 }, false],
  ['a photo of 50 megapixels', { width: 8_160, height: 6_120, isScalable: true }, true],
  ['a photo of 108 megapixels', { width: 12_000, height: 9_000, isScalable: true }, false],
  ['a long screenshot', { width: 1_000, height: 32_000 }, true],
  ['an image of one row', { width: 32_768, height: 1 }, false],
  [
    'an image with a lot of memory for each pixel',
    { width: 7_000, height: 6_000, bytesPerPixel: 12 },
    false,
  ],
])('tells whether any client can show %s', (_, image, isCheap) => {
  expect(isCheapImage(image)).toBe(isCheap);
});

const animation = (
  [width, height]: [number, number],
  frames: number,
  delay: number,
): AnimationCost => ({ width, height, frames, duration: frames * frameDelay(delay) });

test.each([
  ['a reaction', animation([480, 360], 60, 40), 'played by itself'],
  ['a still image of any size', animation([8_000, 5_000], 1, 0), 'played by itself'],
  ['a screen recording of ten seconds', animation([1_920, 1_080], 150, 66), 'played by itself'],
  ['a screen recording of two minutes', animation([1_920, 1_080], 1_200, 100), 'played on demand'],
  ['a recording of a large screen', animation([3_840, 2_160], 100, 100), 'played on demand'],
  ['a fast recording', animation([2_000, 2_000], 100, 20), 'played on demand'],
  ['a fast recording of a large screen', animation([3_840, 2_160], 100, 20), 'refused'],
  ['an hour in short frames', animation([10, 10], 4_001, 1_000), 'refused'],
  ['an animated poster', animation([8_000, 5_000], 2, 1_000), 'refused'],
  [
    'frames without a delay, which are shown for 100 ms',
    animation([1_920, 1_080], 150, 0),
    'played by itself',
  ],
])('tells whether %s is accepted and played', (_, cost, outcome) => {
  const { automatic, accepted } = ANIMATION_LIMITS;
  const onDemand = isAnimationWithin(accepted, cost) ? 'played on demand' : 'refused';
  expect(isAnimationWithin(automatic, cost) ? 'played by itself' : onDemand).toBe(outcome);
});
