import type { ServerResponse } from "node:http";
import { type Context, perProcess } from "#server/context";
import { internalRequestHeader } from "#server/platform/peer-address";
import { ServiceUnavailable } from "../failures";
import { isConnectionLost } from "../platform/connection-lost";
import { failureBehind } from "../trpc/refusal";
import type { PageHandler } from "./ask-pages";
import { pathnameOf, refusePage } from "./refuse";

/** In requests that the front hands to the pages: which visit it is. It is set over what a client sent. */
export const visitHeader = "x-adjutant-visit";

/** Visits under way, and whether the page failed because the database cannot be asked now. */
const visits = perProcess("visits", () => new Map<string, boolean>());

/** A page that is being asked for. */
interface Visit {
  readonly id: string;
  /** Whether it failed for a reason that passes: the pool was full, or the database did not answer in time. */
  failedForNow(): boolean;
  end(): void;
}

function beginVisit(ctx: Context): Visit {
  const id = ctx.ids.request();
  const all = visits(ctx);
  all.set(id, false);
  return { id, failedForNow: () => all.get(id) === true, end: () => void all.delete(id) };
}

/** Notes what a page threw. Next turns it into a page with status 500, whatever it was. */
export function noteFault(ctx: Context, thrown: unknown, visit: string): void {
  const all = visits(ctx);
  if (all.has(visit) && isForNow(thrown)) all.set(visit, true);
}

const isForNow = (thrown: unknown): boolean =>
  isConnectionLost(thrown) || failureBehind(thrown)?.kind.code === ServiceUnavailable.code;

/**
 * Where `isKnown` says so, lets `refuse` answer in place of a status of 500 and above that the pages are about to send: Next
 * knows no other for a page that failed. What it writes then goes nowhere.
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
    // Also what compresses the pages has put itself in front of these methods.
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

/** Lets pages that fail for a reason that passes say so, with status 503: Next knows no other than 500. Belongs into the pages' process. */
export function refuseFaults(ctx: Context, pages: PageHandler): PageHandler {
  return async (request, response) => {
    const visit = beginVisit(ctx);
    response.once("close", visit.end);
    // It is set over what a client sent.
    request.headers[visitHeader] = visit.id;
    // The front and Next listen up to a dozen times to the end of a page: Node would take that for a leak.
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
