import type { PortalUser } from "#server/actor";
import type { Context } from "#server/context";
import { countFactionScores } from "#server/stats/imports/count-faction-scores";
import { readStanding } from "../positions/read-standing";
import { findStatSharing, type StatSharing } from "./store";

/** What a faction keeps of other players' strength, as a member sees it. */
export interface FactionScores {
  readonly factionName: string;
  readonly sharing: StatSharing;
  /** Scores that the faction alone sees. */
  readonly own: { readonly players: number; readonly newest: Date | null };
  /** Whether the member may import, and say who sees scores. */
  readonly mayChange: boolean;
}

/** What the user's faction keeps; null for a player without a faction. */
export async function showFactionScores(ctx: Context, { playerId }: PortalUser): Promise<FactionScores | null> {
  const on = ctx.database.query;
  const { factionId, factionName, factionApiAccess } = await readStanding(on, playerId);
  if (factionId === null) return null;
  return {
    factionName: factionName ?? `Faction ${factionId}`,
    sharing: await findStatSharing(on, factionId),
    own: await countFactionScores(on, factionId),
    mayChange: factionApiAccess,
  };
}
