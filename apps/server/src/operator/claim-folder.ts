import { setTimeout as sleep } from 'node:timers/promises';
import { FolderInUseError } from '../storage/storage-errors.ts';
import { lockDataFolder } from '../storage/open.ts';
import { findServer, type ListeningServer } from './operator-client.ts';

/** Milliseconds to wait for a process that is starting, stopping or about to release the folder. */
const TIMEOUT = 10_000;
/** Milliseconds between attempts. */
const INTERVAL = 20;

/** Either this process owns the data folder until it calls `unlock`, or a server does. */
export type Claim = { readonly unlock: () => void } | { readonly server: ListeningServer };

/**
 * Takes the lock of a data folder, or finds the server that holds it. Tries the lock first, so that
 * a stale socket is never used.
 * @throws {FolderInUseError} if a process holds the lock but does not accept commands, a file system
 * error or an `SqliteError` if this user has no access to the folder.
 */
export async function claimFolder(dataDir: string, timeout = TIMEOUT): Promise<Claim> {
  const end = performance.now() + timeout;
  for (;;) {
    try {
      return { unlock: lockDataFolder(dataDir) };
    } catch (error) {
      if (!(error instanceof FolderInUseError)) throw error;
      const server = await findServer(dataDir);
      if (server !== undefined) return { server };
      if (performance.now() >= end) throw error;
    }
    await sleep(INTERVAL);
  }
}
