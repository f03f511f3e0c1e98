import { hasFields } from '../api/responses.ts';
import type { Platform } from '../platform.ts';
import type {
  ClientStorage,
  StorageCollection,
  StorageContent,
  StorageRecord,
} from '../client-storage.ts';
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
  /** Deletes a record if its stored content is the expected one. */
  deleteIf: (key: string, isExpected: (content: StorageContent) => boolean) => void;
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

  /** Discards the failed write of a record that has changed since, or all failed writes. */
  function discardFailed(key: string | undefined): void {
    for (const failedKey of key === undefined ? [...failed.keys()] : [key]) {
      if (failed.delete(failedKey)) unsaved.delete(failedKey);
    }
  }

  /** Reads a record, or all of the user's. */
  async function read(only?: string): Promise<void> {
    const storage = await opened;
    if (!storage) return;
    const written = new Set(unsaved.keys());
    reads.add(written);
    try {
      const found = new Map<string, StorageContent | undefined>();
      for (const key of only === undefined ? keys() : [only]) found.set(key, undefined);
      const records =
        only === undefined
          ? await storage.getAll(collection)
          : [await storage.get(collection, only)];
      for (const record of records) {
        if (record && isOwn(username, record)) found.set(record.key, unwrap(record));
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
    put: (key, content) =>
      write(key, (storage) => storage.put(collection, key, wrap(username, content))),
    replace: (key, content) => {
      // Also stores a record that could not be stored before.
      const isUnsaved = unsaved.has(key);
      void write(key, (storage) =>
        storage.update(collection, key, (before) =>
          before === undefined && !isUnsaved ? 'keep' : wrap(username, content),
        ),
      );
    },
    delete: (key) => void write(key, (storage) => storage.delete(collection, key)),
    deleteIf: (key, isExpected) =>
      void write(key, (storage) =>
        storage.update(collection, key, (before) =>
          before && isOwn(username, before) && isExpected(unwrap(before)) ? undefined : 'keep',
        ),
      ),
    refresh: async (key) => {
      if (isOpen) await read(key);
    },
    loaded: load(),
    erase: async () => {
      discardFailed(undefined);
      const storage = await opened;
      if (!storage) return;
      try {
        const own = (await storage.getAll(collection)).filter((record) => isOwn(username, record));
        await Promise.all(own.map(({ key }) => storage.delete(collection, key)));
      } catch (error) {
        logFailure(`erasing from the storage (${collection})`, error);
      }
    },
  };
}

function isOwn(username: string, { value }: StorageRecord): boolean {
  return hasFields(value, { username: (owner) => owner === username });
}

function wrap(username: string, { value, file }: StorageContent): StorageContent {
  return { value: { username, data: value }, ...(file && { file }) };
}

function unwrap({ value, file }: StorageRecord): StorageContent {
  const { data } = value as { data?: unknown };
  return { value: data, ...(file && { file }) };
}
