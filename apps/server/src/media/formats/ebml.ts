import { MalformedFile, type ByteSource } from './byte-source.ts';

/** An element of EBML (RFC 8794). */
export interface Element {
  readonly id: number;
  readonly at: number;
  /** Where its content begins. */
  readonly content: number;
  /** Undefined for one that was written before its length was known; may lie behind the file's end. */
  readonly end: number | undefined;
}

/**
 * Reads the header of an element.
 * @throws {MalformedFile} if there is none before `limit`.
 */
export async function element(source: ByteSource, at: number, limit: number): Promise<Element> {
  source.step();
  const head = await source.upTo(at, Math.min(12, limit - at));
  const idLength = vintLength(head[0]);
  const sizeLength = vintLength(head[idLength]);
  const content = at + idLength + sizeLength;
  if (idLength > 4 || head.length < idLength + sizeLength) throw new MalformedFile('no element');
  const id = head.readUIntBE(0, idLength);

  let size = (head[idLength] ?? 0) & (0xff >>> sizeLength);
  let isOpen = size === 0xff >>> sizeLength;
  for (const byte of head.subarray(idLength + 1, idLength + sizeLength)) {
    size = size * 256 + byte;
    isOpen &&= byte === 0xff;
  }
  return { id, at, content, end: isOpen ? undefined : content + size };
}

/** Walks over the elements between two positions, which have to be whole. */
export async function* children(
  source: ByteSource,
  start: number,
  limit: number,
): AsyncGenerator<Element & { end: number }> {
  for (let at = start; at < limit;) {
    const { end, ...child } = await element(source, at, limit);
    if (end === undefined || end > limit) throw new MalformedFile('no whole element');
    yield { ...child, end };
    at = end;
  }
}

/** Longest number or text that is read. */
const VALUE_MAX = 64;

/** Reads the bytes of an element whose content is short. */
export function content(source: ByteSource, { content: at, end }: Element): Promise<Buffer> {
  const length = (end ?? at) - at;
  if (length > VALUE_MAX) throw new MalformedFile('too long a value');
  return source.bytes(at, length);
}

/** Reads an unsigned number. */
export async function unsigned(source: ByteSource, found: Element): Promise<number> {
  const bytes = await content(source, found);
  if (bytes.length > 8) throw new MalformedFile('no number');
  return bytes.reduce((value, byte) => value * 256 + byte, 0);
}

/** Reads a text, which zeros may follow. */
export async function text(source: ByteSource, found: Element): Promise<string> {
  const [value = ''] = (await content(source, found)).toString('latin1').split('\0');
  return value;
}

/** Length in bytes of a number that begins with this byte: leading zero bits, plus one. */
function vintLength(first: number | undefined): number {
  if (first === undefined || first === 0) throw new MalformedFile('no number');
  return Math.clz32(first) - 23;
}

/** Writes an element. Its length always takes four bytes, so that its place can be told before. */
export function write(id: number, ...parts: readonly Buffer[]): Buffer {
  const body = Buffer.concat(parts);
  return Buffer.concat([writeHeader(id, body.length), body]);
}

/** Writes the header of an element whose content has `length` bytes, up to 256 MiB. */
export function writeHeader(id: number, length: number): Buffer {
  const idLength = 4 - (Math.clz32(id) >>> 3);
  const header = Buffer.alloc(idLength + 4);
  header.writeUIntBE(id, 0, idLength);
  header.writeUInt32BE(0x1000_0000 + length, idLength);
  return header;
}

/** Writes an element with an unsigned number of eight bytes. */
export function writeUnsigned(id: number, value: number): Buffer {
  const bytes = Buffer.alloc(8);
  bytes.writeBigUInt64BE(BigInt(value));
  return write(id, bytes);
}

/** Writes an element with a floating-point number. */
export function writeFloat(id: number, value: number): Buffer {
  const bytes = Buffer.alloc(8);
  bytes.writeDoubleBE(value);
  return write(id, bytes);
}
