import { type Context, perProcess } from "#server/context";
import { ServiceUnavailable } from "#server/failures";
import { isConnectionLost } from "#server/platform/connection-lost";
import { failureBehind } from "#server/trpc/refusal";

/** In requests that the front hands to the pages: which visit it is. It is set over what a client sent. */
export const visitHeader = "x-adjutant-visit";

/** Visits under way, and whether the page failed because the database cannot be asked now. */
const visits = perProcess("visits", () => new Map<string, boolean>());

/** A page that is being asked for. */
export interface Visit {
  readonly id: string;
  /** Whether it failed for a reason that passes: the pool was full, or the database did not answer in time. */
  failedForNow(): boolean;
  end(): void;
}

export function beginVisit(ctx: Context): Visit {
  const id = ctx.ids.request();
  const all = visits(ctx);
  all.set(id, false);
  return { id, failedForNow: () => all.get(id) === true, end: () => void all.delete(id) };
}

/** Notes what a page threw. Next turns it into a page with status 500, whatever it was. */
export function noteFault(ctx: Context, thrown: unknown, visit: string | undefined): void {
  const all = visits(ctx);
  if (visit !== undefined && all.has(visit) && isForNow(thrown)) all.set(visit, true);
}

const isForNow = (thrown: unknown): boolean =>
  isConnectionLost(thrown) || failureBehind(thrown)?.kind.code === ServiceUnavailable.code;
