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

/** Creates an empty area. */
export function createMemoryStorageArea(): MemoryStorageArea {
  const records = new Map<StorageCollection, Map<string, StorageRecord>>(
    STORAGE_COLLECTIONS.map((collection) => [collection, new Map()]),
  );
  const tabs = new Map<ClientStorage, Set<Listener>>();

  const recordsOf = (collection: StorageCollection): Map<string, StorageRecord> => {
    const found = records.get(collection);
    if (!found) throw new Error(`unknown collection ${collection}`);
    return found;
  };

  function open(): ClientStorage {
    const listeners = new Set<Listener>();
    let isClosed = false;

    // As in a browser, the other tabs are notified asynchronously.
    const notify = (change: StorageChange): void => {
      for (const [tab, theirs] of tabs) {
        if (tab !== storage) queueMicrotask(() => theirs.forEach((listener) => listener(change)));
      }
    };
    const checkOpen = (): void => {
      if (isClosed) throw new Error('the storage is closed');
    };
    const set = (collection: StorageCollection, key: string, content: StorageContent): void => {
      const { value, file } = content;
      recordsOf(collection).set(key, {
        key,
        // As in a browser, a copy of the value is stored.
        value: structuredClone(value),
        ...(file && { file }),
      });
      notify({ collection, key });
    };
    const remove = (collection: StorageCollection, key: string): void => {
      if (recordsOf(collection).delete(key)) notify({ collection, key });
    };
    const copyOf = ({ key, value, file }: StorageRecord): StorageRecord => ({
      key,
      value: structuredClone(value),
      ...(file && { file }),
    });

    const storage: ClientStorage = {
      getAll: async (collection) => {
        checkOpen();
        return [...recordsOf(collection).values()].map(copyOf);
      },
      get: async (collection, key) => {
        checkOpen();
        const record = recordsOf(collection).get(key);
        return record && copyOf(record);
      },
      put: async (collection, key, content) => {
        checkOpen();
        set(collection, key, content);
      },
      update: async (collection, key, change) => {
        checkOpen();
        const record = recordsOf(collection).get(key);
        const content = change(record && copyOf(record));
        if (content === 'keep') return;
        if (content) set(collection, key, content);
        else remove(collection, key);
      },
      delete: async (collection, key) => {
        checkOpen();
        remove(collection, key);
      },
      clear: async (collections = STORAGE_COLLECTIONS) => {
        checkOpen();
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
      close: () => {
        isClosed = true;
        tabs.delete(storage);
      },
    };
    tabs.set(storage, listeners);
    return storage;
  }

  return { open };
}
