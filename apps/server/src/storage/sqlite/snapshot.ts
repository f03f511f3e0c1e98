import {
  closeSync,
  existsSync,
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

/** What the name of an incomplete snapshot ends with. */
const PART = '.part';

/** Returns the folder of the pre-upgrade snapshots. */
function snapshotFolder(dataDir: string): string {
  return join(dataDir, 'snapshots');
}

/**
 * Writes a consistent copy of a database to a new file while other connections may write.
 * @throws if the disk is full or the folder is not writable; leaves no file behind in that case.
 */
export function writeSnapshot(sqlite: SQLite.Database, file: string): void {
  const part = file + PART;
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

/** The upgrade before which a snapshot is created: the newest migration before and after it. */
export interface Upgrade {
  readonly from: string;
  readonly to: string;
}

/**
 * Creates a snapshot of the database in a data folder before an upgrade. It replaces an earlier snapshot
 * before the same upgrade, or is that one if nothing has changed since: an upgrade that fails at each start must
 * not fill the disk.
 */
export function snapshotBeforeUpgrade(
  sqlite: SQLite.Database,
  dataDir: string,
  { from, to }: Upgrade,
): { file: string; isNew: boolean } {
  const folder = snapshotFolder(dataDir);
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  removeIncomplete(folder);
  const prefix = `${from}-to-${to}-`;
  const name = `${prefix}${toStamp(readLastChange(sqlite))}.db`;
  const earlier = readdirSync(folder).filter((each) => each.startsWith(prefix));
  const file = join(folder, name);
  if (earlier.includes(name)) return { file, isNew: false };
  writeSnapshot(sqlite, file);
  for (const each of earlier) rmSync(join(folder, each), { force: true });
  return { file, isNew: true };
}

/** Returns when the database was last changed, in UTC milliseconds; now if other processes are using it. */
function readLastChange(sqlite: SQLite.Database): number {
  const [checkpoint] = sqlite.pragma('wal_checkpoint(truncate)') as { busy: number }[];
  return checkpoint?.busy === 0 ? Math.trunc(statSync(sqlite.name).mtimeMs) : Date.now();
}

function toStamp(time: number): string {
  return new Date(time).toISOString().replace(/[-:.]/g, '');
}

/** Removes what killed processes have left. */
function removeIncomplete(folder: string): void {
  for (const name of readdirSync(folder)) {
    if (name.endsWith(PART)) rmSync(join(folder, name), { force: true });
  }
}

/** Returns whether a data folder has snapshots. */
export function hasSnapshots(dataDir: string): boolean {
  const folder = snapshotFolder(dataDir);
  return existsSync(folder) && readdirSync(folder).length > 0;
}

/** Deletes expired and incomplete snapshots. */
export function deleteOldSnapshots(dataDir: string, now: number): void {
  const folder = snapshotFolder(dataDir);
  if (!existsSync(folder)) return;
  removeIncomplete(folder);
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
