import {
  STORAGE_COLLECTIONS,
  type ClientStorage,
  type StorageChange,
  type StorageCollection,
  type StorageContent,
  type StorageRecord,
} from '@parley/client';
import type { IDBPTransaction } from 'idb';
import { eraseStorageDatabase } from './erase-storage-database.ts';
import {
  openDatabaseOperations,
  openStorageDatabase,
  type StorageDatabase,
  type StorageSchema,
} from './indexed-db-operations.ts';
import {
  createPlainRowCodec,
  createEncryptedRowCodec,
  type RowCodec,
  type StorageRow,
} from './storage-codec.ts';
import { openTabChannel } from './tab-channel.ts';

const CHANNEL = 'parley.storage';

type WriteTransaction = IDBPTransaction<StorageSchema, StorageCollection[], 'readwrite'>;

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
  const operations = await openDatabaseOperations({ fingerprint: codec.fingerprint, onOutdated });
  const listeners = new Set<(change: StorageChange) => void>();
  const channel = openTabChannel(CHANNEL, (text) => {
    const change = parseChange(text);
    if (change) for (const listener of listeners) listener(change);
  });
  /** Settles with the last write. */
  let lastWrite: Promise<unknown> = Promise.resolve();

  function write<I>(
    changes: readonly StorageChange[],
    input: I | Promise<I>,
    startRequests: (transaction: WriteTransaction, input: I) => readonly Promise<unknown>[],
  ): Promise<void> {
    const written = operations.run(input, async (opened, resolvedInput) => {
      const transaction = opened.transaction([...STORAGE_COLLECTIONS], 'readwrite');
      const requests = startRequests(transaction, resolvedInput);
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

  async function closeAll(): Promise<void> {
    await operations.close(() => lastWrite);
    channel.close();
  }

  return {
    getAll: (collection) =>
      operations.run(undefined, async (opened) => {
        const found = await opened.getAll(collection);
        const records = await Promise.all(found.map(async (row) => codec.decode(collection, row)));
        return records.filter((record) => record !== undefined);
      }),
    get: (collection, recordKey) =>
      operations.run(codec.idOf(collection, recordKey), async (opened, id) => {
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
      const updated = operations.run(
        codec.idOf(collection, recordKey),
        async (opened, id) => {
          const address = { collection, key: recordKey, id };
          const hasChanged = await updateRow(opened, codec, address, change);
          if (hasChanged) notify({ collection, key: recordKey });
        },
        codec.isSynchronous,
      );
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
    erase: () => {
      const erased = operations.run(
        undefined,
        async (opened) => {
          await eraseStorageDatabase(opened);
          for (const collection of STORAGE_COLLECTIONS) notify({ collection, key: undefined });
        },
        false,
      );
      lastWrite = erased.catch(() => undefined);
      return erased;
    },
    onChange: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    close: () => {
      listeners.clear();
      void closeAll();
    },
  };
}

type RecordChange = (before: StorageRecord | undefined) => StorageContent | 'keep' | undefined;

interface RowAddress {
  readonly collection: StorageCollection;
  readonly key: string;
  readonly id: StorageRow['id'];
}

/** Updates a record. Resolves to whether it has changed. */
async function updateRow(
  opened: StorageDatabase,
  codec: RowCodec,
  address: RowAddress,
  change: RecordChange,
): Promise<boolean> {
  for (;;) {
    const outcome = await tryUpdate(opened, codec, address, change);
    if (outcome !== 'conflict') return outcome === 'changed';
  }
}

/** Updates a record unless another tab has changed the record in the meantime. */
async function tryUpdate(
  opened: StorageDatabase,
  codec: RowCodec,
  { collection, key, id }: RowAddress,
  change: RecordChange,
): Promise<'changed' | 'kept' | 'conflict'> {
  let transaction = beginWrite(opened);
  const before = await transaction.objectStore(collection).get(id);
  const decoded = before && codec.decode(collection, before);
  const content = change(decoded instanceof Promise ? await decoded : decoded);
  if (content === 'keep') return 'kept';
  const encoded = content && codec.encode(collection, key, content);
  const row = encoded instanceof Promise ? await encoded : encoded;
  if (decoded instanceof Promise || encoded instanceof Promise) {
    // The transaction ended while awaiting.
    transaction = beginWrite(opened);
    const current = await transaction.objectStore(collection).get(id);
    if (current?.stamp !== before?.stamp) return 'conflict';
  }
  const store = transaction.objectStore(collection);
  const request = row ? store.put(row) : store.delete(id);
  transaction.commit();
  await Promise.all([request, transaction.done]);
  return 'changed';
}

function beginWrite(opened: StorageDatabase): WriteTransaction {
  const begun = opened.transaction([...STORAGE_COLLECTIONS], 'readwrite');
  // Avoids an unhandled rejection. If the transaction fails, its requests reject as well.
  begun.done.catch(() => undefined);
  return begun;
}

/**
 * Erases collections without opening the storage, which would require the key if it is encrypted.
 * @throws if IndexedDB is not available
 */
export async function clearIndexedDb(collections: readonly StorageCollection[]): Promise<void> {
  const opened = await openStorageDatabase({
    onOutdated: () => undefined,
    onTerminated: () => undefined,
  });
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
