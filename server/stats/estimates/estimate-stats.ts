import type { TokenHolder } from "#server/actor";
import type { Context } from "#server/context";
import { isFailure, StatsNotAvailable, UnknownKey, UnknownUser } from "#server/failures";
import { isGameCallError } from "#server/game/game-call-error";
import { isKnownPlayer } from "#server/users/enrol-player";
import { refreshOnRequest } from "#server/users/refresh-on-request";
import { type Estimate, estimateOf, oldestFresh, subjectOf } from "./contract";
import { estimateScore, readModel } from "./model/estimate-model";
import { ModelCard } from "./model/model-card";
import {
  findCardInForce,
  findEstimate,
  findKnownPlayer,
  findModelInForce,
  type KnownPlayer,
  saveEstimate,
} from "./store";

/** Who asks, and what they may use. A page asks with no scope, so that it costs no call of anybody's key. */
type Asker = Pick<TokenHolder, "playerId" | "scopes">;

/**
 * What the model expects of a player. Counters older than a week are read again where the token may use the caller's key; where
 * that cannot be, an old estimate with its past expiration is better than none.
 * @throws UnknownUser, StatsNotAvailable, GameCallError where the game was asked in vain and nothing is known
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

  let known = await findKnownPlayer(on, playerId);
  if (!known || known.statsAt < oldestFresh(ctx.now())) {
    const refusal = await readAnew(ctx, actor, playerId);
    known = await findKnownPlayer(on, playerId);
    if (!known && !stored && refusal) throw refusal;
  }
  const estimate = known && (await predict(ctx, known));
  const given = estimate ?? stored;
  if (given) return given;
  if (!(await isKnownPlayer(ctx, playerId))) throw UnknownUser.because();
  const why = known
    ? "The model has not seen enough fights yet."
    : "The player's public counters were never read; with service_key:usage they can be.";
  throw StatsNotAvailable.because({ details: { message: why } });
}

/** @returns why the player could not be read, where that is worth telling; what is missing on the caller's side is not */
async function readAnew(ctx: Context, actor: Asker, playerId: number): Promise<unknown> {
  if (!actor.scopes.includes("service_key:usage")) return undefined;
  try {
    await refreshOnRequest(ctx, actor, playerId);
    return undefined;
  } catch (thrown) {
    if (isFailure(thrown, UnknownKey)) return undefined;
    if (isFailure(thrown) || isGameCallError(thrown)) return thrown;
    throw thrown;
  }
}

/** Asks the model in force and keeps its answer; undefined where there is no model, or none that this code can use. */
async function predict(ctx: Context, known: KnownPlayer): Promise<Estimate | undefined> {
  const on = ctx.database.query;
  const row = await findModelInForce(on);
  const model = readModel(row?.model);
  if (!row || !model) return undefined;
  const { playerId, statsAt } = known;
  const score = estimateScore(model, subjectOf(known));
  const at = ctx.now();
  const estimate = estimateOf(score, { statsAt, at });
  const range = { minBattleStats: estimate.min, maxBattleStats: estimate.max };
  await saveEstimate(on, {
    playerId,
    score: estimate.score,
    ...range,
    at,
    statsAt,
    modelId: row.id,
  });
  return estimate;
}

/** The card of the model that answers at the moment; null while there is none. It holds no player. */
export async function showModelCard(ctx: Context): Promise<ModelCard | null> {
  const { data } = ModelCard.safeParse(await findCardInForce(ctx.database.query));
  return data ?? null;
}
