import type { ServerResponse } from "node:http";
import { type Context, perProcess } from "#server/context";
import { internalRequestHeader } from "#server/platform/peer-address";
import { ServiceUnavailable } from "../failures";
import { refusalOf } from "../trpc/refusal";
import type { PageHandler } from "./ask-pages";
import { pathnameOf, refusePage } from "./refuse";

/** Visit id for the pages; overrides the client's. */
export const visitHeader = "x-adjutant-visit";

/** Pending visits, true if the page failed because the database is unavailable. */
const visits = perProcess("visits", () => new Map<string, boolean>());

interface Visit {
  readonly id: string;
  /** Temporary: full pool, or no answer in time. */
  failedForNow(): boolean;
  end(): void;
}

function beginVisit(ctx: Context): Visit {
  const id = ctx.ids.request();
  const all = visits(ctx);
  all.set(id, false);
  return { id, failedForNow: () => all.get(id) === true, end: () => void all.delete(id) };
}

/** Next turns every error into a page with status 500. */
export function noteFault(ctx: Context, thrown: unknown, visit: string): void {
  const all = visits(ctx);
  if (all.has(visit) && isForNow(thrown)) all.set(visit, true);
}

const isForNow = (thrown: unknown): boolean => refusalOf(thrown).code === ServiceUnavailable.code;

/**
 * If `isKnown`, `refuse` replaces a status of 500 or above, because Next has no other for a failed
 * page. Later writes are discarded.
 */
export function insteadOfFault(
  response: ServerResponse,
  isKnown: () => boolean,
  refuse: () => void,
): void {
  const { writeHead, flushHeaders, write, end } = response;
  const own = { writeHead, flushHeaders, write, end };
  const before = new Set(response.getHeaderNames());
  let replaced: boolean | undefined;

  const isReplaced = (status = response.statusCode): boolean => {
    if (replaced !== undefined) return replaced;
    replaced = status >= 500 && isKnown();
    if (!replaced) return false;
    // Also over the methods that compression installed.
    Object.assign(response, own);
    for (const name of response.getHeaderNames())
      if (!before.has(name)) response.removeHeader(name);
    refuse();
    Object.assign(response, instead);
    return true;
  };
  const unless =
    <Args extends unknown[], Result>(method: (...args: Args) => Result, result: NoInfer<Result>) =>
    (...args: Args): Result =>
      isReplaced() ? result : method.apply(response, args);
  const instead = {
    writeHead: (...args: Parameters<typeof writeHead>) =>
      isReplaced(args[0]) ? response : writeHead.apply(response, args),
    flushHeaders: unless(flushHeaders, undefined),
    write: unless(write as (...args: unknown[]) => boolean, true),
    end: unless(end as (...args: unknown[]) => ServerResponse, response),
  };
  Object.assign(response, instead);
}

const databaseAway = {
  status: 503,
  retryAfter: 5,
  why: "Adjutant's database does not answer.",
} as const;
const databaseBusy = { status: 503, retryAfter: 5, why: "Adjutant is busy." } as const;

/** Temporary faults of pages become 503 instead of Next's 500. Must run in the pages' process. */
export function refuseFaults(ctx: Context, pages: PageHandler): PageHandler {
  return async (request, response) => {
    const visit = beginVisit(ctx);
    response.once("close", visit.end);
    // Overrides the client's header.
    request.headers[visitHeader] = visit.id;
    // Front and Next add up to a dozen listeners per page, which Node would report as a leak.
    response.setMaxListeners(20);
    const call = {
      pathname: pathnameOf(request) ?? "/",
      requestId: String(request.headers[internalRequestHeader] ?? ""),
    };
    const isAway = ctx.database.outages.lasting;
    const refuse = () => refusePage(response, isAway() ? databaseAway : databaseBusy, call);
    insteadOfFault(response, () => isAway() || visit.failedForNow(), refuse);
    await pages(request, response);
  };
}
