import { createWriteStream, existsSync } from 'node:fs';
import { access, rename } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import type { Writable } from 'node:stream';
import type { Config } from '../config.ts';
import { syncFolder } from '../files/sync-folder.ts';
import { WORK_IN_DATA, withWorkFolder } from '../files/work-folder.ts';
import { mediaPath } from '../media/media-store.ts';
import { openCopy } from '../storage/open.ts';
import type { Storage } from '../storage/storage.ts';
import { VERSION } from '../version.ts';
import { DATABASE, MANIFEST, mediaEntry, type Manifest } from './archive-format.ts';
import { createArchiveWriter, type ArchiveWriter } from './archive-writer.ts';
import { discardUploads } from './discard-uploads.ts';
import { listMediaFiles } from '../media/media.service.ts';

/** What a backup came to. */
export interface BackupResult {
  readonly file: string;
  /** Size of the archive. */
  readonly bytes: number;
  readonly mediaFiles: number;
  readonly schema: string;
}

/** What to back up: an open data folder. */
interface BackupSource {
  readonly config: Config;
  readonly storage: Storage;
}

/**
 * Writes the database and the media as they are at one moment to one archive, while the server may
 * go on working. The archive has its name only once it is whole and on the disk; whatever goes wrong
 * before leaves nothing behind.
 * @throws a file system error or an error of the database; `EEXIST` if the file exists.
 */
export async function writeBackup(source: BackupSource, file: string): Promise<BackupResult> {
  assertFree(file);
  await access(dirname(file));
  // On the same disk, so that finishing is a rename.
  return withWorkFolder(join(dirname(file), `.${basename(file)}-`), async (work) => {
    const snapshot = join(work, DATABASE);
    await source.storage.snapshot(snapshot);
    const part = join(work, 'archive');
    const target = createWriteStream(part, { flags: 'wx', mode: 0o600, flush: true });
    const result = await fill(target, source, snapshot);
    assertFree(file);
    await rename(part, file);
    await syncFolder(dirname(file));
    return { file, ...result };
  });
}

/**
 * Writes the same archive to a stream, such as a pipe. What is cut off lacks the sums at its end, and
 * is refused when it is restored.
 * @throws the stream's error, a file system error or an error of the database.
 */
export async function streamBackup(source: BackupSource, target: Writable): Promise<BackupResult> {
  return withWorkFolder(join(source.config.dataDir, WORK_IN_DATA.backup), async (work) => {
    const snapshot = join(work, DATABASE);
    await source.storage.snapshot(snapshot);
    return { file: '-', ...(await fill(target, source, snapshot)) };
  });
}

async function fill(
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
  { config, storage }: BackupSource,
  snapshot: string,
): Promise<Omit<BackupResult, 'file'>> {
  // One file in place of three: it goes into the archive as it is.
  const copy = openCopy(snapshot);
  let schema: string;
  let mediaFiles = 0;
  try {
    schema = (await copy.schema()).done.at(-1) ?? '';
    const gone: string[] = [];
    for (const file of await copy.read(listMediaFiles)) {
      const isThere = await addIfThere(archive, mediaEntry(file), mediaPath(config, file));
      if (isThere) mediaFiles += 1;
      else gone.push(file);
    }
    // Deleted since the snapshot was made, so they are deleted in the backup, too.
    await discardUploads(storage, copy, gone);
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

async function addIfThere(archive: ArchiveWriter, name: string, path: string): Promise<boolean> {
  try {
    await archive.addFile(name, path);
    return true;
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return false;
    throw error;
  }
}

function assertFree(file: string): void {
  if (!existsSync(file)) return;
  throw Object.assign(new Error(`${file} exists`), { code: 'EEXIST', path: file });
}
