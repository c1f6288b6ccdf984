import { LRUCache } from "lru-cache";

export interface Memory<Value> {
  through(key: number, make: () => Value): Value;
  clear(): void;
}

/** Keeps the `most` recently made values; all of them can be made again. */
export function createMemory<Value extends NonNullable<unknown>>(most: number): Memory<Value> {
  const known = new LRUCache<number, Value>({ max: most });
  return {
    through: (key, make) => {
      const found = known.get(key);
      if (found !== undefined) return found;
      const made = make();
      known.set(key, made);
      return made;
    },
    clear: () => known.clear(),
  };
}
