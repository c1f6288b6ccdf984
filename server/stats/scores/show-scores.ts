import type { PortalUser } from "#server/actor";
import type { Context } from "#server/context";
import { isFailure, StatsNotAvailable } from "#server/failures";
import { findOwnFaction } from "#server/users/membership/membership";
import { listVisible } from "../entries/store";
import type { Estimate } from "../estimates/contract";
import { estimateStats } from "../estimates/estimate-stats";
import { totalRange } from "../fair-fight";

/** As many as a plot shows apart. */
const mostShown = 200;

/** A score of a player, and whether everybody sees it or the reader's faction alone. */
export interface SeenScore {
  readonly id: number;
  readonly score: number;
  readonly min: number;
  readonly max: number;
  readonly at: Date;
  readonly source: "fight" | "import";
  readonly shared: boolean;
}

export interface PlayerScores {
  /** Null where there is none. */
  readonly estimate: Estimate | null;
  /** Newest first. */
  readonly scores: readonly SeenScore[];
}

/** What the user may see of a player's strength: what calls in their name would be given, without asking the game. @throws UnknownUser */
export async function showScores(
  ctx: Context,
  { playerId: reader }: PortalUser,
  playerId: number,
): Promise<PlayerScores> {
  const factionId = await findOwnFaction(ctx, reader);
  const [estimate, entries] = await Promise.all([
    estimateStats(ctx, { playerId: reader, scopes: [] }, playerId).catch((thrown: unknown) => {
      if (isFailure(thrown, StatsNotAvailable)) return null;
      throw thrown;
    }),
    listVisible(ctx.database.query, { playerId, factionId, limit: mostShown }),
  ]);
  const scores = entries.map(({ visibleTo, ...entry }) => ({
    ...entry,
    ...totalRange(entry.score),
    shared: visibleTo === 0,
  }));
  return { estimate, scores };
}
