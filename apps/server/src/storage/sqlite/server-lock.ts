import { chownSync, closeSync, existsSync, openSync, statSync } from 'node:fs';
import { join } from 'node:path';
import SQLite from 'better-sqlite3';
import { FolderInUseError } from '../storage-errors.ts';

/** Name of the file in a data folder that a server locks. */
export const SERVER_LOCK = 'server.lock';

/**
 * Locks the data folder against a second server, whose users would not receive the events of the first.
 * Commands that change something without a server take the lock as well. The operating system releases
 * it when the process ends for any reason. Returns a function that releases it.
 * @throws {FolderInUseError} if another process holds it, an `SqliteError` if it cannot be written.
 */
export function lockDataFolder(dataDir: string): () => void {
  const file = join(dataDir, SERVER_LOCK);
  keepFolderOwner(dataDir, file);
  const unlock = lockFile(file);
  if (unlock === undefined) throw new FolderInUseError(dataDir);
  return unlock;
}

/**
 * Locks a file, which is created and stays empty. The operating system releases the lock when the process ends
 * for any reason. Returns a function that releases it, or undefined if another process holds it.
 * @throws an `SqliteError` if it cannot be written.
 */
export function lockFile(file: string): (() => void) | undefined {
  // SQLite's file locks work on every system, even within one process.
  const lock = new SQLite(file, { timeout: 0 });
  try {
    lock.exec('begin exclusive');
  } catch (error) {
    lock.close();
    const isBusy = error instanceof SQLite.SqliteError && error.code.startsWith('SQLITE_BUSY');
    if (isBusy) return undefined;
    throw error;
  }
  return () => {
    lock.close();
  };
}

/**
 * Gives the file to the server's user if root runs a command first. SQLite does the same for its own
 * files.
 */
function keepFolderOwner(dataDir: string, file: string): void {
  if (process.geteuid?.() !== 0 || existsSync(file)) return;
  const { uid, gid } = statSync(dataDir);
  closeSync(openSync(file, 'a', 0o600));
  chownSync(file, uid, gid);
}
