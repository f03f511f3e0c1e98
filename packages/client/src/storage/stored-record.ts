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
    read: () =>
      tryTo(() => {
        const text = storage.getItem(key);
        return text === null ? empty : (parse(JSON.parse(text)) ?? empty);
      }, empty),
    write: (value) =>
      tryTo(() => {
        storage.setItem(key, JSON.stringify(value));
        return true;
      }, false),
    remove: () => tryTo(() => storage.removeItem(key), undefined),
  };
}

function tryTo<T>(act: () => T, fallback: T): T {
  try {
    return act();
  } catch {
    return fallback;
  }
}
