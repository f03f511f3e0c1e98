import { bmpColors, encodeBmp, type BmpParts } from '@parley/testing';
import { describe, expect, test } from 'vitest';
import { decodePng } from '../../../../test/decode-png.ts';
import { createMemorySource, MalformedFileError } from '../byte-source.ts';
import { bmp } from './bmp.ts';

const bytes = (...values: number[]) => Buffer.from(values);

async function convert(parts: BmpParts | Buffer): Promise<Buffer> {
  const file = Buffer.isBuffer(parts) ? parts : encodeBmp(parts);
  const { pieces } = await bmp.read(createMemorySource(file));
  return pieces.toBuffer(file);
}

/** Returns the rows of pixels that are stored for a BMP. */
const pixelsOf = async (parts: BmpParts) => decodePng(await convert(parts));

const BLACK = [0, 0, 0];
const RED = [255, 0, 0];
const GREEN = [0, 255, 0];
const BLUE = [0, 0, 255];
const WHITE = [255, 255, 255];

/** As stored: each color is 0x00RRGGBB, like masks. */
const FOUR_COLORS = [0xff0000, 0x00ff00, 0x0000ff, 0xffffff];
const paletteOf = (count: number) =>
  bmpColors(...FOUR_COLORS, ...Array<number>(Math.max(0, count - 4)).fill(0)).subarray(
    0,
    count * 4,
  );

const BIT_FIELDS = 3;
const ALPHA_BIT_FIELDS = 6;
const RUNS_8 = 1;
const RUNS_4 = 2;

/** Masks in the order of BMPs that are written most often, with alpha. */
const MASKS = [0xff0000, 0x00ff00, 0x0000ff, 0xff000000];

const rgb24 = {
  width: 2,
  height: 2,
  bitsPerPixel: 24,
  rows: [bytes(0, 0, 255, 0, 255, 0), bytes(255, 0, 0, 255, 255, 255)],
};
const rgb24Pixels = [
  [RED, GREEN],
  [BLUE, WHITE],
];

describe('the pixels of a BMP', () => {
  test.each([
    [
      '1 bit',
      { bitsPerPixel: 1, palette: paletteOf(2), rows: [bytes(0b0100_0000), bytes(0b1000_0000)] },
      [
        [RED, GREEN, RED],
        [GREEN, RED, RED],
      ],
    ],
    [
      '4 bits',
      { bitsPerPixel: 4, palette: paletteOf(16), rows: [bytes(0x01, 0x20), bytes(0x32, 0x10)] },
      [
        [RED, GREEN, BLUE],
        [WHITE, BLUE, GREEN],
      ],
    ],
    [
      '8 bits',
      { bitsPerPixel: 8, palette: paletteOf(256), rows: [bytes(0, 1, 2), bytes(3, 255, 1)] },
      [
        [RED, GREEN, BLUE],
        [WHITE, BLACK, GREEN],
      ],
    ],
    [
      '16 bits',
      {
        bitsPerPixel: 16,
        rows: [bytes(0x00, 0x7c, 0xe0, 0x03, 0x1f, 0x00), bytes(0xff, 0x7f, 0x10, 0x42, 0, 0x80)],
      },
      [
        [RED, GREEN, BLUE],
        [WHITE, [132, 132, 132], BLACK],
      ],
    ],
    [
      '24 bits',
      {
        bitsPerPixel: 24,
        rows: [bytes(0, 0, 255, 0, 255, 0, 255, 0, 0), bytes(1, 2, 3, 4, 5, 6, 255, 255, 255)],
      },
      [
        [RED, GREEN, BLUE],
        [[3, 2, 1], [6, 5, 4], WHITE],
      ],
    ],
    [
      '32 bits',
      {
        bitsPerPixel: 32,
        rows: [
          bytes(0, 0, 255, 9, 0, 255, 0, 0, 255, 0, 0, 99),
          bytes(1, 2, 3, 0, 0, 0, 0, 0, 255, 255, 255, 255),
        ],
      },
      [
        [RED, GREEN, BLUE],
        [[3, 2, 1], BLACK, WHITE],
      ],
    ],
  ] as [string, Omit<BmpParts, 'width' | 'height'>, number[][][]][])(
    'are kept in both orders of rows with %s per pixel',
    async (_, parts, pixels) => {
      const image = { width: 3, height: 2, ...parts };
      expect(await pixelsOf(image)).toEqual(pixels);
      expect(await pixelsOf({ ...image, isTopDown: true })).toEqual(pixels);
    },
  );

  test.each([12, 40, 52, 56, 108, 124])(
    'are kept with a header of %i bytes',
    async (headerSize) => {
      expect(await pixelsOf({ ...rgb24, headerSize })).toEqual(rgb24Pixels);
      const size = headerSize === 12 ? 3 : 4;
      const palette = Buffer.concat(
        Array.from({ length: 256 }, (_, i) => bytes(i, 255 - i, 7, 0).subarray(0, size)),
      );
      const indexed = { width: 2, height: 1, bitsPerPixel: 8, headerSize, palette };
      expect(await pixelsOf({ ...indexed, rows: [bytes(1, 200)] })).toEqual([
        [
          [7, 254, 1],
          [7, 55, 200],
        ],
      ]);
    },
  );

  test('have the colors that their bit fields define', async () => {
    const image = { width: 2, height: 1, compression: BIT_FIELDS };
    const short = { ...image, bitsPerPixel: 16, rows: [bytes(0x00, 0xf8, 0xf0, 0x07)] };
    expect(await pixelsOf({ ...short, palette: bmpColors(0xf800, 0x07e0, 0x001f) })).toEqual([
      [RED, [0, 255, 132]],
    ]);
    // Ten bits per channel, of which browsers show eight.
    const deep = { ...image, bitsPerPixel: 32, rows: [bytes(1, 2, 3, 0x3f, 255, 3, 0, 0)] };
    expect(await pixelsOf({ ...deep, palette: bmpColors(0x3ff00000, 0xffc00, 0x3ff) })).toEqual([
      [[252, 48, 128], BLUE],
    ]);
  });

  test.each([
    [
      'in a large header',
      { compression: BIT_FIELDS, headerSize: 56, moreHeader: bmpColors(...MASKS) },
    ],
    ['after a small header', { compression: ALPHA_BIT_FIELDS, palette: bmpColors(...MASKS) }],
  ])('are transparent with a mask for alpha %s', async (_, parts) => {
    const image = { width: 2, height: 1, bitsPerPixel: 32, ...parts };
    expect(await pixelsOf({ ...image, rows: [bytes(0, 0, 255, 128, 255, 0, 0, 0)] })).toEqual([
      [
        [...RED, 128],
        [...BLUE, 0],
      ],
    ]);
  });

  test('are opaque if alpha is 0 everywhere', async () => {
    const image = {
      width: 2,
      height: 1,
      bitsPerPixel: 32,
      headerSize: 124,
      compression: BIT_FIELDS,
    };
    const rows = [bytes(0, 0, 255, 0, 255, 0, 0, 0)];
    expect(await pixelsOf({ ...image, moreHeader: bmpColors(...MASKS), rows })).toEqual([
      [RED, BLUE],
    ]);
  });

  test('are black if the palette has too few colors', async () => {
    const image = { width: 3, height: 1, bitsPerPixel: 8, palette: paletteOf(2), colors: 2 };
    expect(await pixelsOf({ ...image, rows: [bytes(0, 1, 2)] })).toEqual([[RED, GREEN, BLACK]]);
  });

  test('are kept in an image that is converted in several parts', async () => {
    const [width, height] = [200, 900];
    const pixels = Array.from({ length: height }, (_, y) =>
      Array.from({ length: width }, (_, x) => [x, y & 255, y >> 8]),
    );
    const rows = pixels.map((row) => Buffer.from(row.flatMap((color) => color.toReversed())));
    const image = { width, height, bitsPerPixel: 24, rows };
    const expected = JSON.stringify(pixels);
    for (const isTopDown of [false, true]) {
      const found = JSON.stringify(await pixelsOf({ ...image, isTopDown }));
      expect(found === expected, `top-down: ${isTopDown}`).toBe(true);
    }
  });
});

describe('run-length encoded pixels of a BMP', () => {
  test.each([
    [
      'runs, pixels and a jump of 8 bits',
      { bitsPerPixel: 8, compression: RUNS_8, palette: paletteOf(256) },
      bytes(2, 1, 2, 2, 0, 0, 0, 3, 1, 2, 3, 0, 0, 2, 0, 1, 1, 3, 0, 1),
      [
        [RED, RED, RED, WHITE],
        [GREEN, BLUE, WHITE, RED],
        [GREEN, GREEN, BLUE, BLUE],
      ],
    ],
    [
      'runs and pixels of 4 bits',
      { bitsPerPixel: 4, compression: RUNS_4, palette: paletteOf(16) },
      bytes(3, 0x12, 0, 0, 0, 3, 0x32, 0x10, 0, 0, 4, 0x33),
      [
        [WHITE, WHITE, WHITE, WHITE],
        [WHITE, BLUE, GREEN, RED],
        [GREEN, BLUE, GREEN, RED],
      ],
    ],
    [
      'runs that exceed their row',
      { bitsPerPixel: 8, compression: RUNS_8, palette: paletteOf(256) },
      bytes(9, 1, 0, 0, 255, 2, 0, 0, 9, 3, 0, 1),
      [
        [WHITE, WHITE, WHITE, WHITE],
        [BLUE, BLUE, BLUE, BLUE],
        [GREEN, GREEN, GREEN, GREEN],
      ],
    ],
  ])('are decoded: %s', async (_, parts, data, pixels) => {
    const end = bytes(0, 1);
    expect(await pixelsOf({ width: 4, height: 3, ...parts, data, end })).toEqual(pixels);
  });

  test.each([
    ['end early', bytes(4, 1, 0, 0, 4, 1)],
    ['end within uncompressed pixels', bytes(0, 4, 1, 2)],
    ['exceed their row without compression', bytes(2, 1, 0, 3, 1, 2, 3, 0, 0, 1)],
    ['jump beyond their row', bytes(0, 2, 5, 0, 0, 1)],
    ['jump above the image', bytes(0, 2, 0, 3, 1, 1, 0, 1)],
  ])('are rejected if they %s', async (_, data) => {
    const image = { width: 4, height: 3, bitsPerPixel: 8, compression: RUNS_8 };
    await expect(convert({ ...image, palette: paletteOf(256), data })).rejects.toThrow(
      MalformedFileError,
    );
  });
});

describe('a BMP that is not valid', () => {
  const valid = encodeBmp(rgb24);
  const patched = (at: number, value: number, size = 4) => {
    const file = Buffer.from(valid);
    file.writeUIntLE(value, at, size);
    return file;
  };
  const indexed = { width: 2, height: 1, bitsPerPixel: 8, rows: [bytes(0, 1)] };
  const fields = { width: 1, height: 1, bitsPerPixel: 16, compression: BIT_FIELDS };

  test.each([
    ['only half of its pixels', valid.subarray(0, -8)],
    ['all but the last byte', valid.subarray(0, -1)],
    ['only its header', valid.subarray(0, 54)],
    ['half of its header', valid.subarray(0, 30)],
    ['only its first bytes', valid.subarray(0, 4)],
    ['a header of unknown size', patched(14, 41)],
    ['a header of 4 GB', patched(14, 0xffffffff)],
    ['pixels inside of the header', patched(10, 40)],
    ['pixels after the end', patched(10, 0xfffffff0)],
    ['a width of 0', patched(18, 0)],
    ['a negative width', patched(18, 0xffffffff)],
    ['a height of 0', patched(22, 0)],
    ['one more column than it has pixels', patched(18, 3)],
    ['one more row than it has pixels', patched(22, 3)],
    ['2 bits per pixel', patched(28, 2, 2)],
    ['an embedded JPEG', patched(30, 4)],
    ['an embedded PNG', patched(30, 5)],
    ['runs of 24 bits', patched(30, RUNS_8)],
    ['bit fields of 24 bits', patched(30, BIT_FIELDS)],
    [
      'runs from top to bottom',
      encodeBmp({ ...indexed, compression: RUNS_8, palette: paletteOf(256), isTopDown: true }),
    ],
    [
      'runs after the end',
      encodeBmp({ ...indexed, compression: RUNS_8, palette: paletteOf(256) }).subarray(0, -8),
    ],
    ['a palette that overlaps the pixels', encodeBmp({ ...indexed, palette: paletteOf(255) })],
    [
      'a palette that is shorter than stated',
      encodeBmp({ ...indexed, palette: paletteOf(2), colors: 3 }),
    ],
    [
      'masks that overlap the pixels',
      encodeBmp({ ...fields, palette: bmpColors(0xf800, 0x07e0), data: Buffer.alloc(8) }),
    ],
    ...(
      [
        ['masks that overlap each other', 0xf800, 0x0fe0, 0x001f],
        ['a mask with a gap', 0xf800, 0x07a0, 0x001f],
        ['a mask of more bits than a pixel', 0x1f800, 0x07e0, 0x001f],
      ] as const
    ).map(([name, ...masks]) => {
      return [name, encodeBmp({ ...fields, palette: bmpColors(...masks), rows: [bytes(1, 2)] })];
    }),
  ] as [string, Buffer][])('is rejected: %s', async (_, file) => {
    await expect(convert(file)).rejects.toThrow(MalformedFileError);
  });
});
