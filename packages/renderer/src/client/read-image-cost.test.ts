import { expect, test } from 'vitest';
import { readImageCost } from './read-image-cost.ts';

/** Returns bytes from hexadecimal parts, in which `.` stands for four bytes that do not matter. */
function hex(...parts: string[]): Uint8Array<ArrayBuffer> {
  const digits = parts.join('').replaceAll('.', '00000000').replaceAll(' ', '');
  return Uint8Array.from(digits.match(/../g) ?? [], (byte) => Number.parseInt(byte, 16));
}

const ascii = (text: string): string =>
  Array.from(text, (character) => character.charCodeAt(0).toString(16).padStart(2, '0')).join('');

const PNG = ['89', ascii('PNG\r\n\x1a\n'), '0000000d', ascii('IHDR')];
const PNG_END = [`00000000${ascii('IDAT')}.`, `00000000${ascii('IEND')}.`];
/** Exif data with an orientation. */
const TIFF = (orientation: string) =>
  `${ascii('MM')} 002a 00000008 0001 0112 0003 00000001 00${orientation} 0000 00000000`;
const EXIF_JPEG = (orientation: string) => `ffe1 0022 ${ascii('Exif')}0000 ${TIFF(orientation)}`;
const fcTL = (delay: string) => `0000001a${ascii('fcTL')}.....${delay}0000.`;
/** Frame of a GIF with one pixel. */
const GIF_FRAME = '21f90400 0500 0000 2c 00000000 01000100 00 02 02 4401 00';
const webpFrame = (delay: string) => `${ascii('ANMF')}18000000 ...${delay}00..`;

test.each([
  [
    'a baseline JPEG',
    hex('ffd8 ffe00004 0000 ffc0 0011 08 1b68 1360 03 .......'),
    {
      width: 4_960,
      height: 7_016,
      bytesPerPixel: 4,
      isScalable: true,
      frames: 1,
      duration: 0,
    },
  ],
  [
    'a JPEG that its Exif data turns',
    hex('ffd8', EXIF_JPEG('06'), 'ffc0 0011 08 1b68 1360 03 .......'),
    { width: 7_016, height: 4_960, bytesPerPixel: 4, isScalable: true, frames: 1, duration: 0 },
  ],
  [
    'a JPEG that its Exif data turns upside down',
    hex('ffd8', EXIF_JPEG('03'), 'ffc0 0011 08 1b68 1360 03 .......'),
    { width: 4_960, height: 7_016, bytesPerPixel: 4, isScalable: true, frames: 1, duration: 0 },
  ],
  [
    'a JPEG whose Exif data ends early',
    hex(`ffd8 ffe1 000a ${ascii('Exif')}0000 ${ascii('II')}`, 'ffc0 0011 08 1b68 1360 03 .......'),
    { width: 4_960, height: 7_016, bytesPerPixel: 4, isScalable: true, frames: 1, duration: 0 },
  ],
  [
    'a PNG that its Exif data turns',
    hex(
      ...PNG,
      '00001360 00001b68 08 02 00 00 00 .',
      `0000001a ${ascii('eXIf')}`,
      TIFF('08'),
      '.',
      ...PNG_END,
    ),
    { width: 7_016, height: 4_960, bytesPerPixel: 4, frames: 1, duration: 0 },
  ],
  [
    'a progressive JPEG after fill bytes',
    hex('ffd8 ff ffc2 0011 08 1388 1f40 03 .......'),
    {
      width: 8_000,
      height: 5_000,
      bytesPerPixel: 10,
      isScalable: true,
      frames: 1,
      duration: 0,
    },
  ],
  [
    'a PNG',
    hex(...PNG, '00001360 00001b68 01 00 00 00 00 .', ...PNG_END),
    {
      width: 4_960,
      height: 7_016,
      bytesPerPixel: 4,
      frames: 1,
      duration: 0,
    },
  ],
  [
    'an interlaced PNG of deep colors',
    hex(...PNG, '00000010 00000020 10 06 00 00 01 .', ...PNG_END),
    {
      width: 16,
      height: 32,
      bytesPerPixel: 12,
      frames: 1,
      duration: 0,
    },
  ],
  [
    'an animated PNG',
    hex(
      ...PNG,
      '00000010 00000020 08 06 00 00 00 .',
      `00000008${ascii('acTL')}...`,
      fcTL('0001 0002'),
      ...PNG_END.slice(0, 1),
      fcTL('0032 0000'),
      ...PNG_END.slice(1),
    ),
    { width: 16, height: 32, bytesPerPixel: 4, frames: 2, duration: 1_000 },
  ],
  [
    'a PNG with frames that are not announced',
    hex(...PNG, '00000010 00000020 08 06 00 00 00 .', fcTL('0001 0002'), ...PNG_END),
    { width: 16, height: 32, bytesPerPixel: 4, frames: 1, duration: 0 },
  ],
  [
    'a GIF with three frames and colors',
    hex(ascii('GIF89a'), '8002 e001 80 00 00 000000ffffff', GIF_FRAME, GIF_FRAME, GIF_FRAME, '3b'),
    { width: 640, height: 480, frames: 3, duration: 150 },
  ],
  [
    'a GIF whose frame is larger than its canvas',
    hex(ascii('GIF89a'), '0100 0100 00 00 00', '2c 0a000000 00100010 00 02 02 4401 00 3b'),
    { width: 4_106, height: 4_096, frames: 1, duration: 100 },
  ],
  [
    'a lossy WebP',
    hex(ascii('RIFF'), '.', ascii('WEBPVP8 '), '0a000000 000000 9d012a 6013 681b'),
    {
      width: 4_960,
      height: 7_016,
      bytesPerPixel: 8,
      frames: 1,
      duration: 0,
    },
  ],
  [
    'a lossless WebP',
    hex(ascii('RIFF'), '.', ascii('WEBPVP8L'), '05000000 2f 5f d3 d9 06 00 ..'),
    {
      width: 4_960,
      height: 7_016,
      bytesPerPixel: 8,
      frames: 1,
      duration: 0,
    },
  ],
  [
    'an animated WebP',
    hex(
      ascii('RIFF'),
      '.',
      ascii('WEBPVP8X'),
      '0a000000 02000000 7f0700 370400',
      webpFrame('210000'),
      webpFrame('640000'),
    ),
    { width: 1_920, height: 1_080, bytesPerPixel: 8, frames: 2, duration: 133 },
  ],
  [
    'a BMP from top to bottom',
    hex(ascii('BM'), '... 28000000 60130000 98e4ffff'),
    {
      width: 4_960,
      height: 7_016,
      frames: 1,
      duration: 0,
    },
  ],
])('reads what it costs to show %s', async (_, bytes, cost) => {
  expect(await readImageCost(new Blob([bytes]))).toEqual(cost);
});

test.each([
  ['an SVG', hex(ascii('<svg xmlns="http://www.w3.org/2000/svg"/>'))],
  ['an empty file', hex('')],
  ['the beginning of a JPEG', hex('ffd8 ffe1 ffff 0000')],
  ['a JPEG with something else in place of a marker', hex('ffd8 ffe00004 0000 1234 5678 9abc')],
  ['the beginning of a PNG', hex(...PNG, '0000')],
  ['a WebP without an image', hex(ascii('RIFF'), '.', ascii('WEBPEXIF'), '02000000 0000')],
])('reads no cost of %s', async (_, bytes) => {
  expect(await readImageCost(new Blob([bytes]))).toBeUndefined();
});

test('reads the frames of an animation that ends early', async () => {
  const bytes = hex(ascii('GIF89a'), '8002 e001 00 00 00', GIF_FRAME, GIF_FRAME, '2c 0000');
  expect(await readImageCost(new Blob([bytes]))).toMatchObject({ frames: 2, duration: 100 });
});
