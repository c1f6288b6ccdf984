import type { Context } from "#server/context";
import type { Job } from "#server/jobs/job";
import { hourMs } from "#server/platform/durations";
import { readModel } from "../model/estimate-model";
import { renewModel } from "../renew-model";
import { countPublicLabels, findLastTraining, findModelInForce } from "../store";

/** With a model in force, a training is worth its time once a night and for so many new fights. */
const hoursBetween = 20;
const fewestNewLabels = 500;

/** Trains the model of stat estimates again: each night where there was enough to learn, each hour as long as there is none that is of use. */
export const renewEstimateModel: Job = {
  name: "renew-estimate-model",
  cadence: { cron: "20 * * * *" },
  budget: 0,
  run: async (ctx) => {
    if (!(await isWorthIt(ctx))) return { trained: 0, renewed: 0, players: 0 };
    const { outcome, players } = await renewModel(ctx);
    return { trained: outcome === "too-few" ? 0 : 1, renewed: outcome === "renewed" ? 1 : 0, players };
  },
};

async function isWorthIt(ctx: Context): Promise<boolean> {
  const on = ctx.database.query;
  if (!readModel((await findModelInForce(on))?.model)) return true;
  const last = await findLastTraining(on);
  if (!last) return true;
  const isNight = ctx.now().getTime() - last.getTime() >= hoursBetween * hourMs;
  return isNight && (await countPublicLabels(on, last)) >= fewestNewLabels;
}
