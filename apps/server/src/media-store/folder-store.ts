import type { FastifyBaseLogger } from 'fastify';
import { constants, copyFile, open, rename, type FileHandle } from 'node:fs/promises';
import { join } from 'node:path';
import type { Config } from '../config.ts';
import { syncFolder } from '../files/sync-folder.ts';
import { isExportFile, isMediaFile, isStoredFile } from './media-file-name.ts';
import { incomingFolder, mediaFolder, removeFile } from './media-folders.ts';
import type { MediaStore } from './media-store.ts';
import { toStoredFile } from './open-stored-file.ts';
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
    if (!isStoredFile(file)) throw new TypeError('not the name of an upload or export');
    return join(folder, file);
  }

  async function openFile(file: string): Promise<FileHandle | undefined> {
    try {
      return await open(pathOf(file), 'r');
    } catch (error) {
      if (isMissing(error)) return undefined;
      throw error;
    }
  }

  async function add(file: string, path: string): Promise<void> {
    await rename(path, pathOf(file));
    await syncFolder(folder);
  }

  return {
    isOnDisk: true,
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
    open: openFile,
    async openExport(file, size) {
      if (!isExportFile(file)) return undefined;
      const handle = await openFile(file);
      if (handle === undefined) return undefined;
      const opened = await toStoredFile(handle);
      if (opened.size === size) return opened;
      await opened.close();
      return undefined;
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
        (names) => findOrphans(names.filter(isStoredFile)),
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
