/** A Map that forgets what was set longest ago once it holds more than it may. */
export interface BoundedMap<Key, Value> {
  get(key: Key): Value | undefined;
  /** Sets an entry, and makes it the youngest. */
  set(key: Key, value: Value): void;
  delete(key: Key): void;
  clear(): void;
}

/** @param most entries; above it the oldest goes with each new one */
export function createBoundedMap<Key, Value>(most: number): BoundedMap<Key, Value> {
  const entries = new Map<Key, Value>();
  // One iterator for good: it goes on where the last eviction ended, and a new one would pass all that were deleted before.
  const byAge = entries.keys();
  return {
    get: (key) => entries.get(key),
    set: (key, value) => {
      // A Map keeps the order of insertion: deleted first, an entry that is set again counts as new.
      entries.delete(key);
      entries.set(key, value);
      const oldest = entries.size > most && byAge.next();
      if (oldest && !oldest.done) entries.delete(oldest.value);
    },
    delete: (key) => void entries.delete(key),
    clear: () => entries.clear(),
  };
}
