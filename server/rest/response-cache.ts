import { LRUCache } from "lru-cache";
import { type CacheCounts, cacheCounts, type Metrics } from "#server/platform/metrics";

export interface CachedResponse {
  readonly body: string;
  readonly etag: string | undefined;
  readonly link: string | undefined;
  readonly staleAt: number;
}

export interface CacheEntry {
  find(now: Date): CachedResponse | undefined;
  /** @param since start of the call, the lower bound of the data's age */
  save(answer: CachedResponse, since: Date): void;
}

export interface ResponseCache {
  /**
   * @param audience all callers until the answer is stale, or the player with this id for 800 ms
   * @param address path and query
   */
  entry(audience: "everybody" | number, address: string): CacheEntry;
  forgetPlayer(playerId: number): void;
}

const mostAnswers = 1_000;
/** About 10 MB. */
const mostPlayers = 20_000;
/** As long as tokens are cached. Instances may differ by at most a second. */
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
      // Reinserted to keep LRU order.
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
