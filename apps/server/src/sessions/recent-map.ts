/** A map that keeps the entries that were used last. */
export interface RecentMap<Key, Value> {
  get(key: Key): Value | undefined;
  set(key: Key, value: Value): void;
  delete(key: Key): void;
  clear(): void;
}

/** Makes a map of at most `max` entries. */
export function createRecentMap<Key, Value>(max: number): RecentMap<Key, Value> {
  // Two generations: what is used moves to the young one, and the old one is let go as a whole. So
  // an entry that is in use costs no reordering, and none that is used is lost.
  let young = new Map<Key, Value>();
  let old = new Map<Key, Value>();

  function set(key: Key, value: Value): void {
    old.delete(key);
    young.set(key, value);
    if (young.size >= max / 2) {
      old = young;
      young = new Map();
    }
  }

  return {
    set,
    get(key) {
      const value = young.get(key);
      if (value !== undefined) return value;
      const older = old.get(key);
      if (older !== undefined) set(key, older);
      return older;
    },
    delete(key) {
      young.delete(key);
      old.delete(key);
    },
    clear() {
      young.clear();
      old.clear();
    },
  };
}
