import { and, desc, eq } from "drizzle-orm";
import type { Queryable } from "#db/client";
import { vaultRequests } from "#db/schema/faction";
import { battleStats, personalStats, statEntries, statEstimates } from "#db/schema/stats";

/* Columns are listed, so that a new one, which may be a secret, is not exported by default. */

/**
 * From the player's key, public data and the model. A faction's own data stays with the faction.
 */
export async function readStats(on: Queryable, playerId: number, lines: number) {
  const { strength, defense, speed, dexterity, score, at } = battleStats;
  const [own = null] = await on
    .select({ strength, defense, speed, dexterity, score, at })
    .from(battleStats)
    .where(eq(battleStats.playerId, playerId));
  const { day, counters } = personalStats;
  const days = await on
    .select({ day, counters })
    .from(personalStats)
    .where(eq(personalStats.playerId, playerId))
    .orderBy(desc(day));
  const [estimate = null] = await on
    .select({ score: statEstimates.score, at: statEstimates.at })
    .from(statEstimates)
    .where(eq(statEstimates.playerId, playerId));
  const seenByEverybody = await on
    .select({ score: statEntries.score, seenAt: statEntries.timeAdded })
    .from(statEntries)
    .where(
      and(
        eq(statEntries.playerId, playerId),
        eq(statEntries.visibleTo, 0),
        eq(statEntries.lowerBound, false),
      ),
    )
    .orderBy(desc(statEntries.timeAdded), desc(statEntries.id))
    .limit(lines);
  const told = await on.$count(statEntries, eq(statEntries.contributorId, playerId));
  return {
    battleStats: own,
    personalStats: days,
    estimate,
    seenByEverybody,
    scoresToldByYourFights: told,
  };
}

export const readVaultRequests = (on: Queryable, playerId: number, lines: number) =>
  on
    .select({
      id: vaultRequests.id,
      factionId: vaultRequests.factionId,
      amount: vaultRequests.amount,
      currency: vaultRequests.currency,
      status: vaultRequests.status,
      requestedAt: vaultRequests.requestedAt,
      expiresAt: vaultRequests.expiresAt,
      closedAt: vaultRequests.closedAt,
      closedBy: vaultRequests.closedBy,
      reason: vaultRequests.reason,
      verification: vaultRequests.verification,
    })
    .from(vaultRequests)
    .where(eq(vaultRequests.playerId, playerId))
    .orderBy(desc(vaultRequests.requestedAt), desc(vaultRequests.id))
    .limit(lines);
