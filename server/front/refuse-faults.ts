import type { ServerResponse } from "node:http";
import { type Context, perProcess } from "#server/context";
import { internalRequestIdHeader } from "#server/platform/peer-address";
import { ServiceUnavailable } from "../failures";
import { refusalOf } from "../trpc/refusal";
import { pathnameOf, refusePage } from "./refuse";
import type { PageHandler } from "./shared-pages";

/**
 * Keyed by request id of a page under way; true if it failed because the database is unavailable.
 */
const visits = perProcess("visits", () => new Map<string, boolean>());

/** Next turns every error into a page with status 500, so the cause is noted. */
export function noteTemporaryFault(ctx: Context, thrown: unknown, requestId: string): void {
  const all = visits(ctx);
  if (all.has(requestId) && refusalOf(thrown).code === ServiceUnavailable.code)
    all.set(requestId, true);
}

/** Replaces a 5xx if `isKnown`. Later writes are discarded. */
export function replaceServerError(
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
    // Compression may have replaced these methods.
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

export function withFaultRefusal(ctx: Context, pages: PageHandler): PageHandler {
  return async (request, response) => {
    const requestId = String(request.headers[internalRequestIdHeader] ?? "");
    const all = visits(ctx);
    all.set(requestId, false);
    response.once("close", () => all.delete(requestId));
    // Front and Next add up to a dozen listeners per page.
    response.setMaxListeners(20);
    const call = { pathname: pathnameOf(request) ?? "/", requestId };
    const isAway = ctx.database.outages.lasting;
    const refuse = () => refusePage(response, isAway() ? databaseAway : databaseBusy, call);
    replaceServerError(response, () => isAway() || all.get(requestId) === true, refuse);
    await pages(request, response);
  };
}
