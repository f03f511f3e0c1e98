import { MalformedFileError, type ByteSource } from './byte-source.ts';

/** A chunk of RIFF, the container of WebP and WAV. */
export interface RiffChunk {
  /** Four characters. */
  readonly id: string;
  /** Position of its header. */
  readonly at: number;
  /** Length of its data, which begins 8 bytes after `at`. */
  readonly length: number;
  /** Position of the next chunk; data is padded to an even length. */
  readonly end: number;
}

/** Creates the header of a RIFF file whose chunks have `length` bytes. */
export function createRiffHeader(form: string, length: number): Buffer {
  const header = Buffer.from(`RIFF\0\0\0\0${form}`, 'latin1');
  header.writeUInt32LE(length + form.length, 4);
  return header;
}

/** Iterates over all chunks. If the last chunk claims more data than the file has, it ends with the file. */
export async function* riffChunks(source: ByteSource): AsyncGenerator<RiffChunk> {
  const { size } = source;
  const declared = 8 + (await source.bytes(4, 4)).readUInt32LE();
  // Recorders that cannot seek back leave 0 or the highest number.
  yield* riffChunksWithin(source, 12, declared > 12 ? Math.min(declared, size) : size);
}

/** Iterates over the chunks in a part of a file. */
export async function* riffChunksWithin(
  source: ByteSource,
  start: number,
  limit: number,
): AsyncGenerator<RiffChunk> {
  for (let at = start; at + 8 <= limit;) {
    source.step();
    const head = await source.bytes(at, 8);
    const id = head.toString('latin1', 0, 4);
    if (!/^[ -~]{4}$/.test(id)) throw new MalformedFileError('no chunk');
    const length = Math.min(head.readUInt32LE(4), limit - at - 8);
    const end = Math.min(at + 8 + length + (length % 2), limit);
    yield { id, at, length, end };
    at = end;
  }
}
