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
 * A collection of the storage behind a store. The store is what a tab shows; the collection is written
 * behind it, read once it is open, and read again when another tab changed it.
 */
export interface StoredCollection {
  /** Creates or replaces a record. Resolves to whether the storage keeps it. */
  put: (key: string, content: StorageContent) => Promise<boolean>;
  /** Replaces a record unless another tab has deleted it. */
  replace: (key: string, content: StorageContent) => void;
  delete: (key: string) => void;
  /** Reads a record again. Resolves at once while the storage is not open. */
  refresh: (key: string) => Promise<void>;
  /** Resolves once the records are read for the first time; it may never. */
  readonly loaded: Promise<void>;
  /** Deletes the user's records. */
  erase: () => Promise<void>;
}

interface StoredCollectionDeps {
  opened: OpenedStorage;
  collection: StorageCollection;
  /** Whose records they are: those of other users are left alone. */
  username: string;
  /** Returns the keys that the store has. */
  keys: () => readonly string[];
  /** Brings what was read into the store; undefined for a record that is gone. */
  apply: (read: ReadonlyMap<string, StorageContent | undefined>) => void;
  logFailure: Platform['logFailure'];
}

/** Puts a store's collection to use. What the storage does not keep stays in the store's memory. */
export function createStoredCollection(deps: StoredCollectionDeps): StoredCollection {
  const { opened, collection, username, keys, apply, logFailure } = deps;
  /** Records that the storage does not have as the store has them, yet or at all. */
  const unsaved = new Map<string, symbol>();
  /** What was written since each read that is under way began: the read may not know it. */
  const reads = new Set<Set<string>>();
  let isOpen = false;

  const isOwn = ({ value }: Pick<StorageRecord, 'value'>): boolean =>
    hasFields(value, { username: (owner) => owner === username });

  const wrap = ({ value, file }: StorageContent): StorageContent => ({
    value: { username, data: value },
    ...(file && { file }),
  });

  async function write(
    key: string,
    change: (storage: ClientStorage) => Promise<void>,
  ): Promise<boolean> {
    const token = Symbol(key);
    unsaved.set(key, token);
    for (const written of reads) written.add(key);
    try {
      const storage = await opened;
      if (!storage) return false;
      await change(storage);
    } catch (error) {
      logFailure(`writing to the storage (${collection})`, error);
      return false;
    }
    if (unsaved.get(key) === token) unsaved.delete(key);
    return true;
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
      if (change.collection === collection) void read(change.key);
    });
    isOpen = true;
    await read();
  }

  return {
    put: (key, content) => write(key, (storage) => storage.put(collection, key, wrap(content))),
    replace: (key, content) => {
      // What was never kept is kept now, if that is possible again.
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
