/** The collections of records that a client stores on a device. Earlier versions stored changes in `intents`. */
export const STORAGE_COLLECTIONS = [
  'meta',
  'chats',
  'rooms',
  'drafts',
  'outbox',
  'intents',
] as const;
/** One of these collections. */
export type StorageCollection = (typeof STORAGE_COLLECTIONS)[number];

/**
 * A record. Another version of the app or another program may have written its value, so it must be
 * validated.
 */
export interface StorageRecord {
  readonly key: string;
  /** Any JSON value. */
  readonly value: unknown;
  readonly file?: Blob | undefined;
}

/** The content of a record: a value with an optional file. */
export type StorageContent = Omit<StorageRecord, 'key'>;

/** A change by another tab: of a record, or of a whole collection if `key` is undefined. */
export interface StorageChange {
  readonly collection: StorageCollection;
  readonly key: string | undefined;
}

/**
 * Records that outlive the page, shared by all tabs of an origin. Every call may reject, as storage
 * can be full, forbidden, or closed.
 */
export interface ClientStorage {
  /** Returns all records of a collection in no particular order. */
  getAll: (collection: StorageCollection) => Promise<readonly StorageRecord[]>;
  get: (collection: StorageCollection, key: string) => Promise<StorageRecord | undefined>;
  /**
   * Creates or replaces a record. Writes are carried out in call order. Unencrypted storage starts
   * writing before this returns, because a page that is closed right after runs no more code.
   */
  put: (collection: StorageCollection, key: string, content: StorageContent) => Promise<void>;
  /**
   * Replaces a record depending on its current content, atomically across tabs.
   * @param change is called with the current record, repeatedly if another tab changes it in the
   *   meantime. Returns the new content, `'keep'` to leave the record unchanged, or undefined to
   *   delete it.
   */
  update: (
    collection: StorageCollection,
    key: string,
    change: (before: StorageRecord | undefined) => StorageContent | 'keep' | undefined,
  ) => Promise<void>;
  delete: (collection: StorageCollection, key: string) => Promise<void>;
  /** Deletes all records of the given collections, by default of all. */
  clear: (collections?: readonly StorageCollection[]) => Promise<void>;
  /**
   * Deletes all records, and overwrites what is left of them on the disk as far as the environment
   * allows. Takes longer than `clear`.
   */
  erase: () => Promise<void>;
  /** Calls `listener` when another tab changed records. Returns an unsubscribe function. */
  onChange: (listener: (change: StorageChange) => void) => () => void;
  /** Closes the storage. Earlier writes are completed and later calls reject. */
  close: () => void;
}
