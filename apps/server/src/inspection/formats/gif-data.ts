import type { ByteSource } from './byte-source.ts';
import { Pieces } from './pieces.ts';

/** Maximum sizes of a color and a code in bits (GIF89a, appendix F). */
const COLOR_SIZE_MAX = 8;
const CODE_SIZE_MAX = 12;

/**
 * Reads the compressed pixels of a frame, which begin with the size of a color. Returns them without what
 * follows their end or an error, which no program shows, the position after them, and how many pixels they are.
 * @param pixels number of pixels of the frame
 */
export async function readGifData(
  source: ByteSource,
  at: number,
  pixels: number,
): Promise<{ pieces: Pieces; end: number; pixels: number }> {
  const codes = new CodeReader((await source.bytes(at, 1)).readUInt8(), pixels);
  const pieces = new Pieces();
  for (let block = at + 1; ;) {
    source.step();
    const length = (await source.bytes(block, 1)).readUInt8();
    const next = block + 1 + length;
    if (length === 0) {
      pieces.keep(at, next);
      return { pieces, end: next, pixels: codes.pixels };
    }
    const used = codes.read(await source.bytes(block + 1, length));
    if (used !== undefined) {
      const end = await endOfBlocks(source, next);
      if (used === length && end === next + 1) pieces.keep(at, end);
      else {
        pieces.keep(at, block);
        if (used > 0) {
          const kept = await source.bytes(block + 1, used);
          pieces.insert(Buffer.concat([Buffer.from([used]), kept]));
        }
        pieces.insert(Buffer.alloc(1));
      }
      return { pieces, end, pixels: codes.pixels };
    }
    block = next;
  }
}

/** Returns where a chain of sub-blocks ends; each has a length prefix, and the last one is empty. */
export async function endOfBlocks(source: ByteSource, start: number): Promise<number> {
  for (let at = start; ;) {
    source.step();
    const length = (await source.bytes(at, 1)).readUInt8();
    at += 1 + length;
    if (length === 0) return at;
  }
}

/** Reads LZW codes to find their end. Counts the pixels, but does not decode them. */
class CodeReader {
  readonly #colorSize: number;
  readonly #clearCode: number;
  readonly #pixels: number;
  #pixelsLeft: number;
  /** Number of pixels of each code. */
  readonly #lengths = new Uint16Array(2 ** CODE_SIZE_MAX).fill(1);
  #nextCode: number;
  #codeSize: number;
  /** Number of pixels of the previous code; 0 after a clear code. */
  #lastLength = 0;
  #bits = 0;
  #bitCount = 0;

  constructor(colorSize: number, pixels: number) {
    this.#colorSize = colorSize;
    this.#clearCode = 2 ** colorSize;
    this.#pixels = pixels;
    this.#pixelsLeft = pixels;
    this.#nextCode = this.#clearCode + 2;
    this.#codeSize = colorSize + 1;
  }

  /** Number of pixels so far. */
  get pixels(): number {
    return this.#pixels - Math.max(0, this.#pixelsLeft);
  }

  /**
   * Reads the next bytes. Returns how many of them are used if the codes end there, which they do after all
   * pixels and one more code, which usually marks the end.
   */
  read(bytes: Buffer): number | undefined {
    if (this.#colorSize > COLOR_SIZE_MAX) return 0;
    const lengths = this.#lengths;
    const clearCode = this.#clearCode;
    // Local variables, because a file can have millions of codes.
    let [nextCode, codeSize, lastLength] = [this.#nextCode, this.#codeSize, this.#lastLength];
    let [pixelsLeft, bits, bitCount] = [this.#pixelsLeft, this.#bits, this.#bitCount];
    for (let i = 0; i < bytes.length; i += 1) {
      bits |= (bytes[i] ?? 0) << bitCount;
      bitCount += 8;
      while (bitCount >= codeSize) {
        const code = bits & ((1 << codeSize) - 1);
        bits >>>= codeSize;
        bitCount -= codeSize;
        const isEnd = code === clearCode + 1;
        const isInvalid = lastLength === 0 ? code > clearCode : code > nextCode;
        if (pixelsLeft <= 0 || isEnd || isInvalid) {
          this.#pixelsLeft = pixelsLeft;
          return i + 1;
        }
        if (code === clearCode) {
          nextCode = clearCode + 2;
          codeSize = this.#colorSize + 1;
          lastLength = 0;
          continue;
        }
        if (lastLength > 0 && nextCode < lengths.length) {
          lengths[nextCode] = lastLength + 1;
          nextCode += 1;
        }
        // With less than 2 bits, which browsers accept, the second code is already longer than the first.
        if (nextCode >= 1 << codeSize && codeSize < CODE_SIZE_MAX) codeSize += 1;
        lastLength = lengths[code] ?? 0;
        pixelsLeft -= lastLength;
      }
    }
    [this.#nextCode, this.#codeSize, this.#lastLength] = [nextCode, codeSize, lastLength];
    [this.#pixelsLeft, this.#bits, this.#bitCount] = [pixelsLeft, bits, bitCount];
    return undefined;
  }
}
