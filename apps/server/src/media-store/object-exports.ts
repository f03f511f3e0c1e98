import { stat, utimes } from 'node:fs/promises';
import { buffer } from 'node:stream/consumers';
import { Readable } from 'node:stream';
import type { ObjectClient, ObjectSource } from './object-client.ts';
import type { StoredFile } from './open-stored-file.ts';

/** Sizes in bytes. */
export interface ExportSizes {
  /**
   * Of an object, of which an export has as many as it needs. Stores accept no larger ones than 5 GiB in one request,
   * and a part that fails is sent again without the others.
   */
  readonly part: number;
  /** Of what a download holds in memory. A slow one therefore needs no connection to the store all the time. */
  readonly piece: number;
}

const SIZES: ExportSizes = { part: 64 * 2 ** 20, piece: 2 ** 20 };

/** Number of digits of a part's number. */
const PART_DIGITS = 4;

/** The exports in object storage, whose files are not verified and have no local copies: they may be of any size. */
export interface ObjectExports {
  /** Like `MediaStore.add`, but leaves the local file where it is. */
  add(file: string, path: string): Promise<void>;
  /** Like `MediaStore.openExport`. */
  open(file: string, size: number): Promise<StoredFile | undefined>;
  /**
   * Deletes all parts of an export, also if some are missing.
   * @throws {MediaStoreError}
   */
  remove(file: string): Promise<void>;
}

/**
 * Creates the access to the exports in a store.
 * @param put stores an object and verifies it
 * @param readSource reads a range of a local file
 */
export function createObjectExports(
  client: ObjectClient,
  prefix: string,
  put: (key: string, source: ObjectSource) => Promise<void>,
  readSource: (path: string, start: number, end: number) => Promise<ObjectSource>,
  sizes: ExportSizes = SIZES,
): ObjectExports {
  const keyOf = (file: string, part: number) =>
    `${prefix}${file}.${String(part).padStart(PART_DIGITS, '0')}`;

  /** Reads a range of a part. */
  async function readPiece(key: string, start: number, end: number): Promise<Buffer> {
    const range = `bytes=${start}-${end}`;
    const length = end - start + 1;
    const read = await client.get(
      key,
      async (info, body) => {
        if (info.size !== length) throw new Error('another range than requested');
        const bytes = await buffer(body);
        if (bytes.length !== length) throw new Error('a truncated range');
        return bytes;
      },
      { range },
    );
    if (read === undefined) throw new Error('an export was deleted while it was read');
    return read;
  }

  async function* readRange(file: string, start: number, end: number) {
    let at = start;
    while (at <= end) {
      const part = Math.floor(at / sizes.part);
      const partStart = part * sizes.part;
      const last = Math.min(end, at + sizes.piece - 1, partStart + sizes.part - 1);
      yield await readPiece(keyOf(file, part), at - partStart, last - partStart);
      at = last + 1;
    }
  }

  return {
    async add(file, path) {
      const { size } = await stat(path);
      for (let start = 0; start < size; start += sizes.part) {
        // The sweep takes a file that has not changed for an hour for a leftover.
        await utimes(path, new Date(), new Date());
        const end = Math.min(start + sizes.part, size) - 1;
        await put(keyOf(file, start / sizes.part), await readSource(path, start, end));
      }
    },
    async open(file, size) {
      // Parts are added in order.
      const last = Math.max(0, Math.ceil(size / sizes.part) - 1);
      const info = await client.head(keyOf(file, last));
      if (info?.size !== size - last * sizes.part) return undefined;
      return {
        size,
        createReadStream: ({ start, end }) =>
          Readable.from(readRange(file, start, end), { objectMode: false }),
        close: async () => undefined,
      };
    },
    async remove(file) {
      for await (const parts of client.list(`${prefix}${file}.`)) {
        for (const { key } of parts) await client.delete(key);
      }
    },
  };
}

/** Returns the file to which an object belongs, by its key without the prefix. */
export function fileOfObject(name: string): string {
  return name.replace(/(?<=\.zip)\.\d+$/, '');
}
