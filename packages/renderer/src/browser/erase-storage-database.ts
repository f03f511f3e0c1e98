import { STORAGE_COLLECTIONS } from '@parley/client';
import { deleteDB } from 'idb';
import {
  STORAGE_DATABASE,
  openStorageDatabase,
  type StorageDatabase,
} from './indexed-db-operations.ts';

/** More than LevelDB keeps in its log before it moves the log into a table. Bytes. */
const FILL_SIZE = 5 * 1024 * 1024;
/** Chromium stores larger values as files of their own. Bytes. */
const FILL_RECORD_SIZE = 32 * 1024;

/**
 * Deletes the database with what deleted records have left on the disk. Other connections to it are closed.
 *
 * Chromium only appends to a log (LevelDB). It drops old values when it deletes a database, but only those in tables,
 * so the log is filled up first. It keeps the old tables until it writes the next one, so an empty database is created
 * and deleted after it. Other browsers have a file for each database (SQLite), which they delete.
 */
export async function eraseStorageDatabase(opened: StorageDatabase): Promise<void> {
  await clearAll(opened);
  // Without space on the disk, deleting the database is all that can be done.
  await fillLog(opened).catch(() => undefined);
  if (!(await deleteStorageDatabase())) return;
  const empty = await openStorageDatabase({
    onOutdated: () => undefined,
    onTerminated: () => undefined,
  });
  empty.close();
  await deleteStorageDatabase();
}

async function clearAll(opened: StorageDatabase): Promise<void> {
  const transaction = opened.transaction([...STORAGE_COLLECTIONS], 'readwrite');
  await Promise.all([
    ...STORAGE_COLLECTIONS.map((name) => transaction.objectStore(name).clear()),
    transaction.done,
  ]);
}

async function fillLog(opened: StorageDatabase): Promise<void> {
  const transaction = opened.transaction('rooms', 'readwrite');
  const requests: Promise<unknown>[] = [transaction.done];
  for (let at = 0; at < FILL_SIZE; at += FILL_RECORD_SIZE) {
    // Random, as it would be compressed otherwise.
    const value = crypto.getRandomValues(new Uint8Array(FILL_RECORD_SIZE));
    const row = { id: `fill ${at}`, stamp: '', value };
    requests.push(transaction.store.put(row));
  }
  await Promise.all(requests);
}

/**
 * Deletes the database. Resolves to false if a tab keeps it open, after which the browser deletes it as soon as that tab
 * closes it.
 */
function deleteStorageDatabase(): Promise<boolean> {
  return new Promise((resolve, reject) => {
    deleteDB(STORAGE_DATABASE, { blocked: () => resolve(false) }).then(() => resolve(true), reject);
  });
}
