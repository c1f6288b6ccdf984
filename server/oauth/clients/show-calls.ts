import type { PortalUser } from "../../actor";
import type { Context } from "../../context";
import { lookBack } from "./look-back";
import { type Page, pageOf, readCursor } from "./page-cursor";
import { requireOwnApplication } from "./require-own-application";
import type { CallOutcome } from "./traffic/call-outcome";
import { listCalls } from "./traffic/store";
import type { LoggedCall } from "./traffic/traffic";

const pageSize = 50;

/**
 * The last calls of the user's application, newest first; of seven days.
 * @param asked.after where to go on, as the page before said
 * @throws UnknownOAuthClient
 */
export async function showCalls(
  ctx: Context,
  user: PortalUser,
  asked: { readonly clientId: string; readonly outcome: CallOutcome; readonly after: string | null },
): Promise<Page<LoggedCall>> {
  const on = ctx.database.query;
  const { clientId } = await requireOwnApplication(on, user, asked.clientId);
  // Lines that a filter leaves out must be read as well: an application that never fails makes 30 days of them too many.
  const since = lookBack(ctx.now());
  const after = readCursor(asked.after);
  return pageOf(await listCalls(on, { clientId, outcome: asked.outcome, since, after, limit: pageSize + 1 }), pageSize);
}
