import type { FastifyBaseLogger } from 'fastify';
import { constants, copyFile, open, rename } from 'node:fs/promises';
import { join } from 'node:path';
import type { Config } from '../config.ts';
import { syncFolder } from '../files/sync-folder.ts';
import { isMediaFile } from './media-file-name.ts';
import { incomingFolder, mediaFolder, removeFile } from './media-folders.ts';
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

  async function add(file: string, path: string): Promise<void> {
    await rename(path, pathOf(file));
    await syncFolder(folder);
  }

  return {
    add,
    async copy(file, copy) {
      const path = join(incomingFolder(config), `${copy}.copy`);
      try {
        // Some file systems share the blocks of both files.
        await copyFile(pathOf(file), path, constants.COPYFILE_FICLONE | constants.COPYFILE_EXCL);
        const handle = await open(path, 'r+');
        await handle.sync().finally(() => handle.close());
        await add(copy, path);
        return true;
      } catch (error) {
        if (isMissing(error)) return false;
        throw error;
      } finally {
        await removeFile(path, log);
      }
    },
    async open(file) {
      try {
        return await open(pathOf(file), 'r');
      } catch (error) {
        if (isMissing(error)) return undefined;
        throw error;
      }
    },
    remove: (file) => removeFile(pathOf(file), log),
    async *list() {
      for await (const names of listFolder(folder)) yield names.filter(isMediaFile);
    },
    sweep: (age, findOrphans, signal) =>
      sweepFolder(
        folder,
        age,
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

function isMissing(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ENOENT';
}
