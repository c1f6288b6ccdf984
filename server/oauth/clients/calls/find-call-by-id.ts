import type { Context } from "#server/context";
import { dayMs, minuteMs } from "#server/platform/durations";
import { instantOf, isRequestId } from "#server/platform/ids";
import { statisticsSince } from "../count-limits";
import { type CallLine, findCall } from "./store";

const logKept = 30 * dayMs;
/** What two clocks may differ, and what an answer takes: a line has the time at which its call came. */
const leeway = 5 * minuteMs;

/** Where to look for what a request left behind. */
export interface RequestWindow {
  readonly since: Date;
  readonly until: Date;
  /** Whether the id itself says so; if not, a whole week is to be read. */
  readonly exact: boolean;
}

/** An id tells when it was made, so that no index is needed; one that does not, as a proxy's, is looked for in the last seven days. */
export function windowOf(ctx: Context, requestId: string): RequestWindow {
  const now = ctx.now().getTime();
  const made = instantOf(requestId)?.getTime() ?? 0;
  return made > now - logKept && made < now + leeway
    ? { since: new Date(made - leeway), until: new Date(made + leeway), exact: true }
    : { since: statisticsSince(ctx.now()), until: ctx.now(), exact: false };
}

/** The line of a request, of one of these applications or, where nobody knows whose, of none. */
export async function findCallById(
  ctx: Context,
  clientIds: readonly string[],
  requestId: string,
): Promise<CallLine | undefined> {
  if (!isRequestId(requestId)) return undefined;
  const window = windowOf(ctx, requestId);
  return findCall(ctx.database.query, { clientIds, requestId, ...window, orNobodys: window.exact });
}
