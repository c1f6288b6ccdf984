import { and, desc, eq } from "drizzle-orm";
import type { Queryable } from "#db/client";
import { battleStats, statEntries } from "#db/schema/stats";

export interface Score {
  /** The sum of the four square roots. */
  readonly score: number;
  readonly at: Date;
}

/** As the player's own key told. */
async function findOwnScore(on: Queryable, playerId: number): Promise<Score | undefined> {
  const [row] = await on
    .select({ score: battleStats.score, at: battleStats.at })
    .from(battleStats)
    .where(eq(battleStats.playerId, playerId));
  return row;
}

/** As a faction's newest import told. */
async function findImportedScore(
  on: Queryable,
  { playerId, factionId }: { playerId: number; factionId: number },
): Promise<Score | undefined> {
  const { score, timeAdded: at, source, visibleTo, id } = statEntries;
  const [row] = await on
    .select({ score, at })
    .from(statEntries)
    .where(and(eq(statEntries.playerId, playerId), eq(visibleTo, factionId), eq(source, "import")))
    .orderBy(desc(at), desc(id))
    .limit(1);
  return row;
}

/**
 * The stat score that a player goes by: from their own key, else from what their own faction imported. What others derived
 * from fights with them is not asked.
 * @param whose `factionId` is the player's present faction; null for none
 */
export async function findScore(
  on: Queryable,
  { playerId, factionId }: { readonly playerId: number; readonly factionId: number | null },
): Promise<Score | null> {
  const own = await findOwnScore(on, playerId);
  if (own) return own;
  return factionId === null ? null : ((await findImportedScore(on, { playerId, factionId })) ?? null);
}
