import { createStoredRecord, type StoredRecord, type TextStorage } from '@parley/client';

/** The browser's local storage. Each call reads the global, as even that may throw. */
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

/** Opens a JSON value in the browser's local storage. */
export function localRecord<T>(
  key: string,
  empty: T,
  parse: (value: unknown) => T | undefined,
): StoredRecord<T> {
  return createStoredRecord(browserStorage, key, empty, parse);
}
