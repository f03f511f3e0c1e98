import { MalformedFile } from './byte-source.ts';

/** A part of the original file, bytes that take the place of others, or so many zeros. */
export type Piece =
  | { readonly from: number; readonly to: number }
  | { readonly bytes: Buffer }
  | { readonly zeros: number };

/**
 * Most files have a few dozen, two hours of sound in clusters of a second 14,400. Each costs memory,
 * and a write of its own.
 */
const PIECES_MAX = 20_000;

/**
 * How a file is put together from another one, in order.
 * Whatever adds to it @throws {MalformedFile} if there are too many pieces.
 */
export class Pieces {
  readonly #list: Piece[] = [];
  #length = 0;

  /** In bytes, of what has been put together so far. */
  get length(): number {
    return this.#length;
  }

  /** Takes over the original's bytes from one position up to, not including, another. */
  keep(from: number, to: number): void {
    if (to <= from) return;
    this.#length += to - from;
    const last = this.#list.at(-1);
    if (last && 'to' in last && last.to === from)
      this.#list[this.#list.length - 1] = { from: last.from, to };
    else this.#add({ from, to });
  }

  insert(bytes: Buffer): void {
    this.#length += bytes.length;
    this.#add({ bytes });
  }

  zeros(count: number): void {
    if (count <= 0) return;
    this.#length += count;
    this.#add({ zeros: count });
  }

  #add(piece: Piece): void {
    if (this.#list.length >= PIECES_MAX) throw new MalformedFile('too many pieces');
    this.#list.push(piece);
  }

  /** Takes over all that another one is made of. */
  append(other: Pieces): void {
    for (const piece of other) {
      if ('to' in piece) this.keep(piece.from, piece.to);
      else if ('bytes' in piece) this.insert(piece.bytes);
      else this.zeros(piece.zeros);
    }
  }

  /** The file as a whole, from the original in memory. */
  toBuffer(original: Buffer): Buffer {
    return Buffer.concat(
      this.#list.map((piece) => {
        if ('to' in piece) return original.subarray(piece.from, piece.to);
        return 'bytes' in piece ? piece.bytes : Buffer.alloc(piece.zeros);
      }),
    );
  }

  /** Whether this is the original, byte for byte, if that has `size` bytes. */
  isWhole(size: number): boolean {
    const [only] = this.#list;
    return (
      this.#list.length === 1 &&
      only !== undefined &&
      'to' in only &&
      only.from === 0 &&
      only.to === size
    );
  }

  [Symbol.iterator](): Iterator<Piece> {
    return this.#list[Symbol.iterator]();
  }
}
