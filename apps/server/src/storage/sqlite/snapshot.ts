import {
  closeSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import type SQLite from 'better-sqlite3';

/**
 * Maximum age of pre-upgrade snapshots in milliseconds. It is limited because they contain data
 * that was deleted since.
 */
const MAX_AGE = 30 * 24 * 60 * 60 * 1000;

/** Returns the folder of the pre-upgrade snapshots. */
function snapshotFolder(dataDir: string): string {
  return join(dataDir, 'snapshots');
}

/**
 * Writes a consistent copy of a database to a new file while other connections may write.
 * @throws if the disk is full or the folder is not writable; leaves no file behind in that case.
 */
export function writeSnapshot(sqlite: SQLite.Database, file: string): void {
  const part = `${file}.part`;
  try {
    rmSync(part, { force: true });
    // Create the file first: SQLite would make it readable by others.
    closeSync(openSync(part, 'wx', 0o600));
    sqlite.prepare('vacuum into ?').run(part);
    flush(part);
    renameSync(part, file);
    flush(dirname(file));
  } catch (error) {
    rmSync(part, { force: true });
    throw error;
  }
}

/** Creates a snapshot before an upgrade. Returns its path. */
export function snapshotBeforeUpgrade(
  sqlite: SQLite.Database,
  dataDir: string,
  schema: string,
): string {
  const folder = snapshotFolder(dataDir);
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const stamp = new Date().toISOString().replace(/[-:]|\.\d+/g, '');
  const file = join(folder, `${schema}-${stamp}.db`);
  writeSnapshot(sqlite, file);
  return file;
}

/** Deletes expired snapshots. */
export function deleteOldSnapshots(dataDir: string, now: number): void {
  const folder = snapshotFolder(dataDir);
  if (statSync(folder, { throwIfNoEntry: false }) === undefined) return;
  for (const name of readdirSync(folder)) {
    const file = join(folder, name);
    if (statSync(file).mtimeMs < now - MAX_AGE) rmSync(file, { force: true });
  }
}

// Without a flush, a power failure could leave an empty file. Windows cannot flush folders.
function flush(path: string): void {
  const handle = openSync(path, 'r');
  try {
    fsyncSync(handle);
  } catch (error) {
    if (process.platform !== 'win32') throw error;
  } finally {
    closeSync(handle);
  }
}
