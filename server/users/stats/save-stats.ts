import type { Queryable } from "#db/client";
import { dayOf } from "#server/platform/time";
import type { PlayerAnswer } from "../fetch-player";
import { statScore } from "./stat-score";
import { saveBattleStats, savePersonalStats } from "./store";

/**
 * Stores a player's stats from an answer of the game; a player seen for the first time gets the same rows as everybody else
 * does. Call it in a transaction. @param seen `at` is the moment before the game was asked
 */
export async function saveStats(tx: Queryable, seen: PlayerAnswer & { readonly at: Date }): Promise<void> {
  const { player, battleStats, statsAreCurrent, at } = seen;
  const { playerId, personalStats } = player;
  if (battleStats) await saveBattleStats(tx, { playerId, ...battleStats, score: statScore(battleStats), at });
  if (!personalStats) return;
  const day = dayOf(at, statsAreCurrent ? 0 : 1);
  await savePersonalStats(tx, { playerId, day, counters: personalStats.counters, at });
}
