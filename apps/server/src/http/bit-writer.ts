import type { PrefixCode } from './prefix-code.ts';

/** Packs bits into bytes, least significant bit first, as DEFLATE requires. */
export class BitWriter {
  #bytes: Buffer;
  #length = 0;
  /** Bits that do not fill a byte yet, and their number, which is below 8 between calls. */
  #bits = 0;
  #count = 0;

  /** @param size the expected number of bytes; the buffer grows if needed. */
  constructor(size: number) {
    this.#bytes = Buffer.allocUnsafe(size + 8);
  }

  /** Writes a value of `count` bits, at most 16. */
  write(value: number, count: number): void {
    this.#reserve(2);
    this.#bits |= value << this.#count;
    this.#count += count;
    while (this.#count >= 8) {
      this.#bytes[this.#length] = this.#bits & 255;
      this.#length += 1;
      this.#bits >>>= 8;
      this.#count -= 8;
    }
  }

  /**
   * Writes the codes, of at most 15 bits each, of the bytes from `start` to `end`. This is faster
   * than {@link write}.
   */
  writeCodes({ codes, lengths }: PrefixCode, source: Uint8Array, start: number, end: number): void {
    this.#reserve((end - start) * 2);
    const bytes = this.#bytes;
    let [length, bits, count] = [this.#length, this.#bits, this.#count];
    for (let i = start; i < end; i += 1) {
      const byte = source[i] ?? 0;
      bits |= (codes[byte] ?? 0) << count;
      count += lengths[byte] ?? 0;
      while (count >= 8) {
        bytes[length] = bits & 255;
        length += 1;
        bits >>>= 8;
        count -= 8;
      }
    }
    [this.#length, this.#bits, this.#count] = [length, bits, count];
  }

  /** Pads the last byte with zeros and returns everything written. */
  finish(): Buffer {
    if (this.#count > 0) this.write(0, 8 - this.#count);
    return this.#bytes.subarray(0, this.#length);
  }

  #reserve(more: number): void {
    const needed = this.#length + more + 8;
    if (needed <= this.#bytes.length) return;
    const larger = Buffer.allocUnsafe(needed * 2);
    this.#bytes.copy(larger, 0, 0, this.#length);
    this.#bytes = larger;
  }
}
