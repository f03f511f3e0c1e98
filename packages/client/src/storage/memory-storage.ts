import {
  STORAGE_COLLECTIONS,
  type ClientStorage,
  type StorageChange,
  type StorageCollection,
  type StorageContent,
  type StorageRecord,
} from '../client-storage.ts';

/** Records in memory. Storages opened from the same area act as tabs of one browser. */
export interface MemoryStorageArea {
  open: () => ClientStorage;
}

type Listener = (change: StorageChange) => void;
type Records = Record<StorageCollection, Map<string, StorageRecord>>;

/** Creates an empty area. */
export function createMemoryStorageArea(): MemoryStorageArea {
  const records = Object.fromEntries(
    STORAGE_COLLECTIONS.map((collection) => [collection, new Map()]),
  ) as Records;
  /** The listeners of each open storage. */
  const tabs = new Map<ClientStorage, Set<Listener>>();

  function open(): ClientStorage {
    const listeners = new Set<Listener>();
    const recordsOf = (collection: StorageCollection): Map<string, StorageRecord> => {
      if (!tabs.has(storage)) throw new Error('the storage is closed');
      return records[collection];
    };
    // As in a browser, the other tabs are notified asynchronously.
    const notify = (change: StorageChange): void => {
      for (const [tab, theirs] of tabs) {
        if (tab !== storage) queueMicrotask(() => theirs.forEach((listener) => listener(change)));
      }
    };
    /** Sets a record, or deletes it if there is no content. */
    const set = (collection: StorageCollection, key: string, content?: StorageContent): void => {
      const all = recordsOf(collection);
      if (content) {
        const { value, file } = content;
        all.set(key, structuredClone({ key, value, file }));
      } else if (!all.delete(key)) {
        return;
      }
      notify({ collection, key });
    };
    // As in a browser, copies are stored and returned.
    const storage: ClientStorage = {
      getAll: async (collection) => structuredClone([...recordsOf(collection).values()]),
      get: async (collection, key) => structuredClone(recordsOf(collection).get(key)),
      put: async (...record) => set(...record),
      update: async (collection, key, change) => {
        const content = change(structuredClone(recordsOf(collection).get(key)));
        if (content !== 'keep') set(collection, key, content);
      },
      delete: async (collection, key) => set(collection, key),
      clear: async (collections = STORAGE_COLLECTIONS) => {
        for (const collection of collections) {
          recordsOf(collection).clear();
          notify({ collection, key: undefined });
        }
      },
      erase: () => storage.clear(),
      onChange: (listener) => {
        listeners.add(listener);
        return () => listeners.delete(listener);
      },
      close: () => tabs.delete(storage),
    };
    tabs.set(storage, listeners);
    return storage;
  }

  return { open };
}
