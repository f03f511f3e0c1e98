import { createHash } from 'node:crypto';
import { open, type FileHandle } from 'node:fs/promises';
import { Transform, type Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { pack } from 'tar-stream';
import { formatSums, SUMS } from './archive-format.ts';

/** Writes a backup entry by entry, with little memory. */
export interface ArchiveWriter {
  addText(name: string, text: string): Promise<void>;
  /**
   * Adds the file at `path` as an entry.
   * @throws a file system error.
   */
  addFile(name: string, path: string): Promise<void>;
  /** Adds an open file as an entry. The caller closes the handle. */
  addHandle(name: string, handle: FileHandle): Promise<void>;
  /**
   * Adds the checksums and waits until everything is written. Returns the archive's size in bytes.
   */
  finish(): Promise<number>;
  /** Stops without finishing the archive. */
  abort(): void;
}

/**
 * Creates a writer of an archive to `target`, which is closed at the end unless it is the standard
 * output.
 */
export function createArchiveWriter(target: Writable): ArchiveWriter {
  const tar = pack();
  let bytes = 0;
  const counting = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      bytes += chunk.length;
      done(null, chunk);
    },
  });
  const written = pipeline(tar, counting, target);
  // The error reaches callers through `raceWithTarget` and `finish`; this avoids an unhandled
  // rejection.
  written.catch(() => undefined);
  const sums = new Map<string, string>();
  const mtime = new Date();

  /** Rejects as soon as the target fails; otherwise the current entry would wait forever. */
  const raceWithTarget = <T>(work: Promise<T>): Promise<T> =>
    Promise.race([work, written.then(() => work)]);

  async function addText(name: string, text: string): Promise<void> {
    sums.set(name, createHash('sha256').update(text).digest('hex'));
    const done = new Promise<void>((resolve, reject) => {
      tar.entry({ name, mtime, mode: 0o600 }, text, (error) => (error ? reject(error) : resolve()));
    });
    await raceWithTarget(done);
  }

  async function addHandle(name: string, handle: FileHandle): Promise<void> {
    const { size } = await handle.stat();
    const hash = createHash('sha256');
    const hashing = new Transform({
      transform(chunk: Buffer, _encoding, done) {
        hash.update(chunk);
        done(null, chunk);
      },
    });
    const entry = tar.entry({ name, size, mtime, mode: 0o600 });
    await raceWithTarget(pipeline(handle.createReadStream({ autoClose: false }), hashing, entry));
    sums.set(name, hash.digest('hex'));
  }

  return {
    addText,
    addHandle,
    async addFile(name, source) {
      const handle = await open(source);
      try {
        await addHandle(name, handle);
      } finally {
        await handle.close();
      }
    },
    async finish() {
      await addText(SUMS, formatSums(sums));
      tar.finalize();
      await written;
      return bytes;
    },
    abort() {
      tar.destroy();
    },
  };
}
