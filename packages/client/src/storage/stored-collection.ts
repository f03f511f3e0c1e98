import { hasFields } from '../api/responses.ts';
import type { Platform } from '../platform.ts';
import type {
  ClientStorage,
  StorageCollection,
  StorageContent,
  StorageRecord,
} from './client-storage.ts';
import type { OpenedStorage } from './open-storage.ts';

/**
 * The persistence of a tab's store in a collection of the storage. The store is loaded once the
 * storage is open, and updated when another tab changes the collection.
 */
export interface StoredCollection {
  /** Creates or replaces a record. Resolves to whether it was stored. */
  put: (key: string, content: StorageContent) => Promise<boolean>;
  /** Replaces a record unless another tab has deleted it. */
  replace: (key: string, content: StorageContent) => void;
  delete: (key: string) => void;
  /** Rereads a record. Resolves immediately while the storage is not open. */
  refresh: (key: string) => Promise<void>;
  /** Resolves once the records were loaded. May stay pending forever. */
  readonly loaded: Promise<void>;
  /** Deletes the user's records. */
  erase: () => Promise<void>;
}

interface StoredCollectionDeps {
  opened: OpenedStorage;
  collection: StorageCollection;
  /** The owner of the records. The records of other users are ignored. */
  username: string;
  /** Returns the keys in the store. */
  keys: () => readonly string[];
  /** Applies loaded records to the store. The content of a deleted record is undefined. */
  apply: (read: ReadonlyMap<string, StorageContent | undefined>) => void;
  logFailure: Platform['logFailure'];
}

/** One write of a record. */
type Write = (storage: ClientStorage) => Promise<void>;

/** Creates the collection of a store. Records that cannot be stored stay in memory. */
export function createStoredCollection(deps: StoredCollectionDeps): StoredCollection {
  const { opened, collection, username, keys, apply, logFailure } = deps;
  /** Keys of records whose current state is not stored yet or could not be stored. */
  const unsaved = new Map<string, symbol>();
  /** The last write of each record if it failed, to retry it after the next successful one. */
  const failed = new Map<string, Write>();
  /** For each running read, the keys written since it started, which it may have missed. */
  const reads = new Set<Set<string>>();
  let isOpen = false;

  const isOwn = ({ value }: Pick<StorageRecord, 'value'>): boolean =>
    hasFields(value, { username: (owner) => owner === username });

  const wrap = ({ value, file }: StorageContent): StorageContent => ({
    value: { username, data: value },
    ...(file && { file }),
  });

  async function write(key: string, change: Write): Promise<boolean> {
    const token = Symbol(key);
    unsaved.set(key, token);
    failed.delete(key);
    for (const written of reads) written.add(key);
    try {
      const storage = await opened;
      if (!storage) return false;
      await change(storage);
    } catch (error) {
      if (unsaved.get(key) === token) failed.set(key, change);
      logFailure(`writing to the storage (${collection})`, error);
      return false;
    }
    if (unsaved.get(key) === token) unsaved.delete(key);
    for (const [failedKey, failedChange] of failed) void write(failedKey, failedChange);
    return true;
  }

  /** Discards the failed write of a record, or of all records, which a newer change replaces. */
  function discardFailed(key: string | undefined): void {
    for (const failedKey of key === undefined ? [...failed.keys()] : [key]) {
      if (failed.delete(failedKey)) unsaved.delete(failedKey);
    }
  }

  async function read(only?: string): Promise<void> {
    const storage = await opened;
    if (!storage) return;
    const written = new Set(unsaved.keys());
    reads.add(written);
    try {
      const found = new Map<string, StorageContent | undefined>();
      if (only === undefined) {
        for (const key of keys()) found.set(key, undefined);
        for (const record of await storage.getAll(collection)) {
          if (isOwn(record)) found.set(record.key, unwrap(record));
        }
      } else {
        const record = await storage.get(collection, only);
        found.set(only, record && isOwn(record) ? unwrap(record) : undefined);
      }
      for (const key of written) found.delete(key);
      if (found.size > 0) apply(found);
    } catch (error) {
      logFailure(`reading the storage (${collection})`, error);
    } finally {
      reads.delete(written);
    }
  }

  async function load(): Promise<void> {
    const storage = await opened;
    storage?.onChange((change) => {
      if (change.collection !== collection) return;
      discardFailed(change.key);
      void read(change.key);
    });
    isOpen = true;
    await read();
  }

  return {
    put: (key, content) => write(key, (storage) => storage.put(collection, key, wrap(content))),
    replace: (key, content) => {
      // Also stores a record that could not be stored before.
      const isUnsaved = unsaved.has(key);
      void write(key, (storage) =>
        storage.update(collection, key, (before) =>
          before === undefined && !isUnsaved ? 'keep' : wrap(content),
        ),
      );
    },
    delete: (key) => void write(key, (storage) => storage.delete(collection, key)),
    refresh: async (key) => {
      if (isOpen) await read(key);
    },
    loaded: load(),
    erase: async () => {
      discardFailed(undefined);
      const storage = await opened;
      if (!storage) return;
      try {
        const own = (await storage.getAll(collection)).filter(isOwn);
        await Promise.all(own.map(({ key }) => storage.delete(collection, key)));
      } catch (error) {
        logFailure(`erasing from the storage (${collection})`, error);
      }
    },
  };
}

function unwrap({ value, file }: StorageRecord): StorageContent {
  const fields = typeof value === 'object' && value !== null ? Object.entries(value) : [];
  return { value: new Map(fields).get('data'), ...(file && { file }) };
}
