import { LRUCache } from "lru-cache";
import { type CacheCounts, cacheCounts, type Metrics } from "#server/platform/metrics";

/** A serialised answer that may be said again until it is stale. */
export interface CachedResponse {
  readonly body: string;
  readonly etag: string | undefined;
  readonly link: string | undefined;
  /** Milliseconds since the epoch. */
  readonly staleAt: number;
}

/** The place of one address's answer between two calls. */
export interface CacheEntry {
  find(now: Date): CachedResponse | undefined;
  /** @param since when the call began: what it read cannot be newer */
  save(answer: CachedResponse, since: Date): void;
}

/** The answers of one process. Its own calls share it through the context. */
export interface ResponseCache {
  /**
   * @param audience all callers until the answer is stale, or the player with this number for 800 ms
   * @param address path and query
   */
  entry(audience: "everybody" | number, address: string): CacheEntry;
  /** The player's record changed here: its answers are old. */
  forgetPlayer(playerId: number): void;
}

const mostAnswers = 1_000;
/** Some 10 MB. */
const mostPlayers = 20_000;
/** As long as a token is remembered. A second is the most that instances may differ. */
const repeatMilliseconds = 800;

export function createResponseCache(metrics: Pick<Metrics, "cacheLookups">): ResponseCache {
  const shared = cacheCounts(metrics, "answers");
  const own = cacheCounts(metrics, "own-answers");
  const answers = new LRUCache<string, CachedResponse>({ max: mostAnswers });
  const players = new LRUCache<number, Map<string, CachedResponse>>({ max: mostPlayers });

  const sharedEntry = (address: string): CacheEntry => ({
    find: (now) => counted(shared, fresh(answers, address, now)),
    save: (answer) => answers.set(address, answer),
  });
  const ownEntry = (playerId: number, address: string): CacheEntry => ({
    find: (now) => {
      const told = players.get(playerId);
      return counted(own, told && fresh(told, address, now));
    },
    save: (answer, since) => {
      const told = players.get(playerId) ?? new Map<string, CachedResponse>();
      // Set again, so that the latest caller is the last to be evicted.
      players.set(
        playerId,
        told.set(address, { ...answer, staleAt: since.getTime() + repeatMilliseconds }),
      );
    },
  });
  return {
    entry: (audience, address) =>
      audience === "everybody" ? sharedEntry(address) : ownEntry(audience, address),
    forgetPlayer: (playerId) => void players.delete(playerId),
  };
}

function counted(
  counts: CacheCounts,
  found: CachedResponse | undefined,
): CachedResponse | undefined {
  (found ? counts.hit : counts.miss).inc();
  return found;
}

type Answers = Pick<LRUCache<string, CachedResponse>, "get"> & {
  delete(address: string): unknown;
};

function fresh(answers: Answers, key: string, now: Date): CachedResponse | undefined {
  const kept = answers.get(key);
  if (kept && kept.staleAt > now.getTime()) return kept;
  if (kept) answers.delete(key);
  return undefined;
}
