import type { PortalUser } from "#server/actor";
import type { Context } from "#server/context";
import { requireApplication } from "../own-applications";
import { countFunnel, readFirstRunSteps, readHours } from "./store";
import { rangeStart, rangeSteps, sumTraffic, type TrafficRange } from "./traffic";

/** @throws UnknownOAuthClient */
export async function showTraffic(
  ctx: Context,
  user: PortalUser,
  asked: {
    readonly clientId: string;
    readonly range: TrafficRange;
    readonly until?: Date | null;
  },
) {
  const on = ctx.database.query;
  const { clientId } = await requireApplication(on, user, asked.clientId, "figures");
  const { range } = asked;
  const now = asked.until && asked.until < ctx.now() ? asked.until : ctx.now();
  const { step, steps } = rangeSteps[range];
  const earlier = new Date(now.getTime() - step * steps);
  const from = rangeStart(range, earlier);
  const hours = (await readHours(on, { clientIds: [clientId], from, range }, now)).get(clientId);
  const start = rangeStart(range, now);
  const before = (hours ?? []).filter(({ hour }) => hour < start);
  return {
    ...sumTraffic(range, hours ?? [], now),
    before: sumTraffic(range, before, earlier),
    /** Calls per minute with one player's tokens. */
    limit: ctx.settings.rates.holder,
  };
}

/** @throws UnknownOAuthClient */
export async function showFirstRunSteps(
  ctx: Context,
  user: PortalUser,
  asked: { readonly clientId: string },
) {
  const on = ctx.database.query;
  const { clientId } = await requireApplication(on, user, asked.clientId, "figures");
  return readFirstRunSteps(on, clientId);
}

/** @throws UnknownOAuthClient */
export async function showFunnel(
  ctx: Context,
  user: PortalUser,
  asked: { readonly clientId: string; readonly range: TrafficRange },
) {
  const on = ctx.database.query;
  const { clientId } = await requireApplication(on, user, asked.clientId, "figures");
  return countFunnel(on, clientId, rangeStart(asked.range, ctx.now()));
}
