import { z } from "zod";

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

/**
 * A list of at most so many items. The number is checked before the items: each item of a long list would otherwise be parsed,
 * and each fault of it told.
 */
export function boundedList<Item extends z.ZodType>(
  item: Item,
  {
    most,
    tooMany,
    noList,
  }: { readonly most: number; readonly tooMany?: string; readonly noList?: string },
): z.ZodType<z.output<Item>[], z.input<Item>[]> {
  const counted = z
    .array(z.unknown(), noList === undefined ? undefined : { error: noList })
    .max(most, tooMany);
  return counted.pipe(z.array(item)) as unknown as z.ZodType<z.output<Item>[], z.input<Item>[]>;
}
