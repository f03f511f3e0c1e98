import { LIMITS } from '@parley/contract';
import { expect, test } from 'vitest';
import { copySize, judgeImage } from './shrink-image.ts';

test.each([
  [12_000, 9_000, 0, { width: 4_618, height: 3_464 }],
  [4_000, 3_000, 0, { width: 4_000, height: 3_000 }],
  [4_000, 3_000, 1, { width: 2_800, height: 2_100 }],
  [100, 60_000, 0, { width: 53, height: 32_000 }],
  [60_000, 1, 0, { width: 32_000, height: 1 }],
])('makes a copy of %i × %i pixels smaller (attempt %i)', (width, height, attempt, size) => {
  expect(copySize(width, height, attempt)).toEqual(size);
});

/** Creates a GIF with frames of one pixel. */
function gif(width: number, height: number, frames: number, bytes = 0): Blob {
  const screen = new DataView(new ArrayBuffer(13));
  for (const [at, code] of Array.from('GIF89a', (character) => character.charCodeAt(0)).entries()) {
    screen.setUint8(at, code);
  }
  screen.setUint16(6, width, true);
  screen.setUint16(8, height, true);
  const frame = [0x2c, 0, 0, 0, 0, 1, 0, 1, 0, 0, 2, 2, 0x44, 1, 0];
  const body = Uint8Array.from(Array.from({ length: frames }, () => frame).flat());
  return new Blob([screen.buffer, body, new Uint8Array(Math.max(0, bytes - 13 - body.length))]);
}

const tooLarge = LIMITS.imageBytesMax + 1;

/** Creates an image whose first bytes could be read. */
const interrupted = (): Blob =>
  Object.assign(gif(640, 480, 1), {
    arrayBuffer: () => Promise.reject(new DOMException('', 'NotReadableError')),
  });

test.each([
  ['an image', gif(640, 480, 1), { state: 'sendable' }],
  ['a long animation', gif(1_920, 1_080, 2_000), { state: 'sendable' }],
  ['a scan of 35 megapixels', gif(4_960, 7_016, 1), { state: 'sendable' }],
  ['an image of 108 megapixels', gif(12_000, 9_000, 1), { state: 'shrinkable', megapixels: 108 }],
  ['a tall screenshot', gif(1_000, 40_000, 1), { state: 'shrinkable', megapixels: 40 }],
  [
    'an image of many bytes',
    gif(1_000, 1_000, 1, tooLarge),
    { state: 'shrinkable', megapixels: 1 },
  ],
  ['an animation of many bytes', gif(99, 99, 2, tooLarge), { state: 'refused', reason: 'size' }],
  ['an animation of many pixels', gif(9_000, 9_000, 2), { state: 'refused', reason: 'complex' }],
  ['an image of 3,600 megapixels', gif(60_000, 60_000, 1), { state: 'refused', reason: 'complex' }],
  [
    'an SVG of many bytes',
    new Blob(['<svg>'.padEnd(tooLarge)]),
    { state: 'refused', reason: 'size' },
  ],
  ['an SVG', new Blob(['<svg/>']), { state: 'sendable' }],
  ['a file that disappears', interrupted(), { state: 'refused', reason: 'unreadable' }],
])('tells whether %s can be sent', async (_, file, result) => {
  expect(await judgeImage(file)).toEqual(result);
});
