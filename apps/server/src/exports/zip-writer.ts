import { createWriteStream } from 'node:fs';
import { Readable } from 'node:stream';
import { finished, pipeline } from 'node:stream/promises';
import { ZipFile } from 'yazl';

/** Writes a ZIP file entry by entry, with little memory. */
export interface ZipWriter {
  /** Adds a text, compressed. Resolves once it is read. */
  addText(name: string, text: string): Promise<void>;
  /**
   * Adds what a stream contains. Resolves once it is read.
   * @param isCompressed whether its format compresses already, so that it is stored as it is
   */
  addStream(name: string, content: Readable, isCompressed: boolean): Promise<void>;
  /** Returns how many bytes have been written so far. */
  size(): number;
  /** Completes the file and waits until it is on the disk. */
  finish(): Promise<void>;
  /** Stops, and waits until the file is closed. */
  abort(): Promise<void>;
}

/** Creates a writer of a new file at `path`. Its methods reject with the errors of the file system. */
export function createZipWriter(path: string, now: Date): ZipWriter {
  const zip = new ZipFile();
  const aborted = new AbortController();
  const target = createWriteStream(path, { flags: 'wx', mode: 0o600, flush: true });
  const written = pipeline(zip.outputStream, target, { signal: aborted.signal });
  // The error reaches callers through the methods; this avoids an unhandled rejection.
  written.catch(() => undefined);
  // Errors of streams reach callers through `finished`.
  zip.on('error', () => undefined);

  async function addStream(name: string, content: Readable, isCompressed: boolean): Promise<void> {
    // Observed before the writer reads it.
    const read = finished(content, { writable: false });
    zip.addReadStream(content, name, { mtime: now, mode: 0o100644, compress: !isCompressed });
    try {
      // Without a target, the writer would never read it.
      await Promise.race([read, written.then(() => read)]);
    } finally {
      content.destroy();
    }
  }

  return {
    addStream,
    addText: (name, text) => addStream(name, Readable.from([Buffer.from(text)]), false),
    size: () => target.bytesWritten,
    async finish() {
      zip.end();
      await written;
    },
    async abort() {
      aborted.abort();
      await written.catch(() => undefined);
    },
  };
}
