import type { PortalUser, TokenHolder } from "#server/actor";
import type { Authentication, Context } from "#server/context";
import { isFailure, StatsNotAvailable, UnknownUser } from "#server/failures";
import { isKnownPlayer } from "#server/users/enrol-player";
import { findOwnFaction, readOwnFaction } from "#server/users/membership/membership";
import type { Estimate } from "../estimates/contract";
import { estimateStats } from "../estimates/estimate-stats";
import { totalRange } from "../fair-fight";
import { findNewestVisible, listVisible } from "./store";

const mostShown = 200;

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
  readonly estimate: Estimate | null;
  readonly scores: readonly SeenScore[];
}

/** Same data as the API gives with the user's token, without game calls. @throws UnknownUser */
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

/**
 * The newest score that is public or of the caller's faction.
 * @throws UnknownUser, StatsNotAvailable
 */
export async function readHistoricalStat(
  ctx: Context,
  caller: { readonly by: TokenHolder; readonly player: Authentication["player"] },
  playerId: number,
) {
  const factionId = await readOwnFaction(ctx, caller);
  const newest = await findNewestVisible(ctx.database.query, { playerId, factionId });
  if (newest) return { score: newest.score, at: newest.timeAdded, ...totalRange(newest.score) };
  throw ((await isKnownPlayer(ctx, playerId)) ? StatsNotAvailable : UnknownUser).because();
}
