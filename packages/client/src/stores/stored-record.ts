import type { TextStorage } from '../platform.ts';

/** A JSON value kept in storage under one key. */
export interface StoredRecord<T> {
  read: () => T;
  /** Returns whether it is kept. */
  write: (value: T) => boolean;
  remove: () => void;
}

/**
 * Opens a record. What `parse` does not accept, and storage that keeps nothing, read as `empty`;
 * storage that is full or forbidden loses the copy, never the value in memory.
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
        // Nothing was kept.
      }
    },
  };
}
