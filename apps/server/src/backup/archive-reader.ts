import { createHash } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { join } from 'node:path';
import { Transform, type Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { extract } from 'tar-stream';
import {
  DATABASE,
  MANIFEST,
  mediaOfEntry,
  parseManifest,
  parseSums,
  SUMS,
  type Manifest,
} from './archive-format.ts';

/** Thrown for an archive that cannot be restored. The message is a sentence for the operator. */
export class ArchiveError extends Error {
  override readonly name = 'ArchiveError';
}

/** Maximum size in bytes of the text entries. Anything larger is not a Parley backup. */
const TEXT_MAX = { [MANIFEST]: 2 ** 16, [SUMS]: 2 ** 28 };

/**
 * Unpacks a backup into an empty folder and verifies it against its checksums. Calls `onRead` with
 * the number of bytes that have been read.
 * @throws {ArchiveError} if it is corrupt or not a backup; the folder then contains parts of it.
 */
export async function unpackArchive(
  source: Readable,
  folder: string,
  onRead: (bytes: number) => void = () => undefined,
): Promise<Manifest> {
  const sums = new Map<string, string>();
  const texts = new Map<string, string>();
  const tar = extract();
  const countBytes = createByteCounter(onRead);
  const reading = pipeline(source, countBytes, rejectCompressed, tar).catch((error: unknown) => {
    if (error instanceof ArchiveError || isSystemError(error)) throw error;
    throw createCorruptError('it cannot be read to the end', error);
  });
  reading.catch(() => undefined);
  try {
    for await (const entry of tar) {
      const { name, type } = entry.header;
      if (type !== 'file' || sums.has(name)) throw createNotBackupError();
      if (name === MANIFEST || name === SUMS) {
        const { text, sum } = await readText(entry, TEXT_MAX[name]);
        texts.set(name, text);
        sums.set(name, sum);
      } else {
        const media = mediaOfEntry(name);
        if (media === undefined && name !== DATABASE) throw createNotBackupError();
        sums.set(name, await writeFile(entry, join(folder, name)));
      }
    }
    await reading;
  } catch (error) {
    tar.destroy();
    await reading.catch(() => undefined);
    if (error instanceof ArchiveError || isSystemError(error)) throw error;
    throw createCorruptError('it cannot be read to the end', error);
  }
  return verifySums(sums, texts);
}

/** Compression formats by their signatures. */
const COMPRESSORS = [
  { name: 'gzip', start: Buffer.from('1f8b', 'hex') },
  { name: 'zstd', start: Buffer.from('28b52ffd', 'hex') },
  { name: 'xz', start: Buffer.from('fd377a585a00', 'hex') },
  { name: 'bzip2', start: Buffer.from('BZh') },
];

/** Returns a stage that passes everything through and reports the number of bytes. */
function createByteCounter(
  onRead: (bytes: number) => void,
): (source: AsyncIterable<Buffer>) => AsyncGenerator<Buffer> {
  return async function* countBytes(source) {
    let bytes = 0;
    for await (const chunk of source) {
      bytes += chunk.length;
      onRead(bytes);
      yield chunk;
    }
  };
}

/** Passes an archive through unless it has been compressed. */
async function* rejectCompressed(source: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let head = Buffer.alloc(0);
  for await (const chunk of source) {
    if (head.length < 6) {
      head = Buffer.concat([head, chunk.subarray(0, 6)]);
      const compressor = COMPRESSORS.find(({ start }) =>
        start.equals(head.subarray(0, start.length)),
      );
      if (compressor !== undefined) throw createCompressedError(compressor.name);
    }
    yield chunk;
  }
}

function verifySums(sums: Map<string, string>, texts: Map<string, string>): Manifest {
  const expected = parseSums(texts.get(SUMS) ?? '');
  if (expected === undefined || expected.size === 0) throw createCorruptError('its end is missing');
  sums.delete(SUMS);
  for (const [name, sum] of expected) {
    if (sums.get(name) !== sum) throw createCorruptError(`${name} does not match its checksum`);
  }
  if (sums.size !== expected.size) throw createCorruptError('it contains unexpected files');
  const manifest = parseManifest(texts.get(MANIFEST) ?? '');
  if (manifest === undefined || !sums.has(DATABASE)) throw createNotBackupError();
  return manifest;
}

async function readText(
  entry: AsyncIterable<unknown>,
  max: number,
): Promise<{ text: string; sum: string }> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of entry as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > max) throw createNotBackupError();
    chunks.push(chunk);
  }
  const bytes = Buffer.concat(chunks);
  return {
    text: bytes.toString('utf8'),
    sum: createHash('sha256').update(bytes).digest('hex'),
  };
}

async function writeFile(entry: AsyncIterable<unknown>, path: string): Promise<string> {
  const hash = createHash('sha256');
  const hashing = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      hash.update(chunk);
      done(null, chunk);
    },
  });
  const file = createWriteStream(path, { flags: 'wx', mode: 0o600, flush: true });
  await pipeline(entry, hashing, file);
  return hash.digest('hex');
}

function createCorruptError(reason: string, cause?: unknown): ArchiveError {
  return new ArchiveError(`The archive is corrupt (${reason}). Nothing was restored.`, { cause });
}

function createCompressedError(compressor: string): ArchiveError {
  return new ArchiveError(
    `The archive is compressed with ${compressor}. Nothing was restored. Decompress it first: ` +
      `'${compressor} -dc <file> | parley restore -'.`,
  );
}

function createNotBackupError(): ArchiveError {
  return new ArchiveError('The file is not a Parley backup. Nothing was restored.');
}

function isSystemError(error: unknown): boolean {
  return error instanceof Error && 'syscall' in error;
}
