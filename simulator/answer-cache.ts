import { createBoundedMap } from "#server/platform/bounded-map";

const lifetimeMs = 29_000;
/** An answer about a large faction has some 100 kB. */
const mostEntries = 300;

/** Parameters that make no other answer; and those that do so whatever the memory looks at. */
const unseen = new Set(["key", "comment", "timestamp"]);
const seenByAll = new Set(["selections", "id"]);

/** Answers stay the same for 29 seconds per key and URL, as the game's do: a change is not seen at once. */
export function createAnswerCache() {
  const entries = createBoundedMap<string, { until: number; body: string }>(mostEntries);

  return {
    /**
     * Gives the remembered answer, or makes and remembers one. A `timestamp` parameter asks past the cache.
     * With `stale` an answer is remembered for ever; with `blind` answers are told apart by path, selections and id alone. The caller decides rights before: a key that lost them must not read on from memory.
     */
    through(asked: { key: string; url: URL; now: Date; stale: boolean; blind: boolean }, make: () => string): string {
      const { key, url, now } = asked;
      const query = new URLSearchParams(url.search);
      for (const name of [...query.keys()])
        if (asked.blind ? !seenByAll.has(name) : unseen.has(name)) query.delete(name);
      query.sort();
      const entry = `${key} ${url.pathname}?${query}`;
      const known = entries.get(entry);
      const fresh = known && known.until > now.getTime() && !url.searchParams.has("timestamp");
      if (known && (fresh || asked.stale)) return known.body;
      const body = make();
      entries.set(entry, { until: now.getTime() + lifetimeMs, body });
      return body;
    },
    clear: entries.clear,
  };
}
export type AnswerCache = ReturnType<typeof createAnswerCache>;
