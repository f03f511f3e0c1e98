import {
  createMemoryLocks,
  createMemoryStorage,
  createMemoryStorageArea,
  type ClientStorage,
  type Platform,
  type StorageCollection,
} from '../../../src/index.ts';

/** The parts of a browser that one load of a page uses. */
export interface Page {
  readonly platform: Pick<Platform, 'storage' | 'locks' | 'openStorage'>;
  /** Returns whether an outbox entry of this page is stored: no call to store it has failed. */
  readonly isStored: (clientId: string) => boolean;
}

/** The locks and the storage that a browser's tabs share. Tests can make the storage fail. */
export class Browser {
  readonly #area = createMemoryStorageArea();
  readonly #shared = { storage: createMemoryStorage(), locks: createMemoryLocks() };
  /** Outbox entries that the storage failed to store. */
  readonly #unstored = new Set<string>();
  #failures = 0;
  #hasFailed = false;

  /** Whether any call of the storage has failed. */
  get hasFailed(): boolean {
    return this.#hasFailed;
  }

  /** Makes the next calls of the storage fail. */
  failStorage(count: number): void {
    this.#failures = count;
  }

  /** Makes the storage work again. */
  repairStorage(): void {
    this.#failures = 0;
  }

  /** Resolves to everything stored about chats. */
  async readAll(): Promise<string> {
    const storage = this.#area.open();
    const found = await Promise.all(
      (['chats', 'rooms', 'drafts', 'outbox', 'intents'] as const).map((each) =>
        storage.getAll(each),
      ),
    );
    storage.close();
    return JSON.stringify(found);
  }

  /** Starts a load of a page. */
  loadPage(): Page {
    // A page that cannot read the owner of the storage keeps everything in memory.
    let isInMemory = false;
    const setInMemory = (): void => {
      isInMemory = true;
    };
    return {
      isStored: (clientId) => !isInMemory && !this.#unstored.has(clientId),
      platform: {
        ...this.#shared,
        openStorage: async () => {
          this.#failIfDue(setInMemory);
          return this.#createFaultyStorage(this.#area.open(), setInMemory);
        },
      },
    };
  }

  #failIfDue(onFailure?: () => void): void {
    if (this.#failures === 0) return;
    this.#failures -= 1;
    this.#hasFailed = true;
    onFailure?.();
    throw new Error('the storage failed');
  }

  #createFaultyStorage(storage: ClientStorage, onMetaFailure: () => void): ClientStorage {
    const failIfDue = (collection: StorageCollection, key?: string, isPut = false): void =>
      this.#failIfDue(() => {
        if (collection === 'meta') onMetaFailure();
        if (collection === 'outbox' && key !== undefined && isPut) this.#unstored.add(key);
      });
    return {
      ...storage,
      getAll: async (collection) => {
        failIfDue(collection);
        return storage.getAll(collection);
      },
      get: async (collection, key) => {
        failIfDue(collection);
        return storage.get(collection, key);
      },
      put: async (collection, key, content) => {
        failIfDue(collection, key, true);
        await storage.put(collection, key, content);
        this.#unstored.delete(key);
      },
      update: async (collection, key, change) => {
        failIfDue(collection);
        await storage.update(collection, key, (before) => {
          const content = change(before);
          if (content !== 'keep') this.#unstored.delete(key);
          return content;
        });
      },
      delete: async (collection, key) => {
        failIfDue(collection);
        await storage.delete(collection, key);
      },
    };
  }
}
