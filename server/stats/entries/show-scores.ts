import type { PortalUser, TokenHolder } from "#server/actor";
import type { Authentication, Context } from "#server/context";
import { isFailure, StatsNotAvailable, UnknownUser } from "#server/failures";
import { isKnownPlayer } from "#server/users/enrol-player";
import { findOwnFaction, readOwnFaction } from "#server/users/membership/membership";
import type { Estimate } from "../estimates/contract";
import { estimateStats } from "../estimates/estimate-stats";
import { totalRange } from "../fair-fight";
import { findNewestVisible, listVisible } from "./store";

/** The most scores that a plot can show apart. */
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

/** Shows the scores and the estimate of a player that calls in the user's name would be given, without asking the game. @throws UnknownUser */
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
 * The newest stat score of a player that the caller may see: public, or their own faction's.
 * @throws UnknownUser, StatsNotAvailable
 */
export async function readHistoricalStat(
  ctx: Context,
  caller: { readonly actor: TokenHolder; readonly player: Authentication["player"] },
  playerId: number,
) {
  const factionId = await readOwnFaction(ctx, caller);
  const newest = await findNewestVisible(ctx.database.query, { playerId, factionId });
  if (newest) return { score: newest.score, at: newest.timeAdded, ...totalRange(newest.score) };
  throw ((await isKnownPlayer(ctx, playerId)) ? StatsNotAvailable : UnknownUser).because();
}
