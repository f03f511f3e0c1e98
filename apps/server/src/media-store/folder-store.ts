import type { FastifyBaseLogger } from 'fastify';
import { open, rename } from 'node:fs/promises';
import { join } from 'node:path';
import type { Config } from '../config.ts';
import { syncFolder } from '../files/sync-folder.ts';
import { isMediaFile } from './media-file-name.ts';
import { mediaFolder, removeFile } from './media-folders.ts';
import type { MediaStore } from './media-store.ts';
import { listFolder, sweepFolder } from './sweep-folder.ts';

/**
 * Creates the store of a server on one machine: files in the data folder.
 */
export function createFolderStore(
  config: Pick<Config, 'dataDir'>,
  log: FastifyBaseLogger,
): MediaStore {
  const folder = mediaFolder(config);

  function pathOf(file: string): string {
    if (!isMediaFile(file)) throw new TypeError('not the name of an upload');
    return join(folder, file);
  }

  return {
    async add(file, path) {
      await rename(path, pathOf(file));
      await syncFolder(folder);
    },
    async open(file) {
      try {
        return await open(pathOf(file), 'r');
      } catch (error) {
        if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined;
        throw error;
      }
    },
    remove: (file) => removeFile(pathOf(file), log),
    async *list() {
      for await (const names of listFolder(folder)) yield names.filter(isMediaFile);
    },
    sweep: (cutoff, findOrphans, signal) =>
      sweepFolder(
        folder,
        cutoff,
        signal,
        (names) => findOrphans(names.filter(isMediaFile)),
        (name) => removeFile(join(folder, name), log),
      ),
    sweepCopies: async () => undefined,
    discardCopy: async () => undefined,
    // The folder belongs to the data folder, which the server locks and checks.
    claim: async () => true,
    findOwner: async () => undefined,
    release: async () => undefined,
    check: async () => undefined,
    close: async () => undefined,
  };
}
