/** The kinds of records that a client keeps on a device. */
export type StorageCollection = 'meta' | 'chats' | 'rooms' | 'drafts' | 'outbox';

/** All collections. */
export const STORAGE_COLLECTIONS: readonly StorageCollection[] = [
  'meta',
  'chats',
  'rooms',
  'drafts',
  'outbox',
];

/** A record. Its value was written by some version of this program, or by another one: check it. */
export interface StorageRecord {
  readonly key: string;
  /** Whatever JSON can hold. */
  readonly value: unknown;
  readonly file?: Blob | undefined;
}

/** What a record becomes: a value, with or without a file. */
export type StorageContent = Omit<StorageRecord, 'key'>;

/** A change that another tab made: of one record, or of all of a collection where `key` is undefined. */
export interface StorageChange {
  readonly collection: StorageCollection;
  readonly key: string | undefined;
}

/**
 * Records that outlive the page, shared by all tabs of one origin. Every call may reject: storage can be
 * full, forbidden, or closed.
 */
export interface ClientStorage {
  /** Resolves to all records of a collection, in no particular order. */
  getAll: (collection: StorageCollection) => Promise<readonly StorageRecord[]>;
  get: (collection: StorageCollection, key: string) => Promise<StorageRecord | undefined>;
  /**
   * Creates or replaces a record. Writes happen in the order of the calls. Unencrypted storage starts to
   * write before this returns, so that a page that is closed right after loses nothing.
   */
  put: (collection: StorageCollection, key: string, content: StorageContent) => Promise<void>;
  /**
   * Replaces a record depending on what it is, atomically among all tabs.
   * @param change is called with the record as it is, more than once if another tab was faster; returns
   *   what to put, `'keep'` to leave it, or undefined to delete it
   */
  update: (
    collection: StorageCollection,
    key: string,
    change: (before: StorageRecord | undefined) => StorageContent | 'keep' | undefined,
  ) => Promise<void>;
  delete: (collection: StorageCollection, key: string) => Promise<void>;
  /** Deletes all records of these collections, or of all. */
  clear: (collections?: readonly StorageCollection[]) => Promise<void>;
  /** Calls back when another tab changed something. Returns how to stop. */
  onChange: (listener: (change: StorageChange) => void) => () => void;
  /** Ends the use of this storage; what was put is written. Later calls reject. */
  close: () => void;
}
