import { existsSync } from 'node:fs';
import { mkdir, readdir, rename, rm, rmdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { pino } from 'pino';
import { createMediaStore } from '../media-store/create-media-store.ts';
import type { MediaStore } from '../media-store/media-store.ts';
import { migrations } from '../storage/migrations/index.ts';
import type { Config } from '../config.ts';
import { createFolder } from '../files/create-folder.ts';
import { giveToOwnerOf } from '../files/keep-owner.ts';
import { syncFolder } from '../files/sync-folder.ts';
import {
  beginRestore,
  endRestore,
  findUnfinishedRestore,
  MARKER_FILES,
} from '../files/unfinished-restore.ts';
import { removeLeftovers, WORK_FOLDER_PREFIXES, withWorkFolder } from '../files/work-folder.ts';
import type { Inspection } from '../storage/database.ts';
import { isDatabaseError, storageErrorCode } from '../storage/storage-errors.ts';
import {
  assertImportable,
  importDatabase,
  inspectDatabase,
  lockDataFolder,
  openCopy,
  SERVER_LOCK,
  upgradeCopy,
} from '../storage/open.ts';
import { DATABASE, type Manifest } from './archive-format.ts';
import { ArchiveError, unpackArchive } from './archive-reader.ts';
import type { OnProgress } from './backup-progress.ts';
import { listMediaFiles } from '../media/media.service.ts';
import { deleteAll } from '../notifications/subscription.service.ts';

const NOT_PARLEY_DATABASE =
  'The database in the archive is not a Parley database. Nothing was restored.';

/** The result of a restore. */
export interface RestoreResult {
  readonly dataDir: string;
  readonly manifest: Manifest;
  readonly mediaFiles: number;
}

/** The archive and where to restore it. */
export interface RestoreOptions {
  readonly source: Readable;
  /** Size of the archive in bytes, if known. */
  readonly size?: number | undefined;
  readonly config: Pick<Config, 'dataDir' | 'databaseUrl' | 'mediaStore'>;
  /** Whether the restored server sends push messages to the devices in the backup. */
  readonly shouldKeepSubscriptions: boolean;
  readonly onProgress?: OnProgress;
}

/**
 * Restores a backup into a folder that is empty or does not exist, and into an empty PostgreSQL
 * database and media store if they are configured. Everything is unpacked and verified in a work
 * folder before it is moved into place, so a failure leaves folder, database and store unchanged. After an
 * interruption, no server starts on the folder until it is restored again.
 * @throws {ArchiveError} if the archive is corrupt or of a newer version, or if the folder is not
 * empty; a {@link FolderInUseError}; a {@link DatabaseCopyError} if the database is not empty; a
 * {@link MediaStoreError}; a file system error if the folder is not writable; an error of PostgreSQL.
 */
export async function restoreBackup(options: RestoreOptions): Promise<RestoreResult> {
  const { source, config } = options;
  const { dataDir } = config;
  const isNew = !existsSync(dataDir);
  // A cache would fill the data folder before it is restored.
  const media = createMediaStore({ ...config, mediaCacheBytes: 0 }, pino({ level: 'silent' }));
  try {
    createFolder(dataDir);
    await removeLeftovers(dataDir);
    if (findUnfinishedRestore(dataDir) === undefined) await assertEmptyFolder(dataDir);
    return await withLockedFolder(dataDir, () => restoreInto(options, media));
  } catch (error) {
    source.destroy();
    if (isNew) await rmdir(dataDir).catch(() => undefined);
    throw error;
  } finally {
    await media.close();
  }
}

/** Keeps servers and other restores from a folder. The file of the lock stays if the work succeeds. */
async function withLockedFolder<T>(dataDir: string, work: () => Promise<T>): Promise<T> {
  const lock = join(dataDir, SERVER_LOCK);
  const isNew = !existsSync(lock);
  const unlock = lockDataFolder(dataDir);
  try {
    return await work().finally(unlock);
  } catch (error) {
    if (isNew) await rm(lock, { force: true });
    throw error;
  }
}

async function restoreInto(options: RestoreOptions, media: MediaStore): Promise<RestoreResult> {
  const { dataDir, databaseUrl, mediaStore } = options.config;
  const storeName =
    mediaStore && `${mediaStore.endpoint}/${mediaStore.bucket}/${mediaStore.prefix}`;
  await clearUnfinished(dataDir, media, storeName);
  await assertEmptyFolder(dataDir);
  if (databaseUrl !== undefined) await assertImportable(databaseUrl);
  await assertEmptyStore(media);
  await beginRestore(dataDir, { mediaStore: storeName });
  try {
    // Work inside the folder: it may be a mount point whose parent is on another disk.
    return await withWorkFolder(join(dataDir, WORK_FOLDER_PREFIXES.restore), (work) =>
      restore(options, media, work),
    );
  } finally {
    await endRestore(dataDir);
  }
}

/** Removes what an interrupted restore has put into the folder and the store, which were empty before. */
async function clearUnfinished(
  dataDir: string,
  media: MediaStore,
  storeName: string | undefined,
): Promise<void> {
  const unfinished = findUnfinishedRestore(dataDir);
  if (unfinished === undefined) return;
  for (const name of ['media', DATABASE, `${DATABASE}-wal`, `${DATABASE}-shm`]) {
    await rm(join(dataDir, name), { recursive: true, force: true });
  }
  const isSameStore = storeName !== undefined && unfinished.mediaStore === storeName;
  // A store with an owner is in use by a server.
  if (!isSameStore || (await media.findOwner()) !== undefined) return;
  await media.release();
  for await (const files of media.list()) for (const file of files) await media.remove(file);
}

/** The sweep would delete what else is in the store. */
async function assertEmptyStore(media: MediaStore): Promise<void> {
  for await (const files of media.list()) {
    if (files.length === 0) continue;
    throw new ArchiveError(
      'The media store is not empty. Set PARLEY_MEDIA_STORE to a bucket or folder without files.',
    );
  }
}

/** What an empty folder may contain: a newly formatted disk has the first. */
const IGNORED: ReadonlySet<string> = new Set([
  'lost+found',
  SERVER_LOCK,
  `${SERVER_LOCK}-journal`,
  ...MARKER_FILES,
]);

async function assertEmptyFolder(dataDir: string): Promise<void> {
  const existing = (await readdir(dataDir)).find((name) => !IGNORED.has(name));
  if (existing !== undefined) throw createNotEmptyError(dataDir, existing);
}

function createNotEmptyError(dataDir: string, name: string): ArchiveError {
  const what = `${dataDir} is not empty: it contains ${name}`;
  return new ArchiveError(
    name.startsWith(WORK_FOLDER_PREFIXES.restore)
      ? `${what}, which is left over from a restore that was interrupted or is still running. If none is running, delete it.`
      : `${what}. Restore into an empty folder: set PARLEY_DATA to a new one.`,
  );
}

async function restore(
  options: RestoreOptions,
  media: MediaStore,
  work: string,
): Promise<RestoreResult> {
  const { source, size, config, onProgress } = options;
  const { dataDir } = config;
  await mkdir(join(work, 'media'), { mode: 0o700 });
  const manifest = await unpackArchive(source, work, (bytes) =>
    onProgress?.('read-archive', bytes, size),
  );
  const mediaFiles = await checkContents(work, manifest);
  await giveToOwnerOf(dataDir, work);
  if (!options.shouldKeepSubscriptions) await discardSubscriptions(join(work, DATABASE));
  const stored: string[] = [];
  try {
    // The restored database claims it.
    await media.release();
    if (config.mediaStore !== undefined) await storeMedia(options, media, work, stored);
    await placeDatabase(options, work);
  } catch (error) {
    if (!(error instanceof UncertainRestoreError)) {
      for (const file of stored) await media.remove(file);
    }
    throw error;
  }
  return { dataDir, manifest, mediaFiles };
}

/** The migration that creates the subscriptions. Earlier backups contain none. */
const WITH_SUBSCRIPTIONS = '017-push';

async function discardSubscriptions(database: string): Promise<void> {
  const copy = openCopy(database);
  try {
    const { done } = await copy.maintenance.schema();
    if (done.includes(WITH_SUBSCRIPTIONS)) await deleteAll(copy.storage);
  } finally {
    await copy.close();
  }
}

/** Thrown if it is unknown whether the database was committed. */
class UncertainRestoreError extends ArchiveError {}

/** Number of files that are uploaded at the same time. */
const UPLOADS = 8;

/** Moves the media from the work folder to the store and adds their names to `stored`. */
async function storeMedia(
  { onProgress }: RestoreOptions,
  media: MediaStore,
  work: string,
  stored: string[],
): Promise<void> {
  const folder = join(work, 'media');
  const files = await readdir(folder);
  let next = 0;
  const storeNext = async () => {
    for (let file = files[next++]; file !== undefined; file = files[next++]) {
      const path = join(folder, file);
      // Before it is uploaded, because an upload may succeed although it seems to fail.
      stored.push(file);
      await media.add(file, path).catch((error: unknown) => {
        next = files.length;
        throw error;
      });
      await rm(path, { force: true });
      onProgress?.('store-files', stored.length, files.length);
    }
  };
  const results = await Promise.allSettled(Array.from({ length: UPLOADS }, storeNext));
  for (const result of results) if (result.status === 'rejected') throw result.reason;
}

async function placeDatabase(options: RestoreOptions, work: string): Promise<void> {
  const { dataDir, databaseUrl } = options.config;
  if (databaseUrl !== undefined) {
    await restoreToPostgres(options, databaseUrl, work);
    return;
  }
  await placeMedia(work, dataDir);
  // Move the database last, because it turns the folder into a data folder.
  await rename(join(work, DATABASE), join(dataDir, DATABASE));
  await syncFolder(dataDir);
}

/** Moves the media into place and returns a function that undoes it. */
async function placeMedia(work: string, dataDir: string): Promise<() => Promise<void>> {
  const from = join(work, 'media');
  const to = join(dataDir, 'media');
  await syncFolder(from);
  await rename(from, to);
  await syncFolder(dataDir);
  return () => rename(to, from);
}

async function restoreToPostgres(
  { config: { dataDir }, onProgress }: RestoreOptions,
  databaseUrl: string,
  work: string,
): Promise<void> {
  const database = join(work, DATABASE);
  await upgradeCopy(database);
  let removeMedia: (() => Promise<void>) | undefined;
  try {
    await importDatabase(databaseUrl, database, {
      onRowsCopied: (done, total) => onProgress?.('copy-rows', done, total),
      beforeCommit: async () => {
        removeMedia = await placeMedia(work, dataDir);
      },
    });
  } catch (error) {
    if (removeMedia !== undefined && storageErrorCode(error) === 'unavailable') {
      throw new UncertainRestoreError(
        'The connection to PostgreSQL was lost while the restore was finished. If the database has ' +
          `rows now, the restore is complete. If not, empty ${dataDir} and restore again.`,
        { cause: error },
      );
    }
    await removeMedia?.();
    throw error;
  }
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
    // Checked first: the other checks evaluate expressions of the schema.
    const difference = await database.findSchemaDifference();
    if (difference !== undefined) {
      throw new ArchiveError(
        `The database in the archive has ${difference}, which Parley does not create. Nothing was restored.`,
      );
    }
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
