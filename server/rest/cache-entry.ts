import type { Context } from "#server/context";
import type { Endpoint } from "./endpoint";
import type { CachedResponse } from "./response-cache";

/** Where an answer may lie between two calls. */
export interface CacheEntry {
  find(now: Date): CachedResponse | undefined;
  /** @param since when the call began: what it read cannot be newer */
  save(answer: CachedResponse, since: Date): void;
}

/** As long as a token is remembered. A second is the most that instances may differ. */
const repeatMilliseconds = 800;

/** The shelf of this call's answer: for every caller, for this player alone, or none. */
export function cacheEntryOf(
  ctx: Context,
  endpoint: Endpoint,
  { playerId, key }: { playerId: number; key: string },
): CacheEntry | undefined {
  const { restMemory, settings } = ctx;
  if (endpoint.cache)
    return { find: (now) => restMemory.response(key, now), save: (answer) => restMemory.saveResponse(key, answer) };
  if (!endpoint.repeats || !settings.tokenCache) return undefined;
  return {
    find: (now) => restMemory.ownAnswer(playerId, key, now),
    save: (answer, since) =>
      restMemory.keepOwnAnswer(playerId, key, { ...answer, staleAt: since.getTime() + repeatMilliseconds }),
  };
}
