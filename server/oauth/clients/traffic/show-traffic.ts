import type { PortalUser } from "#server/actor";
import type { Context } from "#server/context";
import { dayMs } from "#server/platform/durations";
import { type Page, pageOf, readCursor } from "#server/platform/page-cursor";
import type { FailedAttempt } from "../attempts/failed-attempt";
import { listFailedAttempts } from "../attempts/store";
import { statisticsSince } from "../count-limits";
import { requireOwnApplication } from "../own-applications";
import { countFunnel } from "./funnel-store";
import { trafficByDay } from "./store";
import type { Funnel, TrafficFigures } from "./traffic";

/** A day of an application's calls, in UTC. */
export interface DayOfTraffic extends TrafficFigures {
  /** YYYY-MM-DD. */
  readonly day: string;
}

/** How an application was used over the last seven days, today included. */
export interface Traffic {
  readonly week: TrafficFigures;
  /** Oldest first, days without a call included. */
  readonly days: readonly DayOfTraffic[];
}

const shownDays = 7;
const none: TrafficFigures = { calls: 0, errors: 0, players: 0, medianMicros: null, p95Micros: null };

/** @throws UnknownOAuthClient */
export async function showTraffic(ctx: Context, user: PortalUser, asked: { clientId: string }): Promise<Traffic> {
  const on = ctx.database.query;
  const { clientId } = await requireOwnApplication(on, user, asked.clientId);
  const today = Math.floor(ctx.now().getTime() / dayMs) * dayMs;
  const starts = Array.from({ length: shownDays }, (_, index) => today - (shownDays - 1 - index) * dayMs);
  const found = await trafficByDay(on, clientId, new Date(starts[0] ?? today));
  const days = starts.map((start) => {
    const day = new Date(start).toISOString().slice(0, 10);
    return { ...(found.get(day) ?? none), day };
  });
  return { week: found.get(null) ?? none, days };
}

const attemptsPerPage = 50;

/**
 * Authorization and token requests of the user's application that came to nothing, newest first; of seven days.
 * @param asked.after where to go on, as the page before said
 * @throws UnknownOAuthClient
 */
export async function showFailedAttempts(
  ctx: Context,
  user: PortalUser,
  asked: { readonly clientId: string; readonly after: string | null },
): Promise<Page<FailedAttempt>> {
  const on = ctx.database.query;
  const { clientId } = await requireOwnApplication(on, user, asked.clientId);
  // The audit log has far more lines that tell of success; a page must not read all 90 days of them.
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
 * How many players of the last seven days came from the consent page to the first call.
 * @throws UnknownOAuthClient
 */
export async function showFunnel(ctx: Context, user: PortalUser, asked: { clientId: string }): Promise<Funnel> {
  const on = ctx.database.query;
  const { clientId } = await requireOwnApplication(on, user, asked.clientId);
  return countFunnel(on, clientId, statisticsSince(ctx.now()));
}
