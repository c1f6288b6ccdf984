import type { PortalUser, TokenHolder } from "#server/actor";
import type { Authentication, Context } from "#server/context";
import { isFailure, StatsNotAvailable } from "#server/failures";
import { requirePlayer } from "#server/users/find-players";
import { findOwnFactionId, readCallerFactionId } from "#server/users/membership/membership";
import type { Estimate } from "../estimates/contract";
import { estimateStats } from "../estimates/estimate-stats";
import { fairFight, statTotalRange } from "../fair-fight";
import {
  findNewestVisible,
  findOwnScore,
  listOpponentProfiles,
  listVisible,
  readNewestVisibleScores,
} from "./store";

const mostShown = 200;

/** Shows what the API gives with the user's token, without game calls. @throws UnknownUser */
export async function showScores(ctx: Context, { playerId: reader }: PortalUser, playerId: number) {
  const factionId = await findOwnFactionId(ctx, reader);
  const [estimate, entries] = await Promise.all([
    estimateOrNull(ctx, reader, playerId),
    listVisible(ctx.database.query, { playerId, factionId, limit: mostShown }),
  ]);
  const scores = entries.map(({ visibleTo, ...entry }) => ({
    ...entry,
    ...statTotalRange(entry.score),
    shared: visibleTo === 0,
  }));
  return { estimate, scores };
}

/** An estimate takes three queries unless it is stored. */
const mostEstimated = 10;

function opponentOf(
  { level, status, seenAt }: Awaited<ReturnType<typeof listOpponentProfiles>>[number],
  score: number | undefined,
  reader: number | undefined,
) {
  return {
    level,
    status,
    seenAt,
    total: score === undefined ? null : statTotalRange(score),
    /** Fair fight if the reader attacks; null if the reader has no score. */
    fairFight: score === undefined || reader === undefined ? null : fairFight(score, reader),
  };
}

/** A score from a fight wins over an estimate. */
export async function showOpponents(
  ctx: Context,
  { playerId: reader }: Pick<PortalUser, "playerId">,
  { playerIds, factionId }: { playerIds: readonly number[]; factionId: number | null },
): Promise<Map<number, ReturnType<typeof opponentOf>>> {
  const on = ctx.database.query;
  if (playerIds.length === 0) return new Map();
  const [own, fought, known] = await Promise.all([
    findOwnScore(on, { playerId: reader, factionId }),
    readNewestVisibleScores(on, { playerIds, factionId }),
    listOpponentProfiles(on, playerIds),
  ]);
  const unfought = known.filter(({ playerId }) => !fought.has(playerId)).slice(0, mostEstimated);
  const estimated = await Promise.all(
    unfought.map(async ({ playerId }) => {
      const estimate = await estimateOrNull(ctx, reader, playerId);
      return estimate ? [[playerId, estimate.score] as const] : [];
    }),
  );
  const scores = new Map([...fought, ...estimated.flat()]);
  return new Map(
    known.map((player) => [
      player.playerId,
      opponentOf(player, scores.get(player.playerId), own?.score),
    ]),
  );
}

const estimateOrNull = (ctx: Context, reader: number, playerId: number): Promise<Estimate | null> =>
  estimateStats(ctx, { playerId: reader, scopes: [] }, playerId).catch((thrown: unknown) => {
    if (isFailure(thrown, StatsNotAvailable)) return null;
    throw thrown;
  });

/**
 * Returns the newest score that is public or of the caller's faction.
 * @throws UnknownUser, StatsNotAvailable
 */
export async function readHistoricalStat(
  ctx: Context,
  caller: { readonly by: TokenHolder; readonly player: Authentication["player"] },
  playerId: number,
) {
  const factionId = await readCallerFactionId(ctx, caller);
  const newest = await findNewestVisible(ctx.database.query, { playerId, factionId });
  if (newest) return { score: newest.score, at: newest.timeAdded, ...statTotalRange(newest.score) };
  await requirePlayer(ctx, playerId);
  throw StatsNotAvailable.because();
}
