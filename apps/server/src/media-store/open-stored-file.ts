import type { FileHandle } from 'node:fs/promises';
import type { Readable } from 'node:stream';

/** An open file whose parts can be read. */
export interface StoredFile {
  /** In bytes. */
  readonly size: number;
  /** Reads the bytes from `start` to `end` (inclusive), and closes the file at their end. */
  createReadStream(range: { readonly start: number; readonly end: number }): Readable;
  close(): Promise<void>;
}

/** Describes an open file. Closes it after a failure. */
export async function toStoredFile(handle: FileHandle): Promise<StoredFile> {
  try {
    const { size } = await handle.stat();
    return {
      size,
      createReadStream: (range) => handle.createReadStream(range),
      close: () => handle.close(),
    };
  } catch (error) {
    await handle.close();
    throw error;
  }
}
