import { createHash } from 'node:crypto';
import { open, type FileHandle } from 'node:fs/promises';
import { Transform, type Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { pack } from 'tar-stream';
import { formatSums, SUMS } from './archive-format.ts';

/** Writes a backup, entry by entry, and never holds more than a piece of one in memory. */
export interface ArchiveWriter {
  addText(name: string, text: string): Promise<void>;
  /** @throws the file system's error, such as `ENOENT` before anything of the entry was written. */
  addFile(name: string, path: string): Promise<void>;
  /** Adds the sums, and waits until all of it is written. Returns the archive's size in bytes. */
  finish(): Promise<number>;
  /** Ends without finishing. */
  abort(): void;
}

/** Starts an archive that goes to `target`, which is ended with it unless it is the process's output. */
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
  // Whoever waits for an entry or the end hears of it; until then it is not unhandled.
  written.catch(() => undefined);
  const sums = new Map<string, string>();
  const mtime = new Date();

  /** Fails as soon as the file does: the entry that is under way would wait for ever. */
  const orFailed = <T>(work: Promise<T>): Promise<T> =>
    Promise.race([work, written.then(() => work)]);

  async function addText(name: string, text: string): Promise<void> {
    sums.set(name, createHash('sha256').update(text).digest('hex'));
    const done = new Promise<void>((resolve, reject) => {
      tar.entry({ name, mtime, mode: 0o600 }, text, (error) => (error ? reject(error) : resolve()));
    });
    await orFailed(done);
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
    await orFailed(pipeline(handle.createReadStream({ autoClose: false }), hashing, entry));
    sums.set(name, hash.digest('hex'));
  }

  return {
    addText,
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
