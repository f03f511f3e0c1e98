import type { TextStorage } from '../platform.ts';

/** A JSON value stored under a key. */
export interface StoredRecord<T> {
  read: () => T;
  /** Returns whether the value was stored. */
  write: (value: T) => boolean;
  remove: () => void;
}

/**
 * Creates a record. It reads as `empty` if nothing is stored, `parse` rejects the value, or the
 * storage fails.
 */
export function createStoredRecord<T>(
  storage: Pick<TextStorage, 'getItem' | 'setItem' | 'removeItem'>,
  key: string,
  empty: T,
  parse: (value: unknown) => T | undefined,
): StoredRecord<T> {
  return {
    read: () => {
      try {
        const text = storage.getItem(key);
        return text === null ? empty : (parse(JSON.parse(text)) ?? empty);
      } catch {
        return empty;
      }
    },
    write: (value) => {
      try {
        storage.setItem(key, JSON.stringify(value));
        return true;
      } catch {
        return false;
      }
    },
    remove: () => {
      try {
        storage.removeItem(key);
      } catch {
        // Nothing is stored.
      }
    },
  };
}
