import { setImmediate as turn } from "node:timers/promises";
import type { Context } from "#server/context";
import type { Job } from "#server/jobs/job";
import { dayMs, hourMs } from "#server/platform/time";
import { subjectOf } from "./contract";
import { featuresOf, predictLogScore, readModel } from "./model/estimate-model";
import { accuracyOf } from "./model/model-card";
import { rowOf, splitOf, type TrainingRow, trainModel } from "./model/train-model";
import {
  countPublicLabels,
  findLastTraining,
  findModelInForce,
  insertModel,
  listPublicLabels,
  type PublicLabel,
} from "./store";

const hoursBetween = 20;
const fewestNewLabels = 500;

/** Trains every 20 hours with enough new fights, or hourly while no model is in force. */
export const renewEstimateModelJob: Job = {
  name: "renew-estimate-model",
  cadence: { cron: "20 * * * *" },
  budget: 0,
  run: async (ctx) => {
    if (!(await isTrainingDue(ctx))) return { trained: 0, renewed: 0, players: 0 };
    const { outcome, players } = await renewModel(ctx);
    return {
      trained: outcome === "too-few" ? 0 : 1,
      renewed: outcome === "renewed" ? 1 : 0,
      players,
    };
  },
};

async function isTrainingDue(ctx: Context): Promise<boolean> {
  const on = ctx.database.query;
  if (!readModel((await findModelInForce(on))?.model)) return true;
  const last = await findLastTraining(on);
  if (!last) return true;
  const isLongAgo = ctx.now().getTime() - last.getTime() >= hoursBetween * hourMs;
  return isLongAgo && (await countPublicLabels(on, last)) >= fewestNewLabels;
}

/** Older fights say little, and training must end within seconds. */
const labelDays = 180;
const mostLabels = 60_000;
/** Fewer players cannot fit a model of this size. */
export const minTrainingPlayers = 200;
/** A new model's error may exceed the current model's by this factor, because both are noisy. */
const tolerance = 1.05;

/**
 * A new model comes into force only if it beats the baseline and is no worse than the current
 * model.
 */
export async function renewModel(
  ctx: Context,
): Promise<{ outcome: "renewed" | "kept" | "too-few"; players: number }> {
  const now = ctx.now();
  const labels = await listPublicLabels(
    ctx.database.query,
    new Date(now.getTime() - labelDays * dayMs),
    mostLabels,
  );
  const rows = rowsOf(labels, now);
  const players = rows.length;
  if (players < minTrainingPlayers) return { outcome: "too-few", players };
  const trained = await trainModel(rows, { trainedAt: now, pause: () => turn() });
  if (!trained) return { outcome: "too-few", players };
  const { model, card } = trained;
  const before = await medianInForce(ctx, rows);
  const inForce =
    card.metrics.median < card.baseline.median && card.metrics.median <= before * tolerance;
  await ctx.database.transaction((tx) =>
    insertModel(tx, { id: ctx.ids.uuid(), trainedAt: now, inForce, model, card }),
  );
  const { median } = card.metrics;
  ctx.log.info(
    { inForce, players, median, before, baseline: card.baseline.median },
    "the estimate model was trained",
  );
  return { outcome: inForce ? "renewed" : "kept", players };
}

async function medianInForce(ctx: Context, rows: readonly TrainingRow[]): Promise<number> {
  const model = readModel((await findModelInForce(ctx.database.query))?.model);
  if (!model) return Number.POSITIVE_INFINITY;
  const test = rows.filter(
    ({ playerId, lowerBound }) => !lowerBound && splitOf(playerId) === "test",
  );
  return accuracyOf(
    test.map(({ subject, target }) => [predictLogScore(model, featuresOf(subject)), target]),
  ).median;
}

function rowsOf(labels: readonly PublicLabel[], now: Date): TrainingRow[] {
  const byPlayer = Map.groupBy(labels, ({ playerId }) => playerId);
  const days = (since: Date, until: Date) => (until.getTime() - since.getTime()) / dayMs;
  return [...byPlayer.values()].flatMap((own) => {
    const [first] = own;
    if (!first) return [];
    const told = own.map(({ score, sigma, lowerBound, timeAdded }) => ({
      score,
      sigma,
      lowerBound,
      ageDays: Math.max(0, days(timeAdded, now)),
    }));
    return rowOf(first.playerId, subjectOf(first), told) ?? [];
  });
}
