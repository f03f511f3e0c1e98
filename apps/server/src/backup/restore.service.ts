import { existsSync } from 'node:fs';
import { mkdir, readdir, rename, rmdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { migrations } from '../storage/migrations/index.ts';
import { makeFolder } from '../files/make-folder.ts';
import { syncFolder } from '../files/sync-folder.ts';
import { WORK_IN_DATA, withWorkFolder } from '../files/work-folder.ts';
import { isDatabaseError } from '../storage/errors.ts';
import { inspectDatabase } from '../storage/open.ts';
import type { Inspection } from '../storage/storage.ts';
import { DATABASE, type Manifest } from './archive-format.ts';
import { ArchiveError, unpackArchive } from './archive-reader.ts';
import { listMediaFiles } from '../media/media.service.ts';

const FOREIGN_DATABASE = 'The database in the archive is none of Parley. Nothing was restored.';

/** What was restored. */
export interface RestoreResult {
  readonly dataDir: string;
  readonly manifest: Manifest;
  readonly mediaFiles: number;
}

/**
 * Restores a backup into a folder that is empty or does not exist. All of it is unpacked and checked
 * beside before anything gets its name; if something is wrong, the folder stays as it was.
 * @throws {ArchiveError} for an archive that is damaged or of a newer version, or a folder that is
 * not empty; a file system error if it cannot be written.
 */
export async function restoreBackup(source: Readable, dataDir: string): Promise<RestoreResult> {
  const isNew = !existsSync(dataDir);
  makeFolder(dataDir);
  // A disk of its own has this folder from the start.
  const inTheWay = (await readdir(dataDir)).find((name) => name !== 'lost+found');
  if (inTheWay !== undefined) {
    source.destroy();
    throw notEmpty(dataDir, inTheWay);
  }
  try {
    // Inside, because the folder itself may be a mount whose parent is another disk.
    return await withWorkFolder(join(dataDir, WORK_IN_DATA.restore), (work) =>
      restore(source, work, dataDir),
    );
  } catch (error) {
    if (isNew) await rmdir(dataDir).catch(() => undefined);
    throw error;
  }
}

function notEmpty(dataDir: string, name: string): ArchiveError {
  const what = `${dataDir} is not empty: ${name} is in it`;
  return new ArchiveError(
    name.startsWith(WORK_IN_DATA.restore)
      ? `${what}, of a restore that is under way or was cut off. If none is under way, delete it.`
      : `${what}. Restore into an empty folder: set PARLEY_DATA to a new one.`,
  );
}

async function restore(source: Readable, work: string, dataDir: string): Promise<RestoreResult> {
  await mkdir(join(work, 'media'), { mode: 0o700 });
  const manifest = await unpackArchive(source, work);
  const mediaFiles = await checkContents(work, manifest);
  await syncFolder(join(work, 'media'));
  // The database last: with it, the folder is a server's.
  await rename(join(work, 'media'), join(dataDir, 'media'));
  await rename(join(work, DATABASE), join(dataDir, DATABASE));
  await syncFolder(dataDir);
  return { dataDir, manifest, mediaFiles };
}

async function checkContents(folder: string, { schema }: Manifest): Promise<number> {
  if (!Object.hasOwn(migrations, schema)) {
    throw new ArchiveError(
      'The backup was made by a newer version of Parley. Restore it with that version or a later one.',
    );
  }
  let database: Inspection | undefined;
  try {
    database = inspectDatabase(join(folder, DATABASE));
    if (database.findDamage() !== undefined) {
      throw new ArchiveError('The database in the archive is damaged. Nothing was restored.');
    }
    // A database of something else, or of another version than the archive says.
    if (database.schema().done.at(-1) !== schema) throw new ArchiveError(FOREIGN_DATABASE);
    const files = await database.read(listMediaFiles);
    const found = new Set(await readdir(join(folder, 'media')));
    const missing = files.find((name) => !found.has(name));
    if (missing !== undefined) {
      throw new ArchiveError(`The archive is incomplete: ${missing} is missing.`);
    }
    return files.length;
  } catch (error) {
    throw isDatabaseError(error) ? new ArchiveError(FOREIGN_DATABASE, { cause: error }) : error;
  } finally {
    await database?.close();
  }
}
