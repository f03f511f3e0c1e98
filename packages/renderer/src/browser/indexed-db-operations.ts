import { STORAGE_COLLECTIONS } from '@parley/client';
import { openDB, type DBSchema, type IDBPDatabase } from 'idb';
import type { StorageRow } from './storage-codec.ts';

/** Name of the database. */
export const STORAGE_DATABASE = 'parley';
/** 2 added the collection `intents`. */
const DATABASE_VERSION = 2;
/** The object store with the fingerprint of the encryption key, under `FINGERPRINT`. */
const KEY_STORE = 'key';
const FINGERPRINT = 'fingerprint';

/** The object stores: one for each collection, and the fingerprint of the encryption key. */
export interface StorageSchema extends DBSchema {
  meta: { key: StorageRow['id']; value: StorageRow };
  chats: { key: StorageRow['id']; value: StorageRow };
  rooms: { key: StorageRow['id']; value: StorageRow };
  drafts: { key: StorageRow['id']; value: StorageRow };
  outbox: { key: StorageRow['id']; value: StorageRow };
  intents: { key: StorageRow['id']; value: StorageRow };
  key: { key: string; value: string };
}

/** An open connection to the database. */
export type StorageDatabase = IDBPDatabase<StorageSchema>;

interface DatabaseEvents {
  /** Called when a newer version of this program upgrades the database. */
  onOutdated: () => void;
  /** Called when the database was deleted or the browser closed the connection. */
  onTerminated: () => void;
}

/** Runs operations on the database in the order of the calls. */
export interface DatabaseOperations {
  /**
   * Runs an operation in the order of the calls, within the current task if nothing has to be awaited.
   * @param input the operation's input or a promise of it, such as an encrypted row
   * @param operation uses the database and the resolved input
   * @param isOneTransaction whether the operation uses a single transaction, so that later operations need not
   * wait for its end
   */
  run: <I, T>(
    input: I | Promise<I>,
    operation: (opened: StorageDatabase, input: I) => Promise<T>,
    isOneTransaction?: boolean,
  ) => Promise<T>;
  /**
   * Rejects further operations. Closes the connection after those that are running.
   * @param getLastWrite returns a promise that settles with the last write
   */
  close: (getLastWrite: () => Promise<unknown>) => Promise<void>;
}

interface OperationsOptions {
  /** Identifies the encryption key. Records encrypted with another key are erased. */
  fingerprint: string | undefined;
  onOutdated: (() => void) | undefined;
}

/**
 * Connects to the database. Connects again after the browser has closed the connection, as WebKit does in the
 * background.
 * @throws if the database cannot be opened
 */
export async function openDatabaseOperations({
  fingerprint,
  onOutdated,
}: OperationsOptions): Promise<DatabaseOperations> {
  let isClosed = false;
  /** Undefined after the browser has closed the connection. */
  let database: StorageDatabase | undefined;
  /** Number of operations that wait for the database, for encryption or for earlier operations. */
  let waiting = 0;
  /** Resolves once the last waiting operation has started. */
  let queue: Promise<void> = Promise.resolve();

  async function connect(): Promise<StorageDatabase> {
    let isTerminated = false;
    const opened = await openStorageDatabase({
      onOutdated: () => {
        isClosed = true;
        onOutdated?.();
      },
      onTerminated: () => {
        isTerminated = true;
        database = undefined;
      },
    });
    try {
      await eraseUnreadableRecords(opened, fingerprint);
    } catch (error) {
      opened.close();
      if (!isTerminated) throw error;
    }
    return isTerminated ? connect() : opened;
  }

  database = await connect();

  async function finishAfter(pending: readonly Promise<unknown>[]): Promise<void> {
    await Promise.allSettled(pending);
    waiting -= 1;
  }

  return {
    run: async (input, operation, isOneTransaction = true) => {
      if (isClosed) {
        await Promise.allSettled([input]);
        throw new Error('the storage is closed');
      }
      const isReady = isOneTransaction && waiting === 0 && !(input instanceof Promise);
      if (database && isReady) return operation(database, input);
      const previous = queue;
      const started = Promise.all([input, previous]).then(async ([resolvedInput]) => {
        database ??= await connect();
        const result = operation(database, resolvedInput);
        if (!isOneTransaction) await result;
        // Wrapped in an object so that the promise is not awaited here.
        return { result };
      });
      waiting += 1;
      queue = finishAfter([started, previous]);
      return (await started).result;
    },
    close: async (getLastWrite) => {
      isClosed = true;
      await queue;
      await getLastWrite();
      database?.close();
    },
  };
}

/**
 * Opens the database, and creates it if necessary.
 * @throws if IndexedDB is missing, forbidden, broken, or upgraded by a newer version of this program
 */
export async function openStorageDatabase(events: DatabaseEvents): Promise<StorageDatabase> {
  const blocked = Promise.withResolvers<never>();
  const opening = openDB<StorageSchema>(STORAGE_DATABASE, DATABASE_VERSION, {
    upgrade: (opened) => {
      const known = opened.objectStoreNames;
      for (const name of STORAGE_COLLECTIONS) {
        if (!known.contains(name)) opened.createObjectStore(name, { keyPath: 'id' });
      }
      if (!known.contains(KEY_STORE)) opened.createObjectStore(KEY_STORE);
    },
    blocked: () => blocked.reject(new Error('another tab uses an older version of the storage')),
    blocking: (_version, newVersion, { target }) => {
      if (target instanceof IDBDatabase) target.close();
      // After a deletion, the next operation opens a new database.
      if (newVersion === null) events.onTerminated();
      else events.onOutdated();
    },
    terminated: events.onTerminated,
  });
  try {
    return await Promise.race([opening, blocked.promise]);
  } catch (error) {
    opening.then((late) => late.close()).catch(() => undefined);
    if (error instanceof DOMException && error.name === 'VersionError') events.onOutdated();
    throw error;
  }
}

/** Erases all records if they were encrypted with another key, and stores the new fingerprint. */
async function eraseUnreadableRecords(
  opened: StorageDatabase,
  fingerprint: string | undefined,
): Promise<void> {
  if ((await opened.get(KEY_STORE, FINGERPRINT)) === fingerprint) return;
  const names = [...STORAGE_COLLECTIONS, KEY_STORE] as const;
  const transaction = opened.transaction(names, 'readwrite');
  const keys = transaction.objectStore(KEY_STORE);
  await Promise.all([
    ...STORAGE_COLLECTIONS.map((name) => transaction.objectStore(name).clear()),
    keys.clear(),
    ...(fingerprint === undefined ? [] : [keys.put(fingerprint, FINGERPRINT)]),
    transaction.done,
  ]);
}
