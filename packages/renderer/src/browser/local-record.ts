import { createStoredRecord, type StoredRecord, type TextStorage } from '@parley/client';

/** This browser's storage. Reading the global may throw already, so each call does it anew. */
export const browserStorage: TextStorage = {
  getItem: (key) => localStorage.getItem(key),
  setItem: (key, value) => localStorage.setItem(key, value),
  removeItem: (key) => localStorage.removeItem(key),
  onChange: (listener) => {
    const listening = new AbortController();
    const { signal } = listening;
    window.addEventListener('storage', ({ key }) => listener(key), { signal });
    return () => listening.abort();
  },
};

/** Opens a JSON value that this browser keeps under one key. */
export function localRecord<T>(
  key: string,
  empty: T,
  parse: (value: unknown) => T | undefined,
): StoredRecord<T> {
  return createStoredRecord(browserStorage, key, empty, parse);
}
