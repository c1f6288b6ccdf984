import type { Queryable } from "#db/client";
import { findImportedScore, findOwnScore, type Score } from "./store";

export type { Score };

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
