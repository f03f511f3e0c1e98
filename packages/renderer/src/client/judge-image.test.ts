import { LIMITS } from '@parley/contract';
import { expect, test } from 'vitest';
import { isShrinkable, judgeImage } from './judge-image.ts';

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

/** Creates a file, records how many bytes are read from it at a time, and fails to read those from a position on. */
function recordReads(file: Blob, end = file.size): { file: Blob; reads: readonly number[] } {
  const reads: number[] = [];
  const slice: Blob['slice'] = (...range) => {
    const part = file.slice(...range);
    const start = file.size - file.slice(range[0]).size;
    return Object.assign(part, {
      arrayBuffer: async () => {
        if (start + part.size > end) throw new DOMException('', 'NotReadableError');
        reads.push(part.size);
        return Blob.prototype.arrayBuffer.call(part);
      },
    });
  };
  const arrayBuffer = (): Promise<never> => Promise.reject(new Error('reads the whole file'));
  return { file: Object.assign(file.slice(), { slice, arrayBuffer }), reads };
}

const large = gif(640, 480, 1, 1_000_000);

test.each([
  ['an image', gif(640, 480, 1), { state: 'sendable', size: { width: 640, height: 480 } }],
  [
    'a long animation',
    gif(1_920, 1_080, 2_000),
    { state: 'sendable', size: { width: 1_920, height: 1_080 } },
  ],
  [
    'a scan of 35 megapixels',
    gif(4_960, 7_016, 1),
    { state: 'sendable', size: { width: 4_960, height: 7_016 } },
  ],
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
  [
    'a file of which only the beginning is on this device',
    recordReads(large, 600_000).file,
    { state: 'refused', reason: 'unreadable' },
  ],
])('tells whether %s can be sent', async (_, file, result) => {
  expect(await judgeImage(file)).toEqual(result);
});

const MB = 1024 * 1024;
const zeros = (bytes: number): Uint8Array<ArrayBuffer> => new Uint8Array(bytes);
const ascii = (text: string): Uint8Array<ArrayBuffer> => new TextEncoder().encode(text);

/** Creates a JPEG of 108 megapixels with many bytes. */
function jpeg(bytes: number): Blob {
  const segments = [0xff, 0xd8, 0xff, 0xe0, 0, 4, 0, 0, 0xff, 0xc0, 0, 17, 8];
  const size = [12_000 >> 8, 12_000 & 0xff, 9_000 >> 8, 9_000 & 0xff, 3];
  return new Blob([Uint8Array.from([...segments, ...size]), zeros(bytes)]);
}

/** Creates an animated WebP whose frames have many bytes. */
function webp(frames: number, bytes: number): Blob {
  const chunk = (type: string, content: Uint8Array<ArrayBuffer>) => {
    const length = new DataView(new ArrayBuffer(4));
    length.setUint32(0, content.length, true);
    return new Blob([ascii(type), length.buffer, content]);
  };
  const body = Array.from({ length: frames }, () => chunk('ANMF', zeros(bytes)));
  return new Blob([ascii('RIFF'), zeros(4), ascii('WEBP'), chunk('VP8X', zeros(10)), ...body]);
}

test.each([
  ['a photo of 63 MB', jpeg(63 * MB), 'shrinkable', 0.3],
  ['an animation with ten frames of 6 MB', webp(10, 6 * MB), 'refused', 3],
  ['an animation with many small frames', gif(99, 99, 200_000), 'refused', 2.9],
])('reads only parts of %s', async (_, original, state, total) => {
  const { file, reads } = recordReads(original);
  expect(await judgeImage(file)).toMatchObject({ state });
  expect(Math.max(...reads)).toBeLessThanOrEqual(MB / 4);
  expect(reads.reduce((sum, bytes) => sum + bytes, 0)).toBeLessThan(total * MB);
});

test('reads an image once to tell whether a smaller copy can be made, however often it is asked', async () => {
  const { file, reads } = recordReads(gif(12_000, 9_000, 1));
  expect(await isShrinkable(file)).toBe(true);
  const count = reads.length;
  expect(await isShrinkable(file)).toBe(true);
  expect(reads).toHaveLength(count);
});
