import { chownSync, closeSync, existsSync, openSync, statSync } from 'node:fs';
import { join } from 'node:path';
import SQLite from 'better-sqlite3';
import { FolderInUseError } from '../storage-errors.ts';

/**
 * Locks the data folder against a second server, whose users would not receive the events of the first.
 * Commands that change something without a server take the lock as well. The operating system releases
 * it when the process ends for any reason. Returns a function that releases it.
 * @throws {FolderInUseError} if another process holds it, an `SqliteError` if it cannot be written.
 */
export function lockDataFolder(dataDir: string): () => void {
  const file = join(dataDir, 'server.lock');
  keepFolderOwner(dataDir, file);
  // SQLite's file locks work on every system, even within one process. The file stays empty.
  const lock = new SQLite(file, { timeout: 0 });
  try {
    lock.exec('begin exclusive');
  } catch (error) {
    lock.close();
    const isBusy = error instanceof SQLite.SqliteError && error.code.startsWith('SQLITE_BUSY');
    throw isBusy ? new FolderInUseError(dataDir, { cause: error }) : error;
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
