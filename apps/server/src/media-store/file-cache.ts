import type { FastifyBaseLogger } from 'fastify';
import { mkdir, open, readdir, rename, stat, type FileHandle } from 'node:fs/promises';
import { join } from 'node:path';
import { LRUCache } from 'lru-cache';
import { removeFile } from './media-folders.ts';

/**
 * Copies of stored files in a local folder, of which those that were not used for longest are
 * deleted once they exceed a size. Open handles stay valid.
 */
export interface FileCache {
  /**
   * Opens a copy. Returns undefined if there is none, or none of `size` bytes. The caller closes
   * the handle.
   */
  open(file: string, size?: number): Promise<FileHandle | undefined>;
  /** Moves a complete file into the cache. Returns false if it does not fit. */
  adopt(file: string, path: string, size: number): Promise<boolean>;
  /** Deletes a copy if there is one. */
  discard(file: string): void;
  /** Lists the files of which there are copies. */
  list(): string[];
}

/** Opens a cache of at most `maxBytes`, which must be positive, with the copies in its folder. */
export async function openFileCache(
  folder: string,
  maxBytes: number,
  log: FastifyBaseLogger,
): Promise<FileCache> {
  // The folder is the truth: a copy that is not there any more is downloaded again.
  const sizes = new LRUCache<string, number>({
    maxSize: maxBytes,
    sizeCalculation: (size) => Math.max(size, 1),
    dispose: (_size, file, reason) => {
      if (reason !== 'set') void removeFile(join(folder, file), log);
    },
  });
  await mkdir(folder, { recursive: true, mode: 0o700 });
  for (const { file, size } of await listByAge(folder)) sizes.set(file, size);

  return {
    async open(file, size) {
      const cached = sizes.get(file);
      if (cached === undefined) return undefined;
      if (size !== undefined && size !== cached) {
        sizes.delete(file);
        return undefined;
      }
      try {
        return await open(join(folder, file), 'r');
      } catch (error) {
        if (!(error instanceof Error && 'code' in error && error.code === 'ENOENT')) throw error;
        sizes.delete(file);
        return undefined;
      }
    },
    async adopt(file, path, size) {
      if (size > maxBytes) {
        sizes.delete(file);
        return false;
      }
      await rename(path, join(folder, file));
      sizes.set(file, size);
      return true;
    },
    discard: (file) => void sizes.delete(file),
    list: () => [...sizes.keys()],
  };
}

/** Lists the files of a folder, those that were modified first at the beginning. */
async function listByAge(folder: string) {
  const found: { file: string; size: number; modifiedAt: number }[] = [];
  for (const file of await readdir(folder)) {
    const { size, mtimeMs } = await stat(join(folder, file));
    found.push({ file, size, modifiedAt: mtimeMs });
  }
  return found.toSorted((a, b) => a.modifiedAt - b.modifiedAt);
}
