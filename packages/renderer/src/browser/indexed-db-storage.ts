import {
  STORAGE_COLLECTIONS,
  type ClientStorage,
  type StorageChange,
  type StorageCollection,
  type StorageContent,
  type StorageRecord,
} from '@parley/client';
import { openDB, type DBSchema, type IDBPDatabase, type IDBPTransaction } from 'idb';
import { createPlainRowCodec, createEncryptedRowCodec, type StorageRow } from './storage-codec.ts';
import { openTabChannel } from './tab-channel.ts';

const DATABASE = 'parley';
const DATABASE_VERSION = 1;
/** The object store with the fingerprint of the encryption key, under `FINGERPRINT`. */
const KEY_STORE = 'key';
const FINGERPRINT = 'fingerprint';
const CHANNEL = 'parley.storage';

interface Schema extends DBSchema {
  meta: { key: StorageRow['id']; value: StorageRow };
  chats: { key: StorageRow['id']; value: StorageRow };
  rooms: { key: StorageRow['id']; value: StorageRow };
  drafts: { key: StorageRow['id']; value: StorageRow };
  outbox: { key: StorageRow['id']; value: StorageRow };
  key: { key: string; value: string };
}

type Database = IDBPDatabase<Schema>;
type WriteTransaction = IDBPTransaction<Schema, StorageCollection[], 'readwrite'>;

/** Options for opening the storage. */
export interface IndexedDbStorageOptions {
  /** Encryption key of 32 random bytes. Records encrypted with another key, or not encrypted, are erased. */
  key?: Uint8Array<ArrayBuffer> | undefined;
  /**
   * Called when a newer version of this program upgrades the database. This page can no longer use it and
   * should offer to reload.
   */
  onOutdated?: (() => void) | undefined;
  /** Whether files are stored as bytes, see `createPlainRowCodec`. Defaults to true in WebKit only. */
  shouldStoreBytes?: boolean | undefined;
}

/**
 * Opens storage in the IndexedDB of this origin.
 *
 * A write without encryption is issued before the call returns, unless it stores a file as bytes. Operations
 * run in the order of the calls, as each writing transaction covers all collections.
 * @throws if IndexedDB is missing, forbidden, broken, or upgraded by a newer version of this program
 */
export async function openIndexedDbStorage({
  key,
  onOutdated,
  shouldStoreBytes = isWebKit(),
}: IndexedDbStorageOptions = {}): Promise<ClientStorage> {
  const codec = key ? await createEncryptedRowCodec(key) : createPlainRowCodec(shouldStoreBytes);
  const listeners = new Set<(change: StorageChange) => void>();
  let isClosed = false;
  /** Undefined after the browser closed it, as WebKit does in the background. */
  let database: Database | undefined = await connect();

  async function connect(): Promise<Database> {
    const opened = await openDatabase({
      onOutdated: () => {
        isClosed = true;
        onOutdated?.();
      },
      onTerminated: () => {
        database = undefined;
      },
    });
    try {
      await eraseOtherKeys(opened, codec.fingerprint);
    } catch (error) {
      opened.close();
      throw error;
    }
    return opened;
  }

  const channel = openTabChannel(CHANNEL, (text) => {
    const change = parseChange(text);
    if (change) for (const listener of listeners) listener(change);
  });

  /** Number of operations that wait for the database, for encryption or for earlier operations. */
  let waiting = 0;
  /** Resolves once the last waiting operation has been issued. */
  let queue: Promise<void> = Promise.resolve();
  /** Settles with the last write. */
  let lastWrite: Promise<unknown> = queue;

  /**
   * Runs `issue` in the order of the calls, within the current task if nothing has to be awaited.
   * @param isOneTransaction whether later operations may be issued before this one is done
   */
  async function inOrder<P, T>(
    prepared: P | Promise<P>,
    issue: (opened: Database, prepared: P) => Promise<T>,
    isOneTransaction = true,
  ): Promise<T> {
    if (isClosed) {
      await Promise.allSettled([prepared]);
      throw new Error('the storage is closed');
    }
    const isReady = isOneTransaction && waiting === 0 && !(prepared instanceof Promise);
    if (database && isReady) return issue(database, prepared);
    const before = queue;
    const issued = Promise.all([prepared, before]).then(async ([ready]) => {
      database ??= await connect();
      const result = issue(database, ready);
      if (!isOneTransaction) await result;
      // Wrapped in an object so that the promise is not awaited here.
      return { result };
    });
    waiting += 1;
    queue = settle([issued, before]);
    return (await issued).result;
  }

  async function settle(issued: readonly Promise<unknown>[]): Promise<void> {
    await Promise.allSettled(issued);
    waiting -= 1;
  }

  function write<P>(
    changes: readonly StorageChange[],
    prepared: P | Promise<P>,
    issue: (transaction: WriteTransaction, prepared: P) => readonly Promise<unknown>[],
  ): Promise<void> {
    const written = inOrder(prepared, async (opened, ready) => {
      const transaction = opened.transaction([...STORAGE_COLLECTIONS], 'readwrite');
      const requests = issue(transaction, ready);
      transaction.commit();
      await Promise.all([...requests, transaction.done]);
      changes.forEach(notify);
    });
    lastWrite = written.catch(() => undefined);
    return written;
  }

  function notify({ collection, key: recordKey }: StorageChange): void {
    channel.post(JSON.stringify([collection, recordKey]));
  }

  /** Updates a record. Resolves to false if another tab changed the record in the meantime. */
  async function tryUpdate(
    opened: Database,
    place: { collection: StorageCollection; key: string; id: StorageRow['id'] },
    change: (before: StorageRecord | undefined) => StorageContent | 'keep' | undefined,
  ): Promise<boolean> {
    const { collection, key: recordKey, id } = place;
    const begin = (): WriteTransaction => {
      const begun = opened.transaction([...STORAGE_COLLECTIONS], 'readwrite');
      // Avoids an unhandled rejection. If the transaction fails, its requests reject as well.
      begun.done.catch(() => undefined);
      return begun;
    };
    let transaction = begin();
    const before = await transaction.objectStore(collection).get(id);
    const decoded = before && codec.decode(collection, before);
    const content = change(decoded instanceof Promise ? await decoded : decoded);
    if (content === 'keep') return true;
    const encoded = content && codec.encode(collection, recordKey, content);
    const row = encoded instanceof Promise ? await encoded : encoded;
    if (decoded instanceof Promise || encoded instanceof Promise) {
      // The transaction ended while awaiting.
      transaction = begin();
      const current = await transaction.objectStore(collection).get(id);
      if (current?.stamp !== before?.stamp) return false;
    }
    const store = transaction.objectStore(collection);
    const request = row ? store.put(row) : store.delete(id);
    transaction.commit();
    await Promise.all([request, transaction.done]);
    notify({ collection, key: recordKey });
    return true;
  }

  async function closeAfterwards(): Promise<void> {
    await queue;
    await lastWrite;
    channel.close();
    database?.close();
  }

  return {
    getAll: (collection) =>
      inOrder(undefined, async (opened) => {
        const found = await opened.getAll(collection);
        const records = await Promise.all(found.map(async (row) => codec.decode(collection, row)));
        return records.filter((record) => record !== undefined);
      }),
    get: (collection, recordKey) =>
      inOrder(codec.idOf(collection, recordKey), async (opened, id) => {
        const row = await opened.get(collection, id);
        return row && codec.decode(collection, row);
      }),
    put: (collection, recordKey, content) =>
      write(
        [{ collection, key: recordKey }],
        codec.encode(collection, recordKey, content),
        (transaction, row) => [transaction.objectStore(collection).put(row)],
      ),
    update: (collection, recordKey, change) => {
      const updateRow = async (opened: Database, id: StorageRow['id']): Promise<void> => {
        const place = { collection, key: recordKey, id };
        while (!(await tryUpdate(opened, place, change)));
      };
      const updated = inOrder(codec.idOf(collection, recordKey), updateRow, codec.isSynchronous);
      lastWrite = updated.catch(() => undefined);
      return updated;
    },
    delete: (collection, recordKey) =>
      write(
        [{ collection, key: recordKey }],
        codec.idOf(collection, recordKey),
        (transaction, id) => [transaction.objectStore(collection).delete(id)],
      ),
    clear: (collections = STORAGE_COLLECTIONS) =>
      write(
        collections.map((collection) => ({ collection, key: undefined })),
        undefined,
        (transaction) =>
          collections.map((collection) => transaction.objectStore(collection).clear()),
      ),
    onChange: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    close: () => {
      isClosed = true;
      listeners.clear();
      void closeAfterwards();
    },
  };
}

async function openDatabase(events: {
  onOutdated: () => void;
  onTerminated: () => void;
}): Promise<Database> {
  const blocked = Promise.withResolvers<never>();
  const opening = openDB<Schema>(DATABASE, DATABASE_VERSION, {
    upgrade: (opened) => {
      for (const name of STORAGE_COLLECTIONS) opened.createObjectStore(name, { keyPath: 'id' });
      opened.createObjectStore(KEY_STORE);
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

/** Erases records that were encrypted with another key, as they are unreadable. */
async function eraseOtherKeys(opened: Database, fingerprint: string | undefined): Promise<void> {
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

/**
 * Erases collections without opening the storage, which would require the key if it is encrypted.
 * @throws if IndexedDB is not available
 */
export async function clearIndexedDb(collections: readonly StorageCollection[]): Promise<void> {
  const opened = await openDatabase({ onOutdated: () => undefined, onTerminated: () => undefined });
  try {
    const transaction = opened.transaction([...collections], 'readwrite');
    await Promise.all([
      ...collections.map((name) => transaction.objectStore(name).clear()),
      transaction.done,
    ]);
  } finally {
    opened.close();
  }
}

function parseChange(text: string): StorageChange | undefined {
  const [name, key]: unknown[] = JSON.parse(text) as unknown[];
  const collection = STORAGE_COLLECTIONS.find((known) => known === name);
  if (!collection) return undefined;
  return { collection, key: typeof key === 'string' ? key : undefined };
}

/** Detects WebKit by the vendor that it reports, even on Linux. */
function isWebKit(): boolean {
  return navigator.vendor.startsWith('Apple');
}
