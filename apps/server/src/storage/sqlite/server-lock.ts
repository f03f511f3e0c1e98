import { join } from 'node:path';
import SQLite from 'better-sqlite3';
import { FolderInUseError } from '../errors.ts';

/**
 * Keeps a second server from the data folder: users would be connected to either, and get no events of
 * the other. Operator commands need no lock. The system releases it when the process ends, however it
 * does. Returns the function that releases it.
 * @throws {FolderInUseError} if another server holds it, an `SqliteError` if it cannot be written.
 */
export function lockDataFolder(dataDir: string): () => void {
  // SQLite's locks on files work on every system and in one process, too; the file stays empty.
  const lock = new SQLite(join(dataDir, 'server.lock'), { timeout: 0 });
  try {
    lock.exec('begin exclusive');
  } catch (error) {
    lock.close();
    const isBusy = error instanceof SQLite.SqliteError && error.code.startsWith('SQLITE_BUSY');
    if (!isBusy) throw error;
    throw new FolderInUseError(
      `Another server is running on ${dataDir}. Stop it first, or set PARLEY_DATA to another folder.`,
      { cause: error },
    );
  }
  return () => {
    lock.close();
  };
}
