import { setImmediate as turn } from "node:timers/promises";
import type { Context } from "#server/context";
import { dayMs } from "#server/platform/durations";
import { subjectOf } from "./contract";
import { accuracyOf } from "./model/accuracy";
import { logScoreAt, readModel } from "./model/estimate-model";
import { featuresOf } from "./model/features";
import { trainModel } from "./model/train-model";
import { rowOf, splitOf, type TrainingRow } from "./model/training-row";
import { findModelInForce, insertModel, listPublicLabels, type PublicLabel } from "./store";

/** A fight of half a year ago says little of today, and a training must end within seconds. */
const labelDays = 180;
const mostLabels = 60_000;
/** Fewer players say nothing about a model of this size. */
export const fewestPlayers = 200;
/** A new model may miss by so much more than the one in force, since both are judged by chance. */
const tolerance = 1.05;

export type Renewal = "renewed" | "kept" | "too-few";

/** Trains a model on all public fights, and puts it in force where it is not worse than the one before, nor than no model. */
export async function renewModel(ctx: Context): Promise<{ outcome: Renewal; players: number }> {
  const now = ctx.now();
  const labels = await listPublicLabels(ctx.database.query, new Date(now.getTime() - labelDays * dayMs), mostLabels);
  const rows = rowsOf(labels, now);
  const players = rows.length;
  if (players < fewestPlayers) return { outcome: "too-few", players };
  const trained = await trainModel(rows, { trainedAt: now, pause: () => turn() });
  if (!trained) return { outcome: "too-few", players };
  const { model, card } = trained;
  const before = await medianInForce(ctx, rows);
  const inForce = card.metrics.median < card.baseline.median && card.metrics.median <= before * tolerance;
  await ctx.database.transaction((tx) => insertModel(tx, { id: ctx.ids.uuid(), trainedAt: now, inForce, model, card }));
  const { median } = card.metrics;
  ctx.log.info({ inForce, players, median, before, baseline: card.baseline.median }, "the estimate model was trained");
  return { outcome: inForce ? "renewed" : "kept", players };
}

/** How far the model in force is off on the players of the test, as they are today; infinite where there is none. */
async function medianInForce(ctx: Context, rows: readonly TrainingRow[]): Promise<number> {
  const model = readModel((await findModelInForce(ctx.database.query))?.model);
  if (!model) return Number.POSITIVE_INFINITY;
  const test = rows.filter(({ playerId, lowerBound }) => !lowerBound && splitOf(playerId) === "test");
  return accuracyOf(test.map(({ subject, target }) => [logScoreAt(model, featuresOf(subject)), target])).median;
}

function rowsOf(labels: readonly PublicLabel[], now: Date): TrainingRow[] {
  const byPlayer = new Map<number, PublicLabel[]>();
  for (const label of labels) byPlayer.set(label.playerId, [...(byPlayer.get(label.playerId) ?? []), label]);
  const days = (since: Date, until: Date) => (until.getTime() - since.getTime()) / dayMs;
  return [...byPlayer.values()].flatMap((own) => {
    const [first] = own;
    if (!first) return [];
    const told = own.map(({ score, sigma, lowerBound, timeAdded }) => ({
      ...{ score, sigma, lowerBound },
      ageDays: Math.max(0, days(timeAdded, now)),
    }));
    return rowOf(first.playerId, subjectOf(first), told) ?? [];
  });
}
