import { STORAGE_COLLECTIONS } from '@parley/client';
import { deleteDB } from 'idb';
import {
  STORAGE_DATABASE,
  openStorageDatabase,
  type StorageDatabase,
} from './indexed-db-operations.ts';

/** More than twice what LevelDB keeps in its log, so that the first table is complete. Bytes. */
const FILL_SIZE = 10 * 1024 * 1024;
const FILL_TRANSACTION_SIZE = 512 * 1024;
/** How long nothing is written before and after a deletion. Milliseconds. */
const PAUSE_MS = 500;
/** Chromium stores larger values as files of their own. Bytes. */
const FILL_RECORD_SIZE = 32 * 1024;

/**
 * Deletes the database with what deleted records have left on the disk. Other connections to it are closed.
 *
 * Chromium only appends to a log (LevelDB). After it has deleted a database, it drops the old values in the background,
 * but only from tables, so the log is filled up first. It keeps the old tables until it writes the next one and uses
 * them no longer, so empty databases are created and deleted afterwards. While it works, nothing else may be written, or
 * it may skip a table. Other browsers have a file for each database (SQLite), which they delete.
 */
export async function eraseStorageDatabase(opened: StorageDatabase): Promise<void> {
  await clearAll(opened);
  // Without space on the disk, deleting the database is all that can be done.
  await fillLog(opened).catch(() => undefined);
  await pause();
  await deleteDB(STORAGE_DATABASE);
  for (let round = 0; round < 2; round += 1) {
    await pause();
    const empty = await openStorageDatabase({
      onOutdated: () => undefined,
      onTerminated: () => undefined,
    });
    empty.close();
    await deleteDB(STORAGE_DATABASE);
  }
}

async function clearAll(opened: StorageDatabase): Promise<void> {
  const transaction = opened.transaction([...STORAGE_COLLECTIONS], 'readwrite');
  await Promise.all([
    ...STORAGE_COLLECTIONS.map((name) => transaction.objectStore(name).clear()),
    transaction.done,
  ]);
}

async function fillLog(opened: StorageDatabase): Promise<void> {
  for (let filled = 0; filled < FILL_SIZE; filled += FILL_TRANSACTION_SIZE) {
    const transaction = opened.transaction('rooms', 'readwrite');
    const requests: Promise<unknown>[] = [transaction.done];
    for (let at = 0; at < FILL_TRANSACTION_SIZE; at += FILL_RECORD_SIZE) {
      // Random, as it would be compressed otherwise.
      const value = crypto.getRandomValues(new Uint8Array(FILL_RECORD_SIZE)).buffer;
      const row = { id: `fill ${filled + at}`, stamp: '', value };
      requests.push(transaction.store.put(row));
    }
    await Promise.all(requests);
  }
}

/** Lets the browser finish what it does in the background. */
function pause(): Promise<void> {
  return new Promise((resolve) => {
    AbortSignal.timeout(PAUSE_MS).addEventListener('abort', () => resolve(), { once: true });
  });
}
