import type { TokenHolder } from "#server/actor";
import type { Context } from "#server/context";
import { isFailure, StatsNotAvailable, UnknownKey } from "#server/failures";
import { isGameCallError } from "#server/game/game-call-error";
import { requirePlayer } from "#server/users/find-players";
import { refreshOnRequest } from "#server/users/refresh-on-request";
import { type Estimate, estimateOf, freshnessCutoff, subjectOf } from "./contract";
import { estimateScore, readModel } from "./model/estimate-model";
import { ModelCard } from "./model/model-card";
import {
  findEstimate,
  findModelInForce,
  findPlayerCounters,
  type PlayerCounters,
  saveEstimate,
} from "./store";

/** Pages ask without scopes, so that no key is used. */
type Asker = Pick<TokenHolder, "playerId" | "scopes">;

/**
 * Counters older than a week are read again if the token allows. If that fails, an expired estimate
 * is better than none.
 * @throws UnknownUser, StatsNotAvailable, GameCallError if nothing is stored
 */
export async function estimateStats(
  ctx: Context,
  actor: Asker,
  playerId: number,
): Promise<Estimate> {
  const on = ctx.database.query;
  const kept = await findEstimate(on, playerId);
  const stored = kept && estimateOf(kept.score, kept);
  if (stored && stored.expiresAt > ctx.now()) return stored;

  let known = await findPlayerCounters(on, playerId);
  if (!known || known.statsAt < freshnessCutoff(ctx.now())) {
    const refusal = await readAnew(ctx, actor, playerId);
    known = await findPlayerCounters(on, playerId);
    if (!known && !stored && refusal) throw refusal;
  }
  const estimate = known && (await predict(ctx, known));
  const given = estimate ?? stored;
  if (given) return given;
  await requirePlayer(ctx, playerId);
  const why = known
    ? "The model has not seen enough fights yet."
    : "The player's public counters were never read; with service_key:usage they can be.";
  throw StatsNotAvailable.because({ details: { message: why } });
}

/** @returns an error to report; undefined if the caller merely lacks the scope or a key */
async function readAnew(ctx: Context, actor: Asker, playerId: number): Promise<unknown> {
  if (!actor.scopes.includes("service_key:usage")) return undefined;
  try {
    await refreshOnRequest(ctx, actor, playerId);
    return undefined;
  } catch (thrown) {
    if (!isFailure(thrown) && !isGameCallError(thrown)) throw thrown;
    return isFailure(thrown, UnknownKey) ? undefined : thrown;
  }
}

async function predict(ctx: Context, known: PlayerCounters): Promise<Estimate | undefined> {
  const on = ctx.database.query;
  const model = readModel((await findModelInForce(on))?.model);
  if (!model) return undefined;
  const { playerId, statsAt } = known;
  const at = ctx.now();
  const estimate = estimateOf(estimateScore(model, subjectOf(known)), { statsAt, at });
  await saveEstimate(on, { playerId, score: estimate.score, at, statsAt });
  return estimate;
}

export async function showModelCard(ctx: Context): Promise<ModelCard | null> {
  const { data } = ModelCard.safeParse((await findModelInForce(ctx.database.query))?.card);
  return data ?? null;
}
