import { createHash } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { open, type FileHandle } from 'node:fs/promises';
import { Transform } from 'node:stream';
import { finished, pipeline } from 'node:stream/promises';
import { pack } from 'tar-stream';
import { formatSums, SUMS } from './archive-format.ts';

/** Writes a backup, entry by entry, and never holds more than a piece of one in memory. */
export interface ArchiveWriter {
  addText(name: string, text: string): Promise<void>;
  /** @throws the file system's error, such as `ENOENT` before anything of the entry was written. */
  addFile(name: string, path: string): Promise<void>;
  /** Adds the sums, and flushes all of it to the disk. Returns the archive's size in bytes. */
  finish(): Promise<number>;
  /** Ends without finishing. */
  abort(): void;
}

/** Starts an archive in a file that does not exist yet. */
export function createArchiveWriter(path: string): ArchiveWriter {
  const tar = pack();
  const file = createWriteStream(path, { flags: 'wx', mode: 0o600, flush: true });
  const written = pipeline(tar, file);
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
      return file.bytesWritten;
    },
    abort() {
      tar.destroy();
      file.destroy();
      finished(file).catch(() => undefined);
    },
  };
}
