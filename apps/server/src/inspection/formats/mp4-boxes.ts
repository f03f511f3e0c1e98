import { MalformedFileError, type ByteSource } from './byte-source.ts';

/** A box of the ISO base media file format (ISO/IEC 14496-12). */
export interface Box {
  readonly type: string;
  /** Position of its content. */
  readonly content: number;
  readonly end: number;
}

/**
 * Iterates over the boxes between two positions.
 * @throws {MalformedFileError} for a box that exceeds them; only `mdat` may be cut off by the end.
 */
export async function* readBoxes(
  source: ByteSource,
  start: number,
  limit: number,
): AsyncGenerator<Box> {
  for (let at = start; at + 8 <= limit;) {
    source.step();
    const head = await source.bytesUpTo(at, 16);
    const size = head.readUInt32BE(0);
    const type = head.toString('latin1', 4, 8);
    let content = at + 8;
    let end = at + size;
    if (size === 1) {
      if (head.length < 16) throw new MalformedFileError('unexpected end');
      content = at + 16;
      end = at + Number(head.readBigUInt64BE(8));
    } else if (size === 0) {
      end = limit;
    }
    // An interrupted recording still has the audio that was written before.
    if (end > limit && type === 'mdat') end = limit;
    if (end < content || end > limit) throw new MalformedFileError('an invalid or missing box');
    yield { type, content, end };
    at = end;
  }
}

/** Returns the direct children of a box by type; the last one of each type is used. */
export async function readChildBoxes(source: ByteSource, parent: Box): Promise<Map<string, Box>> {
  const found = new Map<string, Box>();
  for await (const box of readBoxes(source, parent.content, parent.end)) found.set(box.type, box);
  return found;
}

/**
 * Returns the box of a type.
 * @throws {MalformedFileError} if there is none.
 */
export function getBox(boxes: ReadonlyMap<string, Box>, type: string): Box {
  const box = boxes.get(type);
  if (box === undefined) throw new MalformedFileError(`no ${type}`);
  return box;
}

/** Maximum size in bytes of a small box. Only sample tables are larger. */
const SMALL_MAX = 1_024;

/**
 * Returns a copy of a small box's content.
 * @throws {MalformedFileError} if the box is missing, shorter than `length` bytes, or not small.
 */
export async function readBoxContent(
  source: ByteSource,
  box: Box | undefined,
  length: number,
): Promise<Buffer> {
  const size = box === undefined ? 0 : box.end - box.content;
  if (box === undefined || size < length || size > SMALL_MAX)
    throw new MalformedFileError('an invalid or missing box');
  return Buffer.from(await source.bytes(box.content, size));
}

/** Bytes of a table that are read at once; a multiple of every row size in use. */
const TABLE_SLICE = 48 * 1_024;

/**
 * Reads a table of 32-bit numbers with `columns` per row.
 * @throws {MalformedFileError} if there are more than `max` rows, or more than the box holds.
 */
export async function readTable(
  source: ByteSource,
  { content, end }: Box,
  { at, columns, rows, max }: { at: number; columns: number; rows: number; max: number },
): Promise<Uint32Array> {
  const length = rows * columns * 4;
  if (rows > max || content + at + length > end) throw new MalformedFileError('an invalid table');
  const table = new Uint32Array(rows * columns);
  for (let done = 0; done < length; done += TABLE_SLICE) {
    const slice = await source.bytes(content + at + done, Math.min(TABLE_SLICE, length - done));
    for (let offset = 0; offset < slice.length; offset += 4) {
      table[(done + offset) / 4] = slice.readUInt32BE(offset);
    }
  }
  return table;
}

/** Encodes a box. */
export function writeBox(type: string, ...parts: readonly Buffer[]): Buffer {
  const length = parts.reduce((sum, part) => sum + part.length, 8);
  const head = Buffer.alloc(8);
  head.writeUInt32BE(length);
  head.write(type, 4, 'latin1');
  return Buffer.concat([head, ...parts], length);
}

/** Encodes 32-bit numbers. */
export function writeUint32s(...numbers: readonly number[]): Buffer {
  return writeUint32List(numbers);
}

/** Encodes a list of 32-bit numbers that may be too long to spread. */
export function writeUint32List(numbers: readonly number[]): Buffer {
  const bytes = Buffer.alloc(numbers.length * 4);
  numbers.forEach((number, index) => bytes.writeUInt32BE(number, index * 4));
  return bytes;
}
