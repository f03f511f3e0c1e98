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

/** How long snapshots from before upgrades stay, in milliseconds: they hold what was deleted since. */
const KEEP = 30 * 24 * 60 * 60 * 1000;

/** Folder of the snapshots from before upgrades. */
function snapshotFolder(dataDir: string): string {
  return join(dataDir, 'snapshots');
}

/**
 * Writes a consistent copy of a database to a file that does not exist yet, while others write.
 * @throws if the disk is full or the folder cannot be written; leaves no file behind then.
 */
export function writeSnapshot(sqlite: SQLite.Database, file: string): void {
  const part = `${file}.part`;
  try {
    rmSync(part, { force: true });
    // The file is made first, because SQLite would let others read it.
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

/** Keeps a copy of a database from before an upgrade. Returns its path. */
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

/** Deletes the snapshots that are too old. */
export function deleteOldSnapshots(dataDir: string, now: number): void {
  const folder = snapshotFolder(dataDir);
  if (statSync(folder, { throwIfNoEntry: false }) === undefined) return;
  for (const name of readdirSync(folder)) {
    const file = join(folder, name);
    if (statSync(file).mtimeMs < now - KEEP) rmSync(file, { force: true });
  }
}

// Without it, a power cut could leave the name without the content. Windows cannot flush folders.
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
