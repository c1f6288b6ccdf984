import type { Queryable } from "#db/client";
import { InsufficientResourcePermissions, UnknownFaction } from "#server/failures";
import { readStanding } from "../positions/read-standing";
import type { Standing } from "../positions/standing";

/** Somebody who belongs to a faction. */
export type Member = Standing & { readonly factionId: number };

/** The player's standing in their own faction. @throws UnknownFaction for a player without one */
export async function standingAtHome(on: Queryable, playerId: number): Promise<Member> {
  const { factionId, ...standing } = await readStanding(on, playerId);
  if (factionId === null) throw UnknownFaction.because({ message: "You are in no faction." });
  return { ...standing, factionId };
}

/**
 * The player's standing in the faction that they name, which must be their own.
 * @throws UnknownFaction, InsufficientResourcePermissions
 */
export async function standingIn(on: Queryable, playerId: number, factionId: number): Promise<Member> {
  const standing = await standingAtHome(on, playerId);
  if (standing.factionId !== factionId) throw InsufficientResourcePermissions.because();
  return standing;
}
