import { MalformedFileError } from './byte-source.ts';

/** A range of the original file, replacement bytes, or a number of zero bytes. */
export type Piece =
  | { readonly from: number; readonly to: number }
  | { readonly bytes: Buffer }
  | { readonly zeros: number };

/**
 * Maximum number of pieces, because each costs memory and a separate write. Most files have a few
 * dozen; two hours of audio in clusters of one second have 14,400.
 */
const PIECES_MAX = 20_000;

/**
 * Describes, in order, how to build a file from another one. Methods that add a piece throw
 * {@link MalformedFileError} if there are too many.
 */
export class Pieces {
  readonly #list: Piece[] = [];
  #length = 0;

  /** Length of the resulting file so far, in bytes. */
  get length(): number {
    return this.#length;
  }

  /** Keeps the original's bytes from one position up to, but excluding, another. */
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
    if (this.#list.length >= PIECES_MAX) throw new MalformedFileError('too many pieces');
    this.#list.push(piece);
  }

  /** Appends all pieces of another instance for the same original. */
  append(other: Pieces): void {
    for (const piece of other) {
      if ('to' in piece) this.keep(piece.from, piece.to);
      else if ('bytes' in piece) this.insert(piece.bytes);
      else this.zeros(piece.zeros);
    }
  }

  /** Builds the file from the original in memory. */
  toBuffer(original: Buffer): Buffer {
    return Buffer.concat(
      this.#list.map((piece) => {
        if ('to' in piece) return original.subarray(piece.from, piece.to);
        return 'bytes' in piece ? piece.bytes : Buffer.alloc(piece.zeros);
      }),
    );
  }

  /** Returns whether the result equals the original, which has `size` bytes. */
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
