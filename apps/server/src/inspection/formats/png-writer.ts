import { pipeline } from 'node:stream/promises';
import { promisify } from 'node:util';
import { crc32, createDeflate, deflate } from 'node:zlib';
import { LIMITS } from '@parley/contract';
import { TooComplexMediaError } from './byte-source.ts';
import { Pieces } from './pieces.ts';

export const PNG_SIGNATURE = Buffer.from('89504e470d0a1a0a', 'hex');

/** Maximum size of a chunk of image data in bytes. */
const DATA_CHUNK = 256 * 1024;

/**
 * Of 16 MB, about the most that an image that is converted has, this level takes at most 400 ms, and the default
 * one, 6, up to 2,900 for random pixels of a few colors. PNGs are hardly larger.
 */
const LEVEL = 4;

const deflateAsync = promisify<Buffer, Buffer>(deflate);

/** The properties of a PNG's pixels. */
export interface PngHeader {
  readonly width: number;
  readonly height: number;
  /** Bits per channel. */
  readonly bitDepth: number;
  readonly colorType: PngColorType;
}

/** Color types by their numbers in a PNG. */
export const PNG_COLORS = { rgb: 2, palette: 3, rgba: 6 } as const;

export type PngColorType = (typeof PNG_COLORS)[keyof typeof PNG_COLORS];

/** Creates a chunk with its length and checksum. */
export function createChunk(type: string, data: Buffer): Buffer {
  const end = 8 + data.length;
  const chunk = Buffer.alloc(end + 4);
  chunk.writeUInt32BE(data.length, 0);
  chunk.write(type, 4, 'latin1');
  data.copy(chunk, 8);
  chunk.writeUInt32BE(crc32(chunk.subarray(4, end)), end);
  return chunk;
}

/** Creates a chunk with a color profile under a neutral name. */
export async function createProfileChunk(profile: Buffer): Promise<Buffer> {
  const name = Buffer.from('icc\0\0', 'latin1');
  return createChunk('iCCP', Buffer.concat([name, await deflateAsync(profile)]));
}

/**
 * Writes a PNG. `scanlines` yields its rows from top to bottom, each after the byte of its filter,
 * any number of them at once. They are compressed in the thread pool, where that does not count for the limit of a
 * worker, and the next ones are requested only when there is room for them.
 * @throws {TooComplexMediaError} if the PNG is larger than an image may be.
 */
export async function writePng(
  { width, height, bitDepth, colorType }: PngHeader,
  chunks: readonly Buffer[],
  scanlines: AsyncIterable<Buffer>,
): Promise<Pieces> {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([bitDepth, colorType], 8);
  const pieces = new Pieces();
  pieces.insert(Buffer.concat([PNG_SIGNATURE, createChunk('IHDR', header), ...chunks]));
  await pipeline(
    scanlines,
    createDeflate({ chunkSize: DATA_CHUNK, level: LEVEL }),
    async (compressed: AsyncIterable<Buffer>) => {
      for await (const data of compressed) {
        pieces.insert(createChunk('IDAT', data));
        if (pieces.length > LIMITS.imageBytesMax) {
          throw new TooComplexMediaError('too large as PNG');
        }
      }
    },
  );
  pieces.insert(createChunk('IEND', Buffer.alloc(0)));
  return pieces;
}
