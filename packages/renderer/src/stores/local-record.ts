/** A JSON value kept in the browser's storage under one key. */
export interface LocalRecord<T> {
  read: () => T;
  /** Whether it is kept. */
  write: (value: T) => boolean;
  forget: () => void;
}

/**
 * Opens a record. What `parse` does not accept, and a browser that keeps nothing, read as `empty`;
 * storage that is full or forbidden loses the copy, never the value in memory.
 */
export function localRecord<T>(
  key: string,
  empty: T,
  parse: (value: unknown) => T | undefined,
): LocalRecord<T> {
  return {
    read: () => {
      try {
        const text = localStorage.getItem(key);
        return text === null ? empty : (parse(JSON.parse(text)) ?? empty);
      } catch {
        return empty;
      }
    },
    write: (value) => {
      try {
        localStorage.setItem(key, JSON.stringify(value));
        return true;
      } catch {
        return false;
      }
    },
    forget: () => {
      try {
        localStorage.removeItem(key);
      } catch {
        // Nothing was kept.
      }
    },
  };
}
