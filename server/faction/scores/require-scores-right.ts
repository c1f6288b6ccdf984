import type { Queryable } from "#db/client";
import type { PortalUser } from "#server/actor";
import { InsufficientFactionPermissions, UnknownFaction } from "#server/failures";
import { readStanding } from "../positions/read-standing";

/**
 * The faction whose scores the user may bring in and share: their own, where their position grants faction API access.
 * @throws UnknownFaction, InsufficientFactionPermissions
 */
export async function requireScoresRight(on: Queryable, { playerId }: PortalUser): Promise<number> {
  const { factionId, factionApiAccess } = await readStanding(on, playerId);
  if (factionId === null) throw UnknownFaction.because({ message: "You are in no faction." });
  if (!factionApiAccess)
    throw InsufficientFactionPermissions.because({
      message: "Only members with faction API access import scores and say who sees them.",
    });
  return factionId;
}
