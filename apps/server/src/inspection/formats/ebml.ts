import { MalformedFileError, type ByteSource } from './byte-source.ts';

/** An EBML element (RFC 8794). */
export interface EbmlElement {
  readonly id: number;
  readonly at: number;
  /** Position of its content. */
  readonly content: number;
  /** Undefined if the element does not specify its length. May lie beyond the end of the file. */
  readonly end: number | undefined;
}

/**
 * Reads the header of an element.
 * @throws {MalformedFileError} if there is no complete header before `limit`.
 */
export async function readElement(
  source: ByteSource,
  at: number,
  limit: number,
): Promise<EbmlElement> {
  source.step();
  const head = await source.bytesUpTo(at, Math.min(12, limit - at));
  const idLength = vintLength(head[0]);
  const sizeLength = vintLength(head[idLength]);
  const content = at + idLength + sizeLength;
  if (idLength > 4 || head.length < idLength + sizeLength)
    throw new MalformedFileError('an invalid element');
  const id = head.readUIntBE(0, idLength);

  let size = (head[idLength] ?? 0) & (0xff >>> sizeLength);
  let isOpen = size === 0xff >>> sizeLength;
  for (const byte of head.subarray(idLength + 1, idLength + sizeLength)) {
    size = size * 256 + byte;
    isOpen &&= byte === 0xff;
  }
  return { id, at, content, end: isOpen ? undefined : content + size };
}

/** Iterates over the elements between two positions; each must be complete. */
export async function* readChildren(
  source: ByteSource,
  start: number,
  limit: number,
): AsyncGenerator<EbmlElement & { end: number }> {
  for (let at = start; at < limit;) {
    const { end, ...child } = await readElement(source, at, limit);
    if (end === undefined || end > limit) throw new MalformedFileError('an incomplete element');
    yield { ...child, end };
    at = end;
  }
}

/** Maximum size in bytes of a number or text that is read. */
const VALUE_MAX = 64;

/** Reads the content of a short element. */
export function readElementContent(
  source: ByteSource,
  { content: at, end }: EbmlElement,
): Promise<Buffer> {
  const length = (end ?? at) - at;
  if (length > VALUE_MAX) throw new MalformedFileError('a value that is too long');
  return source.bytes(at, length);
}

/** Reads an unsigned integer. */
export async function readElementNumber(source: ByteSource, found: EbmlElement): Promise<number> {
  const bytes = await readElementContent(source, found);
  if (bytes.length > 8) throw new MalformedFileError('an invalid number');
  return bytes.reduce((value, byte) => value * 256 + byte, 0);
}

/** Reads a text that may be padded with zeros. */
export async function readElementText(source: ByteSource, found: EbmlElement): Promise<string> {
  const [value = ''] = (await readElementContent(source, found)).toString('latin1').split('\0');
  return value;
}

/** Returns the length of a variable-size integer in bytes: its leading zero bits plus one. */
function vintLength(first: number | undefined): number {
  if (first === undefined || first === 0) throw new MalformedFileError('an invalid number');
  return Math.clz32(first) - 23;
}

/** Encodes an element. Its length always takes four bytes, so that positions are known in advance. */
export function writeElement(id: number, ...parts: readonly Buffer[]): Buffer {
  const body = Buffer.concat(parts);
  return Buffer.concat([writeHeader(id, body.length), body]);
}

/** Encodes the header of an element with `length` bytes of content, at most 256 MiB. */
export function writeHeader(id: number, length: number): Buffer {
  const idLength = 4 - (Math.clz32(id) >>> 3);
  const header = Buffer.alloc(idLength + 4);
  header.writeUIntBE(id, 0, idLength);
  header.writeUInt32BE(0x1000_0000 + length, idLength);
  return header;
}

/** Encodes an element with an unsigned integer of eight bytes. */
export function writeUnsigned(id: number, value: number): Buffer {
  const bytes = Buffer.alloc(8);
  bytes.writeBigUInt64BE(BigInt(value));
  return writeElement(id, bytes);
}

/** Encodes an element with a floating-point number. */
export function writeFloat(id: number, value: number): Buffer {
  const bytes = Buffer.alloc(8);
  bytes.writeDoubleBE(value);
  return writeElement(id, bytes);
}
