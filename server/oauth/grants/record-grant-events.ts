import type { Queryable } from "#db/client";
import type { Context } from "#server/context";
import type { NewEvent } from "#server/event-log/event-type";
import { recordEvents } from "#server/event-log/record-events";
import type { endings, grantApproved, grantEnded, grantNarrowed, grantPaused, grantResumed } from "./events";
import { type Above, listGrantsBelow } from "./store";

type Ending = (typeof endings)[number];

/** What is to be told of every live grant below a consent or an account. */
type Told =
  | { readonly type: typeof grantNarrowed | typeof grantApproved }
  | { readonly type: typeof grantPaused; readonly reason: "player" | "operator" }
  | { readonly type: typeof grantResumed }
  | { readonly type: typeof grantEnded; readonly reason: Ending };

/** Prepares to tell applications what happens to their live grants. Call it before the grants end, and record what it returns last. */
export async function grantEventsOf(ctx: Context, tx: Queryable, above: Above, told: Told): Promise<NewEvent[]> {
  const below = await listGrantsBelow(tx, above, ctx.now());
  return below.map(({ grantId, clientId, playerId, scopes: open }) => ({
    type: told.type,
    subject: grantId,
    ...{ grantId, clientId, playerId },
    data: "reason" in told ? { reason: told.reason } : { scopes: open },
  }));
}

/** Tells applications what happened to their live grants below a consent or an account. */
export const recordGrantEvents = async (ctx: Context, tx: Queryable, above: Above, told: Told): Promise<void> =>
  recordEvents(ctx, tx, await grantEventsOf(ctx, tx, above, told));
