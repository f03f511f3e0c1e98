import { constants, deflateRawSync } from 'node:zlib';
import { TooComplexMediaError } from './byte-source.ts';

/** Bytes that are compressed at once. */
const PART = 256 * 1024;

/** The header of a zlib stream that was compressed fast. */
const HEADER = Buffer.from('7801', 'hex');

/** An empty last block. */
const LAST_BLOCK = Buffer.from('0300', 'hex');

/** Number of bytes after which the sums of the checksum must be reduced to stay exact. */
const SUMMED_MAX = 4_096;

/**
 * Compresses data to a zlib stream. Unlike the streams of Node.js, it works in the current thread, so that
 * it counts for the time that an inspection may take.
 */
export class ZlibWriter {
  readonly #parts: Buffer[] = [HEADER];
  readonly #checksum = new Adler32();
  readonly #pending = Buffer.alloc(PART);
  #pendingLength = 0;
  #bytesLeft: number;

  /** Creates a writer of a stream of at most about `bytesMax` bytes. */
  constructor(bytesMax: number) {
    this.#bytesLeft = bytesMax;
  }

  /** Adds a copy of data to compress. */
  add(data: Buffer): void {
    for (let at = 0; at < data.length && this.#bytesLeft >= 0;) {
      const length = data.copy(this.#pending, this.#pendingLength, at);
      this.#pendingLength += length;
      at += length;
      if (this.#pendingLength === PART) this.#flush();
    }
  }

  /**
   * Returns the whole stream.
   * @throws {TooComplexMediaError} if it is too large.
   */
  end(): Buffer {
    this.#flush();
    if (this.#bytesLeft < 0) throw new TooComplexMediaError('too large when compressed again');
    return Buffer.concat([...this.#parts, LAST_BLOCK, this.#checksum.digest()]);
  }

  #flush(): void {
    if (this.#pendingLength === 0) return;
    const data = this.#pending.subarray(0, this.#pendingLength);
    this.#pendingLength = 0;
    this.#checksum.add(data);
    // Ends at a whole byte, without a last block, so that others can follow.
    const compressed = deflateRawSync(data, {
      // Made for the rows of PNGs, and twice as fast as the lowest level.
      strategy: constants.Z_RLE,
      finishFlush: constants.Z_SYNC_FLUSH,
    });
    this.#parts.push(compressed);
    this.#bytesLeft -= compressed.length;
  }
}

/** The checksum of a zlib stream (RFC 1950, section 9). */
class Adler32 {
  #a = 1;
  #b = 0;

  add(data: Buffer): void {
    let [a, b] = [this.#a, this.#b];
    for (let at = 0; at < data.length;) {
      const end = Math.min(at + SUMMED_MAX, data.length);
      for (; at < end; at += 1) {
        a += data[at] ?? 0;
        b += a;
      }
      a %= 65_521;
      b %= 65_521;
    }
    this.#a = a;
    this.#b = b;
  }

  digest(): Buffer {
    const bytes = Buffer.alloc(4);
    bytes.writeUInt16BE(this.#b, 0);
    bytes.writeUInt16BE(this.#a, 2);
    return bytes;
  }
}
