import { once } from 'node:events';
import { constants, crc32, createInflateRaw, type InflateRaw } from 'node:zlib';
import { LIMITS } from '@parley/contract';
import { readAll, TooComplexMediaError, type ByteSource } from './byte-source.ts';
import { Pieces } from './pieces.ts';
import { createChunk } from './png-writer.ts';
import { ZlibWriter } from './zlib-writer.ts';

/** Bytes that are read and decompressed at once. */
const PART = 64 * 1024;

/** The same shortly before an error, so that hardly a row before it is lost. */
const SMALL_PART = 16;

/** Maximum number of bytes that the decompressor returns at once. */
const INFLATED_PART = 256 * 1024;

/** Bits per channel, number of channels, and whether rows are stored in seven passes. */
export interface PixelLayout {
  readonly bitDepth: number;
  readonly channels: number;
  readonly isInterlaced: boolean;
}

/** Rows of the same length: those of an image, or of one pass of an interlaced image. */
export interface RowGroup {
  readonly count: number;
  /** In bytes, with the byte of the filter. */
  readonly length: number;
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

/** Returns the rows of an image in the order in which they are stored. */
export function layoutRows(
  width: number,
  height: number,
  { bitDepth, channels, isInterlaced }: PixelLayout,
): RowGroup[] {
  const group = (w: number, h: number) => ({
    count: w > 0 ? h : 0,
    length: 1 + Math.ceil((w * bitDepth * channels) / 8),
  });
  if (!isInterlaced) return [group(width, height)];
  return PASSES.map(({ x, y, dx, dy }) =>
    group(Math.ceil((width - x) / dx), Math.ceil((height - y) / dy)),
  ).filter(({ count }) => count > 0);
}

/** The highest number of a filter. */
const FILTER_MAX = 4;

/** Finds where the rows end in decompressed data. */
class RowScanner {
  /** The rows whose filters have not been read yet. */
  readonly #left: { count: number; length: number }[];
  /** Position of the next filter. */
  #next = 0;
  #scanned = 0;
  /** Position after the last row, or of an invalid filter, at which programs stop. */
  end: number;

  constructor(rows: readonly RowGroup[]) {
    this.#left = rows.map((group) => ({ ...group }));
    this.end = rows.reduce((total, { count, length }) => total + count * length, 0);
  }

  /** Reads the next part of the data. */
  scan(data: Buffer): void {
    const start = this.#scanned;
    this.#scanned += data.length;
    for (let [group] = this.#left; group !== undefined && this.#next < this.#scanned;) {
      if ((data[this.#next - start] ?? 0) > FILTER_MAX) {
        this.end = this.#next;
        this.#left.length = 0;
        return;
      }
      this.#next += group.length;
      group.count -= 1;
      if (group.count === 0) {
        this.#left.shift();
        [group] = this.#left;
      }
    }
  }
}

/**
 * Bytes that may be decompressed for a file. That takes less than a second, most of it in the thread pool,
 * where it does not count for the limit of a worker. A still image has at most half of it. An animation
 * with more, such as 120 whole frames of 1920 × 1080 pixels in 10 MB, is too expensive to show, too.
 */
const DECOMPRESSED_MAX = 1_000_000_000;

/** Lengths of what surrounds the compressed data in a zlib stream (RFC 1950). */
const HEADER_LENGTH = 2;
const CHECKSUM_LENGTH = 4;

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

/** The part of a stream that holds rows of its image. */
interface Extent {
  /** Length of the part in bytes, with the header and the checksum; infinite if the stream has no end. */
  readonly used: number;
  /** Whether its data is invalid after that. */
  readonly isDamaged?: boolean;
  /** Number of decompressed bytes that are shown, if there are more. */
  readonly shown?: number;
  /** Whether there are all rows of the image. */
  readonly isComplete: boolean;
}

/** Removes all data from the compressed rows of an image or a frame that no program shows. */
export class PixelCleaner {
  readonly #source: ByteSource;
  #bytesLeft = DECOMPRESSED_MAX;
  /** Maximum number of bytes of further streams that are compressed again. */
  #rewrittenMax = LIMITS.imageBytesMax;
  /** Whether the last stream had all rows of its image. */
  isComplete = false;

  constructor(source: ByteSource) {
    this.#source = source;
  }

  /**
   * Returns the chunks of an image or a frame without what follows the end of its compressed data, or an
   * error in it. Browsers show the rows before an error, and those of a stream without an end, which can
   * hide nothing. A stream that contains more than the rows is compressed again without the rest.
   * @throws {TooComplexMediaError} if that takes too long or the result is too large.
   */
  async clean(chunks: readonly DataChunk[], rows: readonly RowGroup[]): Promise<Pieces> {
    const damaged = new Set<DataChunk>();
    for (const chunk of chunks) if (!(await this.#isIntact(chunk))) damaged.add(chunk);
    // Browsers stop after the first such chunk of an image, but ignore the checksums of frames.
    const first = chunks.findIndex((chunk) => chunk.type === 'IDAT' && damaged.has(chunk));
    const shown = first === -1 ? chunks : chunks.slice(0, first + 1);
    this.isComplete = false;
    if (!(await this.#hasHeader(shown))) return this.#cut(chunks, shown.length, damaged, 0);
    let smallFrom = Infinity;
    let extent = await this.#decompress(shown, rows, smallFrom);
    if (extent.isDamaged === true) {
      smallFrom = extent.used;
      extent = await this.#decompress(shown, rows, smallFrom);
    }
    this.isComplete = extent.isComplete;
    if (extent.shown === undefined) {
      return this.#cut(chunks, shown.length, damaged, extent.used);
    }
    const writer = new ZlibWriter(this.#rewrittenMax);
    let left = extent.shown;
    await this.#decompress(shown, rows, smallFrom, (part) => {
      const kept = part.subarray(0, left);
      left -= kept.length;
      writer.add(kept);
    });
    const data = writer.end();
    this.#rewrittenMax -= data.length;
    return this.#replace(chunks, data);
  }

  /** Returns whether the checksum of a chunk is right. */
  async #isIntact({ at, length }: DataChunk): Promise<boolean> {
    // The type and the content.
    const end = at + 8 + length;
    let sum = 0;
    for (let position = at + 4; position < end; position += PART) {
      const size = Math.min(PART, end - position);
      sum = crc32(await this.#source.bytes(position, size), sum);
    }
    return sum === (await this.#source.bytes(end, 4)).readUInt32BE();
  }

  /**
   * Returns the chunks with the beginning of their data.
   * @param shown number of chunks of which anything is kept
   * @param damaged chunks that get a new checksum
   * @param used length of the beginning
   */
  async #cut(
    chunks: readonly DataChunk[],
    shown: number,
    damaged: ReadonlySet<DataChunk>,
    used: number,
  ): Promise<Pieces> {
    const pieces = new Pieces();
    let start = 0;
    for (const [i, chunk] of chunks.entries()) {
      const { type, at, length } = chunk;
      const prefix = prefixOf(chunk);
      const kept = i >= shown ? 0 : Math.max(0, Math.min(length - prefix, used - start));
      start += length - prefix;
      if (!damaged.has(chunk) && i < shown && kept === length - prefix)
        pieces.keep(at, at + 12 + length);
      // Frames are numbered without gaps, and an image has at least one chunk.
      else if (kept > 0 || type === 'fdAT' || i === 0) {
        pieces.insert(createChunk(type, await readAll(this.#source, at + 8, prefix + kept)));
      }
    }
    return pieces;
  }

  /** Returns the chunks with other data, all of it in the first one. */
  async #replace(chunks: readonly DataChunk[], data: Buffer): Promise<Pieces> {
    const pieces = new Pieces();
    for (const [i, chunk] of chunks.entries()) {
      const prefix = await readAll(this.#source, chunk.at + 8, prefixOf(chunk));
      if (i === 0) pieces.insert(createChunk(chunk.type, Buffer.concat([prefix, data])));
      else if (prefix.length > 0) pieces.insert(createChunk(chunk.type, prefix));
    }
    return pieces;
  }

  /** Returns whether the data begins with a valid header. Otherwise no program decompresses it. */
  async #hasHeader(chunks: readonly DataChunk[]): Promise<boolean> {
    const header: number[] = [];
    for await (const part of readData(this.#source, chunks, 0, 0)) {
      // At most 16 bytes.
      header.push(...part);
      if (header.length >= HEADER_LENGTH) break;
    }
    const [method = 0, flags = 0] = header;
    const isDeflate = (method & 0x0f) === 8 && method >> 4 <= 7;
    const hasDictionary = (flags & 0x20) !== 0;
    return isDeflate && !hasDictionary && (method * 256 + flags) % 31 === 0;
  }

  /**
   * Decompresses a stream and passes its data to `onData`, which must not throw, until there is more than
   * its rows. Ignores the checksum, as some programs do.
   * @param smallFrom position from which the parts are small
   */
  async #decompress(
    chunks: readonly DataChunk[],
    rows: readonly RowGroup[],
    smallFrom: number,
    onData: (data: Buffer) => void = () => undefined,
  ): Promise<Extent> {
    const scanner = new RowScanner(rows);
    const size = scanner.end;
    const inflate = createInflateRaw({
      // One more byte shows that there are more rows than the image has.
      chunkSize: Math.max(constants.Z_MIN_CHUNK, Math.min(scanner.end + 1, INFLATED_PART)),
    });
    let bytes = 0;
    // After an invalid filter, the end is before the last row.
    const isComplete = () => bytes >= size && scanner.end === size;
    inflate.on('data', (data: Buffer) => {
      bytes += data.length;
      this.#bytesLeft -= data.length;
      scanner.scan(data);
      onData(data);
      releaseBuffer(data);
    });
    const ended = once(inflate, 'end');
    ended.catch(() => undefined);
    let used = HEADER_LENGTH;
    try {
      for await (const part of readData(this.#source, chunks, HEADER_LENGTH, smallFrom)) {
        try {
          // A stream that has ended does not take any more.
          await Promise.race([write(inflate, part), ended]);
        } catch (error) {
          if (!isDataError(error)) throw error;
          return { used, isDamaged: true, isComplete: isComplete() };
        }
        if (this.#bytesLeft < 0) throw new TooComplexMediaError('too many rows');
        if (bytes > scanner.end) return { used, shown: scanner.end, isComplete: isComplete() };
        if (inflate.readableEnded) {
          const length = HEADER_LENGTH + inflate.bytesWritten + CHECKSUM_LENGTH;
          return { used: length, isComplete: isComplete() };
        }
        used += part.length;
      }
      return { used: Infinity, isComplete: isComplete() };
    } finally {
      inflate.destroy();
    }
  }
}

/** Passes data to a decompressor. Resolves once it has returned everything that the data contains. */
function write(inflate: InflateRaw, data: Buffer): Promise<void> {
  return new Promise((resolve, reject) => {
    inflate.write(data, (error) => (error ? reject(error) : resolve()));
  });
}

/**
 * Releases the memory of a whole buffer of the decompressor, which replaces it once it is full. The garbage
 * collector would do so only after 64 MB.
 */
function releaseBuffer({ buffer, byteOffset, length }: Buffer): void {
  const isFull = byteOffset + length === buffer.byteLength;
  // Smaller buffers may share their memory with others.
  if (isFull && buffer instanceof ArrayBuffer && buffer.byteLength === INFLATED_PART) {
    buffer.transfer(0);
  }
}

function isDataError(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'Z_DATA_ERROR';
}

/**
 * Yields the data of chunks in parts.
 * @param from position of the first byte
 * @param smallFrom position from which the parts are small
 */
async function* readData(
  source: ByteSource,
  chunks: readonly DataChunk[],
  from: number,
  smallFrom: number,
): AsyncGenerator<Buffer> {
  /** The beginning of a part: chunks can be as short as a byte. */
  let pending: Buffer[] = [];
  let pendingLength = 0;
  let start = 0;
  for (const chunk of chunks) {
    const dataAt = chunk.at + 8 + prefixOf(chunk);
    const end = start + chunk.length - prefixOf(chunk);
    for (let at = Math.max(start, from); at < end;) {
      const size = at < smallFrom ? Math.min(PART, smallFrom - at + pendingLength) : SMALL_PART;
      const length = Math.min(size - pendingLength, end - at);
      pending.push(Buffer.from(await source.bytes(dataAt + at - start, length)));
      pendingLength += length;
      at += length;
      if (pendingLength < size) continue;
      yield Buffer.concat(pending);
      pending = [];
      pendingLength = 0;
    }
    start = end;
  }
  if (pendingLength > 0) yield Buffer.concat(pending);
}
