import { createWriteStream, existsSync } from 'node:fs';
import { access, rename } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import type { Writable } from 'node:stream';
import type { Config } from '../config.ts';
import { forgetExports } from '../exports/export.service.ts';
import { createFolder } from '../files/create-folder.ts';
import { syncFolder } from '../files/sync-folder.ts';
import { removeLeftovers, WORK_FOLDER_PREFIXES, withWorkFolder } from '../files/work-folder.ts';
import type { MediaStore } from '../media-store/media-store.ts';
import type { Database } from '../storage/database.ts';
import { inspectDatabase, openCopy } from '../storage/open.ts';
import { VERSION } from '../version.ts';
import { DATABASE, MANIFEST, mediaEntry, type Manifest } from './archive-format.ts';
import { ArchiveError } from './archive-reader.ts';
import { createArchiveWriter, type ArchiveWriter } from './archive-writer.ts';
import type { OnProgress } from './backup-progress.ts';
import { discardUploads } from './discard-uploads.ts';
import { listMediaFiles } from '../media/media.service.ts';

/** The migration that creates the exports. */
const WITH_EXPORTS = '029-exports';

/** The result of a backup. */
export interface BackupResult {
  readonly file: string;
  /** Size of the archive in bytes. */
  readonly bytes: number;
  readonly mediaFiles: number;
  readonly schema: string;
}

/** The open data folder to back up. */
interface BackupSource extends Pick<Database, 'storage' | 'maintenance'> {
  readonly config: Config;
  readonly media: MediaStore;
  readonly onProgress?: OnProgress;
}

/**
 * Writes a consistent copy of the database and the media to an archive, even if the server is
 * running. The archive gets its name only when it is complete and flushed; a failure leaves nothing
 * behind.
 * @throws {ArchiveError} if the database has tables, views or triggers that Parley does not create; a file
 * system error or a database error; `EEXIST` if the file exists.
 */
export async function writeBackup(source: BackupSource, file: string): Promise<BackupResult> {
  assertNotExists(file);
  await access(dirname(file));
  await removeLeftovers(dirname(file));
  // The work folder is on the same disk as the file, so that a rename is enough to finish it.
  return withWorkFolder(join(dirname(file), `.${basename(file)}-`), async (work) => {
    const snapshot = join(work, DATABASE);
    await writeSnapshotFile(source, snapshot);
    const part = join(work, 'archive');
    const target = createWriteStream(part, { flags: 'wx', mode: 0o600, flush: true });
    const result = await writeArchive(target, source, snapshot);
    assertNotExists(file);
    await rename(part, file);
    await syncFolder(dirname(file));
    return { file, ...result };
  });
}

/**
 * Writes the archive of {@link writeBackup} to a stream, such as a pipe. A truncated archive lacks the
 * checksums at its end and cannot be restored.
 * @throws the stream's error, a file system error or a database error.
 */
export async function streamBackup(source: BackupSource, target: Writable): Promise<BackupResult> {
  // With PostgreSQL, this machine may not have had the folder yet.
  createFolder(source.config.dataDir);
  await removeLeftovers(source.config.dataDir);
  return withWorkFolder(join(source.config.dataDir, WORK_FOLDER_PREFIXES.backup), async (work) => {
    const snapshot = join(work, DATABASE);
    await writeSnapshotFile(source, snapshot);
    return { file: '-', ...(await writeArchive(target, source, snapshot)) };
  });
}

async function writeSnapshotFile(
  { maintenance, onProgress }: BackupSource,
  file: string,
): Promise<void> {
  await maintenance.snapshot(file, (done, total) => onProgress?.('copy-rows', done, total));
  const snapshot = inspectDatabase(file);
  try {
    const difference = await snapshot.findSchemaDifference();
    if (difference === undefined) return;
    throw new ArchiveError(
      `The database has ${difference}, which Parley does not create. A backup with it could not be restored.`,
    );
  } finally {
    await snapshot.close();
  }
}

async function writeArchive(
  target: Writable,
  source: BackupSource,
  snapshot: string,
): Promise<Omit<BackupResult, 'file'>> {
  const archive = createArchiveWriter(target);
  try {
    return await fillArchive(archive, source, snapshot);
  } catch (error) {
    archive.abort();
    throw error;
  }
}

async function fillArchive(
  archive: ArchiveWriter,
  { media, storage, onProgress }: BackupSource,
  snapshot: string,
): Promise<Omit<BackupResult, 'file'>> {
  // Without a write-ahead log, the database is a single file that can be archived.
  const copy = openCopy(snapshot);
  let schema: string;
  let mediaFiles = 0;
  try {
    const { done } = await copy.maintenance.schema();
    schema = done.at(-1) ?? '';
    // Their files are not in the backup.
    if (done.includes(WITH_EXPORTS)) await forgetExports(copy.storage);
    const gone: string[] = [];
    const files = await copy.storage.read(listMediaFiles);
    for (const file of files) {
      const isAdded = await addIfExists(archive, media, file);
      if (isAdded) mediaFiles += 1;
      else gone.push(file);
      onProgress?.('archive-files', mediaFiles + gone.length, files.length);
    }
    // These were deleted after the snapshot, so they are deleted from the backup as well.
    await discardUploads(storage, copy.storage, gone);
  } finally {
    await copy.close();
  }
  const manifest: Manifest = {
    format: 1,
    product: 'parley',
    version: VERSION,
    schema,
    createdAt: new Date().toISOString(),
  };
  await archive.addFile(DATABASE, snapshot);
  await archive.addText(MANIFEST, `${JSON.stringify(manifest, null, 2)}\n`);
  return { bytes: await archive.finish(), mediaFiles, schema };
}

async function addIfExists(
  archive: ArchiveWriter,
  media: MediaStore,
  file: string,
): Promise<boolean> {
  const handle = await media.open(file, { isReadOnce: true });
  if (handle === undefined) return false;
  try {
    await archive.addHandle(mediaEntry(file), handle);
    return true;
  } finally {
    await handle.close();
  }
}

function assertNotExists(file: string): void {
  if (!existsSync(file)) return;
  throw Object.assign(new Error(`${file} already exists`), { code: 'EEXIST', path: file });
}
