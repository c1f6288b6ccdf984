import { createBoundedMap } from "#server/platform/bounded-collections";

export interface Memory<Value> {
  /** Gives what is remembered under `key`, or makes and remembers it. */
  through(key: number, make: () => Value): Value;
  clear(): void;
}

/** Remembers the `most` things made last: all of them can be made again. */
export function createMemory<Value>(most: number): Memory<Value> {
  const known = createBoundedMap<number, Value>(most);
  return {
    through: (key, make) => {
      const found = known.get(key);
      if (found !== undefined) return found;
      const made = make();
      known.set(key, made);
      return made;
    },
    clear: known.clear,
  };
}
