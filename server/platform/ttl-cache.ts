import { LRUCache } from "lru-cache";

interface TtlCacheOptions<Key, Value> {
  readonly now: () => Date;
  /** Milliseconds. */
  readonly ttl: number;
  /** Entries, or the sum of their sizes. */
  readonly most: number;
  readonly sizeOf?: (value: Value) => number;
  readonly onDrop?: (key: Key, value: Value) => void;
}

interface Kept<Value> {
  readonly value: Value;
  /** Milliseconds since 1970. */
  readonly since: number;
  readonly until: number;
}

export function createTtlCache<
  Key extends NonNullable<unknown>,
  Value extends NonNullable<unknown>,
>({ now, ttl, most, sizeOf, onDrop }: TtlCacheOptions<Key, Value>) {
  const entries = new LRUCache<Key, Kept<Value>>({
    ...(sizeOf
      ? { maxSize: most, sizeCalculation: ({ value }: Kept<Value>) => sizeOf(value) }
      : { max: most }),
    ...(onDrop && { dispose: ({ value }: Kept<Value>, key: Key) => onDrop(key, value) }),
  });
  const loading = new Map<Key, Promise<Value | undefined>>();

  const get = (key: Key): Value | undefined => {
    const kept = entries.get(key);
    if (!kept) return undefined;
    const at = now().getTime();
    // The clock may have been set back.
    if (at >= kept.since && at < kept.until) return kept.value;
    entries.delete(key);
    return undefined;
  };
  const set = (key: Key, value: Value, until?: number, since = now().getTime()) => {
    entries.set(key, { value, since, until: until ?? since + ttl });
    return value;
  };
  return {
    get,
    /** `until` and `since` are milliseconds since 1970. */
    set,
    /** Single-flight. Failures are not kept. */
    load: async <Read extends Value | undefined>(
      key: Key,
      read: () => Promise<Read>,
      keeps: (value: Value) => boolean = () => true,
    ): Promise<Value | Read> => {
      const known = get(key) ?? loading.get(key);
      if (known !== undefined) return known as Value | Promise<Read>;
      const since = now().getTime();
      const reading = read().finally(() => loading.delete(key));
      loading.set(key, reading);
      const value = await reading;
      if (value !== undefined && keeps(value)) set(key, value, since + ttl, since);
      return value;
    },
    delete: (key: Key) => void entries.delete(key),
    clear: () => entries.clear(),
    /** Includes expired entries. */
    *entries(): Iterable<readonly [Key, Value]> {
      for (const [key, { value }] of entries.entries()) yield [key, value];
    },
  };
}

export function singleFlight<Args extends unknown[], Result>(
  run: (...args: Args) => Promise<Result>,
): (...args: Args) => Promise<Result> {
  let running: Promise<Result> | undefined;
  return (...args) => {
    running ??= run(...args).finally(() => {
      running = undefined;
    });
    return running;
  };
}
