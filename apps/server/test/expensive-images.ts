import { randomBytes } from 'node:crypto';
import { deflateSync } from 'node:zlib';
import { bmpColors, encodeBmp, pngChunk } from '@parley/testing';
import { riff, riffChunk, sample } from './samples.ts';

const SIGNATURE = Buffer.from('89504e470d0a1a0a', 'hex');

/** Properties of a PNG that determine its cost; the image is black. */
export interface PngShape {
  readonly bits?: 1 | 8 | 16;
  readonly isInterlaced?: boolean;
  /** Whether it has colors and alpha. */
  readonly isColored?: boolean;
  /** Compressed rows instead of black ones. */
  readonly data?: Buffer;
  /** Number of frames and their delay in milliseconds. */
  readonly animation?: {
    readonly frames: number;
    readonly delay: number;
    /** Compressed rows of frames as large as the image. By default, they have one pixel. */
    readonly data?: Buffer;
  };
  /** Chunks before the image data. */
  readonly chunks?: readonly Buffer[];
}

/** Creates a PNG of any size, gray by default. Above a thousand rows, the image data is left out by default. */
export function pngOfSize(width: number, height: number, shape: PngShape = {}): Buffer {
  const { bits = 1, isInterlaced = false, isColored = false, animation, chunks = [] } = shape;
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([bits, isColored ? 6 : 0, 0, 0, isInterlaced ? 1 : 0], 8);
  const rows = height > 1_000 ? 0 : height * (1 + Math.ceil((width * bits) / 8));
  const frames = Array.from({ length: animation?.frames ?? 0 }, (_, i) =>
    pngFrame(i, width, height, animation),
  );
  const count = Buffer.alloc(8);
  count.writeUInt32BE(animation?.frames ?? 0);
  return Buffer.concat([
    SIGNATURE,
    pngChunk('IHDR', header),
    ...chunks,
    ...(animation === undefined ? [] : [pngChunk('acTL', count), ...frames.slice(0, 1)]),
    pngChunk('IDAT', shape.data ?? deflateSync(Buffer.alloc(rows))),
    ...frames.slice(1),
    pngChunk('IEND', Buffer.alloc(0)),
  ]);
}

/** Creates frame `i` of an animated PNG. The first is the image itself. */
function pngFrame(
  i: number,
  width: number,
  height: number,
  { delay = 0, data }: Partial<NonNullable<PngShape['animation']>> = {},
): Buffer {
  const control = Buffer.alloc(26);
  const isWhole = i === 0 || data !== undefined;
  control.writeUInt32BE(Math.max(0, i * 2 - 1), 0);
  control.writeUInt32BE(isWhole ? width : 1, 4);
  control.writeUInt32BE(isWhole ? height : 1, 8);
  control.writeUInt16BE(delay, 20);
  control.writeUInt16BE(1_000, 22);
  if (i === 0) return pngChunk('fcTL', control);
  const sequence = Buffer.alloc(4);
  sequence.writeUInt32BE(i * 2);
  const rows = data ?? deflateSync(Buffer.alloc(2));
  return Buffer.concat([
    pngChunk('fcTL', control),
    pngChunk('fdAT', Buffer.concat([sequence, rows])),
  ]);
}

/** Creates a GIF with frames of one pixel on a canvas of any size; `delay` is in milliseconds. */
export function gifOfFrames(width: number, height: number, frames: number, delay: number): Buffer {
  const screen = Buffer.from('474946383961000000008000000000 00ffffff'.replace(' ', ''), 'hex');
  screen.writeUInt16LE(width, 6);
  screen.writeUInt16LE(height, 8);
  const frame = Buffer.from(
    '21f90400000000002c000000000100010000020244 0100'.replace(' ', ''),
    'hex',
  );
  frame.writeUInt16LE(delay / 10, 4);
  return Buffer.concat([
    screen,
    ...Array.from({ length: frames }, () => frame),
    Buffer.from([0x3b]),
  ]);
}

/**
 * Creates a WebP with frames of 24 by 12 pixels on a canvas of any size; `delay` is in
 * milliseconds.
 */
export function webpOfFrames(width: number, height: number, frames: number, delay: number): Buffer {
  const plain = sample('picture.webp');
  const header = Buffer.alloc(10);
  header.writeUInt8(0x02, 0);
  header.writeUIntLE(width - 1, 4, 3);
  header.writeUIntLE(height - 1, 7, 3);
  const place = Buffer.alloc(16);
  place.writeUIntLE(24 - 1, 6, 3);
  place.writeUIntLE(12 - 1, 9, 3);
  place.writeUIntLE(delay, 12, 3);
  const frame = riffChunk('ANMF', Buffer.concat([place, plain.subarray(plain.indexOf('VP8 '))]));
  return riff(
    'WEBP',
    riffChunk('VP8X', header),
    riffChunk('ANIM', Buffer.alloc(6)),
    ...Array.from({ length: frames }, () => frame),
  );
}

/** Creates a lossless WebP of any size, without its pixels. */
export function webpOfSize(width: number, height: number): Buffer {
  const data = Buffer.from([0x2f, 0, 0, 0, 0]);
  data.writeUInt32LE(width - 1 + (height - 1) * 2 ** 14, 1);
  return riff('WEBP', riffChunk('VP8L', data));
}

/** Creates a JPEG of any size with any number of empty scans. */
export function jpegOfScans(
  width: number,
  height: number,
  scans: number,
  padding = 0,
  process: 'baseline' | 'progressive' = 'progressive',
): Buffer {
  const frame = Buffer.from('ffd8ffc2001108000000000301110002110003110 0'.replace(' ', ''), 'hex');
  if (process === 'baseline') frame.writeUInt8(0xc0, 3);
  frame.writeUInt16BE(height, 7);
  frame.writeUInt16BE(width, 9);
  const scan = Buffer.from('ffda000c03010002000300003f00', 'hex');
  return Buffer.concat([
    frame,
    ...Array.from({ length: scans }, () => scan),
    Buffer.alloc(padding, 0x55),
    Buffer.from('ffd9', 'hex'),
  ]);
}

/**
 * Creates a blank BMP of any size with at most 8 MB, or one of noise or of four colors at random. With runs, which
 * are empty rows, it is small.
 */
export function bmpOfSize(
  width: number,
  height: number,
  kind: 'bits' | 'runs' | 'noise' | 'four colors',
): Buffer {
  if (kind === 'four colors') {
    // Long to compress: many sequences almost repeat.
    const data = Buffer.from(
      randomBytes(Math.ceil(width / 4) * 4 * height).map((byte) => byte % 4),
    );
    return encodeBmp({ width, height, bitsPerPixel: 8, palette: Buffer.alloc(256 * 4), data });
  }
  if (kind === 'noise') {
    const data = randomBytes(Math.ceil((width * 2) / 4) * 4 * height);
    return encodeBmp({ width, height, bitsPerPixel: 16, data });
  }
  if (kind === 'bits') {
    const data = Buffer.alloc(Math.min(Math.ceil(width / 32) * 4 * height, 8_000_000));
    return encodeBmp({ width, height, bitsPerPixel: 1, palette: bmpColors(0, 0xffffff), data });
  }
  const palette = Buffer.alloc(256 * 4);
  const data = Buffer.alloc(height * 2);
  return encodeBmp({ width, height, bitsPerPixel: 8, compression: 1, palette, data });
}

/** Creates a GIF of one pixel with a comment in blocks of one byte. */
export function gifOfBlocks(blocks: number): Buffer {
  const image = gifOfFrames(1, 1, 1, 0);
  const comment = Buffer.alloc(blocks * 2 + 3, 1);
  comment.set([0x21, 0xfe], 0);
  comment[comment.length - 1] = 0;
  return Buffer.concat([image.subarray(0, 19), comment, image.subarray(19)]);
}
