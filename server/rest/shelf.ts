import type { Context } from "#server/context";
import type { Endpoint } from "./endpoint";
import type { KeptAnswer } from "./memory";

/** Where an answer may lie between two calls. */
export interface Shelf {
  find(now: Date): KeptAnswer | undefined;
  /** @param since when the call began: what it read cannot be newer */
  keep(answer: KeptAnswer, since: Date): void;
}

/** As long as a token is remembered. A second is the most that instances may differ. */
const repeatMilliseconds = 800;

/** The shelf of this call's answer: for every caller, for this player alone, or none. */
export function shelfOf(
  ctx: Context,
  endpoint: Endpoint,
  { playerId, key }: { playerId: number; key: string },
): Shelf | undefined {
  const { restMemory, settings } = ctx;
  if (endpoint.cache)
    return { find: (now) => restMemory.answer(key, now), keep: (answer) => restMemory.keepAnswer(key, answer) };
  if (!endpoint.repeats || !settings.tokenCache) return undefined;
  return {
    find: (now) => restMemory.ownAnswer(playerId, key, now),
    keep: (answer, since) =>
      restMemory.keepOwnAnswer(playerId, key, { ...answer, staleAt: since.getTime() + repeatMilliseconds }),
  };
}
