import type { Context } from "#server/context";
import { internalRequestHeader } from "#server/platform/peer-address";
import type { PageHandler } from "./ask-pages";
import { insteadOfFault } from "./instead-of-fault";
import { beginVisit, visitHeader } from "./page-faults";
import { pathnameOf, refusePage } from "./refuse";

const databaseAway = { status: 503, retryAfter: 5, why: "Adjutant's database does not answer." } as const;
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
