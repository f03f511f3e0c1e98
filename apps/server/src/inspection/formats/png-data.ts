import { createInflate } from 'node:zlib';
import { pipeline } from 'node:stream/promises';
import { readAll, type ByteSource } from './byte-source.ts';
import { Pieces } from './pieces.ts';
import { createChunk } from './png-writer.ts';

/** Bytes that are read at once. */
const PART = 64 * 1024;

/** Bytes that are decompressed at once. */
const INFLATED_PART = 256 * 1024;

/** Bits per channel, number of channels, and whether rows are stored in seven passes. */
export interface PixelLayout {
  readonly bitDepth: number;
  readonly channels: number;
  readonly isInterlaced: boolean;
}

/** Where the pixels of each pass of an interlaced image begin, and their distances. */
const PASSES = [
  { x: 0, y: 0, dx: 8, dy: 8 },
  { x: 4, y: 0, dx: 8, dy: 8 },
  { x: 0, y: 4, dx: 4, dy: 8 },
  { x: 2, y: 0, dx: 4, dy: 4 },
  { x: 0, y: 2, dx: 2, dy: 4 },
  { x: 1, y: 0, dx: 2, dy: 2 },
  { x: 0, y: 1, dx: 1, dy: 2 },
];

/** Returns the number of bytes of an image's rows, each with the byte of its filter. */
export function rowBytes(
  width: number,
  height: number,
  { bitDepth, channels, isInterlaced }: PixelLayout,
): number {
  const bytes = (w: number, h: number) =>
    w > 0 && h > 0 ? h * (1 + Math.ceil((w * bitDepth * channels) / 8)) : 0;
  if (!isInterlaced) return bytes(width, height);
  return PASSES.map(({ x, y, dx, dy }) =>
    bytes(Math.ceil((width - x) / dx), Math.ceil((height - y) / dy)),
  ).reduce((a, b) => a + b, 0);
}

/**
 * Bytes that may be decompressed for a file. An animation may have more, whose other frames are kept as
 * they are.
 */
const DECOMPRESSED_MAX = 400_000_000;

/** A chunk with a part of the compressed rows of an image or a frame. */
export interface DataChunk {
  readonly type: 'IDAT' | 'fdAT';
  /** Where it begins in the file. */
  readonly at: number;
  /** Length of its content in bytes. */
  readonly length: number;
}

/** Number of bytes before the data: a frame's chunks begin with a sequence number. */
const prefixOf = ({ type }: DataChunk) => (type === 'fdAT' ? 4 : 0);

/** Cuts off what follows the end of the compressed rows of an image or a frame, which no program shows. */
export class PixelCleaner {
  readonly #source: ByteSource;
  #bytesLeft = DECOMPRESSED_MAX;

  constructor(source: ByteSource) {
    this.#source = source;
  }

  /**
   * Returns the chunks of an image or a frame without what follows the end of its rows.
   * @param bytesMax number of bytes of the rows
   */
  async clean(chunks: readonly DataChunk[], bytesMax: number): Promise<Pieces> {
    const used = await this.#measure(chunks, bytesMax);
    const pieces = new Pieces();
    let start = 0;
    for (const chunk of chunks) {
      const { type, at, length } = chunk;
      const prefix = prefixOf(chunk);
      const kept = Math.max(0, Math.min(length - prefix, used - start));
      start += length - prefix;
      if (kept === length - prefix) pieces.keep(at, at + 12 + length);
      // Frames are numbered without gaps.
      else if (kept > 0 || type === 'fdAT') {
        pieces.insert(createChunk(type, await readAll(this.#source, at + 8, prefix + kept)));
      }
    }
    return pieces;
  }

  /**
   * Returns the length of a compressed stream in bytes; infinite if it has no end, or has more than
   * `bytesMax` when decompressed. Browsers show what they can of it.
   */
  async #measure(chunks: readonly DataChunk[], bytesMax: number): Promise<number> {
    const inflate = createInflate({ chunkSize: INFLATED_PART });
    const countDown = async (rows: AsyncIterable<Buffer>) => {
      let bytes = 0;
      for await (const { length } of rows) {
        bytes += length;
        this.#bytesLeft -= length;
        if (bytes > bytesMax || this.#bytesLeft < 0) throw new Error('too many rows');
      }
    };
    try {
      await pipeline(readData(this.#source, chunks), inflate, countDown);
    } catch {
      // It may also have ended before the data.
      if (!inflate.readableEnded) return Infinity;
    }
    return inflate.bytesWritten;
  }
}

async function* readData(source: ByteSource, chunks: readonly DataChunk[]): AsyncGenerator<Buffer> {
  for (const chunk of chunks) {
    const end = chunk.at + 8 + chunk.length;
    for (let at = chunk.at + 8 + prefixOf(chunk); at < end; at += PART) {
      yield Buffer.from(await source.bytes(at, Math.min(PART, end - at)));
    }
  }
}
