import { existsSync } from 'node:fs';
import { mkdir, readdir, rename, rmdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { migrations } from '../storage/migrations/index.ts';
import { createFolder } from '../files/create-folder.ts';
import { syncFolder } from '../files/sync-folder.ts';
import { WORK_FOLDER_PREFIXES, withWorkFolder } from '../files/work-folder.ts';
import { isDatabaseError } from '../storage/storage-errors.ts';
import { inspectDatabase } from '../storage/open.ts';
import type { Inspection } from '../storage/storage.ts';
import { DATABASE, type Manifest } from './archive-format.ts';
import { ArchiveError, unpackArchive } from './archive-reader.ts';
import { listMediaFiles } from '../media/media.service.ts';

const NOT_PARLEY_DATABASE =
  'The database in the archive is not a Parley database. Nothing was restored.';

/** The result of a restore. */
export interface RestoreResult {
  readonly dataDir: string;
  readonly manifest: Manifest;
  readonly mediaFiles: number;
}

/**
 * Restores a backup into a folder that is empty or does not exist. Everything is unpacked and verified
 * in a work folder before it is moved into place, so a failure leaves the folder unchanged.
 * @throws {ArchiveError} if the archive is corrupt or of a newer version, or if the folder is not empty; a
 * file system error if the folder is not writable.
 */
export async function restoreBackup(source: Readable, dataDir: string): Promise<RestoreResult> {
  const isNew = !existsSync(dataDir);
  createFolder(dataDir);
  // A newly formatted disk contains this folder.
  const existing = (await readdir(dataDir)).find((name) => name !== 'lost+found');
  if (existing !== undefined) {
    source.destroy();
    throw createNotEmptyError(dataDir, existing);
  }
  try {
    // Work inside the folder: it may be a mount point whose parent is on another disk.
    return await withWorkFolder(join(dataDir, WORK_FOLDER_PREFIXES.restore), (work) =>
      restore(source, work, dataDir),
    );
  } catch (error) {
    if (isNew) await rmdir(dataDir).catch(() => undefined);
    throw error;
  }
}

function createNotEmptyError(dataDir: string, name: string): ArchiveError {
  const what = `${dataDir} is not empty: it contains ${name}`;
  return new ArchiveError(
    name.startsWith(WORK_FOLDER_PREFIXES.restore)
      ? `${what}, which is left over from a restore that was interrupted or is still running. If none is running, delete it.`
      : `${what}. Restore into an empty folder: set PARLEY_DATA to a new one.`,
  );
}

async function restore(source: Readable, work: string, dataDir: string): Promise<RestoreResult> {
  await mkdir(join(work, 'media'), { mode: 0o700 });
  const manifest = await unpackArchive(source, work);
  const mediaFiles = await checkContents(work, manifest);
  await syncFolder(join(work, 'media'));
  // Move the database last, because it turns the folder into a data folder.
  await rename(join(work, 'media'), join(dataDir, 'media'));
  await rename(join(work, DATABASE), join(dataDir, DATABASE));
  await syncFolder(dataDir);
  return { dataDir, manifest, mediaFiles };
}

async function checkContents(folder: string, { schema }: Manifest): Promise<number> {
  if (!Object.hasOwn(migrations, schema)) {
    throw new ArchiveError(
      'The backup was created by a newer version of Parley. Restore it with that version or a later one.',
    );
  }
  let database: Inspection | undefined;
  try {
    database = inspectDatabase(join(folder, DATABASE));
    if (database.findDamage() !== undefined) {
      throw new ArchiveError('The database in the archive is corrupt. Nothing was restored.');
    }
    const found = database.schema().done.at(-1);
    if (found === undefined) throw new ArchiveError(NOT_PARLEY_DATABASE);
    if (found !== schema) {
      throw new ArchiveError(
        'The database in the archive does not match its manifest. Nothing was restored.',
      );
    }
    const files = await database.read(listMediaFiles);
    const present = new Set(await readdir(join(folder, 'media')));
    const missing = files.find((name) => !present.has(name));
    if (missing !== undefined) {
      throw new ArchiveError(`The archive is incomplete: ${missing} is missing.`);
    }
    return files.length;
  } catch (error) {
    throw isDatabaseError(error) ? new ArchiveError(NOT_PARLEY_DATABASE, { cause: error }) : error;
  } finally {
    await database?.close();
  }
}
