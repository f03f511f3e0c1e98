import { MalformedFile, type ByteSource } from './byte-source.ts';

/** A box of the ISO base media file format (ISO/IEC 14496-12). */
export interface Box {
  readonly type: string;
  /** Where its content begins. */
  readonly content: number;
  readonly end: number;
}

/**
 * Walks over the boxes between two positions.
 * @throws {MalformedFile} at one that does not fit; only the data of sound may end with the file.
 */
export async function* boxes(
  source: ByteSource,
  start: number,
  limit: number,
): AsyncGenerator<Box> {
  for (let at = start; at + 8 <= limit;) {
    source.step();
    const head = await source.upTo(at, 16);
    const size = head.readUInt32BE(0);
    const type = head.toString('latin1', 4, 8);
    let content = at + 8;
    let end = at + size;
    if (size === 1) {
      if (head.length < 16) throw new MalformedFile('ends too early');
      content = at + 16;
      end = at + Number(head.readBigUInt64BE(8));
    } else if (size === 0) {
      end = limit;
    }
    // A recording that broke off still has the sound that came before.
    if (end > limit && type === 'mdat') end = limit;
    if (end < content || end > limit) throw new MalformedFile('no box');
    yield { type, content, end };
    at = end;
  }
}

/** Returns the boxes that are directly in another one: the last of each type. */
export async function childBoxes(source: ByteSource, parent: Box): Promise<Map<string, Box>> {
  const found = new Map<string, Box>();
  for await (const box of boxes(source, parent.content, parent.end)) found.set(box.type, box);
  return found;
}

/** Boxes other than those of samples are small. */
const SMALL_MAX = 1_024;

/**
 * Returns a copy of a small box's content.
 * @throws {MalformedFile} if it is missing, shorter than `length` bytes, or long.
 */
export async function boxContent(
  source: ByteSource,
  box: Box | undefined,
  length: number,
): Promise<Buffer> {
  const size = box === undefined ? 0 : box.end - box.content;
  if (box === undefined || size < length || size > SMALL_MAX) throw new MalformedFile('no box');
  return Buffer.from(await source.bytes(box.content, size));
}

/** Bytes of a table that are read at once; a whole number of entries of any size that occurs. */
const TABLE_SLICE = 48 * 1_024;

/**
 * Reads a table of 32-bit numbers, `columns` in each row.
 * @throws {MalformedFile} if there are more than `max` rows, or more than the box holds.
 */
export async function readTable(
  source: ByteSource,
  { content, end }: Box,
  { at, columns, rows, max }: { at: number; columns: number; rows: number; max: number },
): Promise<Uint32Array> {
  const length = rows * columns * 4;
  if (rows > max || content + at + length > end) throw new MalformedFile('no table');
  const table = new Uint32Array(rows * columns);
  for (let done = 0; done < length; done += TABLE_SLICE) {
    const slice = await source.bytes(content + at + done, Math.min(TABLE_SLICE, length - done));
    for (let offset = 0; offset < slice.length; offset += 4) {
      table[(done + offset) / 4] = slice.readUInt32BE(offset);
    }
  }
  return table;
}

/** Writes a box. */
export function box(type: string, ...parts: readonly Buffer[]): Buffer {
  const length = parts.reduce((sum, part) => sum + part.length, 8);
  const head = Buffer.alloc(8);
  head.writeUInt32BE(length);
  head.write(type, 4, 'latin1');
  return Buffer.concat([head, ...parts], length);
}

/** Writes numbers of 32 bits. */
export function words(...numbers: readonly number[]): Buffer {
  return wordList(numbers);
}

/** {@link words}, for as many as a table has. */
export function wordList(numbers: readonly number[]): Buffer {
  const bytes = Buffer.alloc(numbers.length * 4);
  numbers.forEach((number, index) => bytes.writeUInt32BE(number, index * 4));
  return bytes;
}
