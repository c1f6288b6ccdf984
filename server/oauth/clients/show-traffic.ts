import type { PortalUser } from "../../actor";
import type { Context } from "../../context";
import { requireOwnApplication } from "./require-own-application";
import { trafficByDay } from "./traffic/store";
import type { TrafficFigures } from "./traffic/traffic";

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

const dayMilliseconds = 86_400_000;
const shownDays = 7;
const none: TrafficFigures = { calls: 0, errors: 0, players: 0, medianMicros: null, p95Micros: null };

/** @throws UnknownOAuthClient */
export async function showTraffic(ctx: Context, user: PortalUser, asked: { clientId: string }): Promise<Traffic> {
  const on = ctx.database.query;
  const { clientId } = await requireOwnApplication(on, user, asked.clientId);
  const today = Math.floor(ctx.now().getTime() / dayMilliseconds) * dayMilliseconds;
  const starts = Array.from({ length: shownDays }, (_, index) => today - (shownDays - 1 - index) * dayMilliseconds);
  const found = await trafficByDay(on, clientId, new Date(starts[0] ?? today));
  const days = starts.map((start) => {
    const day = new Date(start).toISOString().slice(0, 10);
    return { ...(found.get(day) ?? none), day };
  });
  return { week: found.get(null) ?? none, days };
}
