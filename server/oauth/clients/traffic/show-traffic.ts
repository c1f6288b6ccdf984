import type { PortalUser } from "#server/actor";
import type { Context } from "#server/context";
import { type Page, pageOf, readCursor } from "#server/platform/paging";
import { listFailedAttempts } from "../calls/attempts-store";
import type { FailedAttempt } from "../calls/log-entries";
import { statisticsSince } from "../count-limits";
import { requireOwnApplication } from "../own-applications";
import { countFunnel, type FirstRun, findFirstRun, readHours } from "./store";
import { type Funnel, rangeStart, sumTraffic, type Traffic, type TrafficRange } from "./traffic";

/** `limit`: calls a minute of one player's tokens. */
export interface TrafficView extends Traffic {
  readonly limit: number;
}

/** @throws UnknownOAuthClient */
export async function showTraffic(
  ctx: Context,
  user: PortalUser,
  asked: { readonly clientId: string; readonly range: TrafficRange },
): Promise<TrafficView> {
  const on = ctx.database.query;
  const { clientId } = await requireOwnApplication(on, user, asked.clientId);
  const now = ctx.now();
  const from = rangeStart(asked.range, now);
  const hours = await readHours(on, { clientIds: [clientId], from }, now);
  const traffic = sumTraffic(asked.range, hours.get(clientId) ?? [], now);
  return { ...traffic, limit: ctx.settings.rates.holder };
}

/** @throws UnknownOAuthClient */
export async function showFirstRun(
  ctx: Context,
  user: PortalUser,
  asked: { clientId: string },
): Promise<FirstRun> {
  const on = ctx.database.query;
  const { clientId } = await requireOwnApplication(on, user, asked.clientId);
  return findFirstRun(on, clientId);
}

const attemptsPerPage = 50;

/**
 * Of seven days, newest first.
 * @throws UnknownOAuthClient
 */
export async function showFailedAttempts(
  ctx: Context,
  user: PortalUser,
  asked: { readonly clientId: string; readonly after: string | null },
): Promise<Page<FailedAttempt>> {
  const on = ctx.database.query;
  const { clientId } = await requireOwnApplication(on, user, asked.clientId);
  // The audit log has far more successes, and keeps 90 days.
  const since = statisticsSince(ctx.now());
  const rows = await listFailedAttempts(on, {
    clientId,
    since,
    after: readCursor(asked.after),
    limit: attemptsPerPage + 1,
  });
  return pageOf(rows, attemptsPerPage);
}

/**
 * Of seven days.
 * @throws UnknownOAuthClient
 */
export async function showFunnel(
  ctx: Context,
  user: PortalUser,
  asked: { clientId: string },
): Promise<Funnel> {
  const on = ctx.database.query;
  const { clientId } = await requireOwnApplication(on, user, asked.clientId);
  return countFunnel(on, clientId, statisticsSince(ctx.now()));
}
