import type { PortalUser } from "../../actor";
import type { Context } from "../../context";
import type { FailedAttempt } from "./attempts/failed-attempt";
import { listFailedAttempts } from "./attempts/store";
import { lookBack } from "./look-back";
import { type Page, pageOf, readCursor } from "./page-cursor";
import { requireOwnApplication } from "./require-own-application";

const pageSize = 50;

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
  const since = lookBack(ctx.now());
  const rows = await listFailedAttempts(on, { clientId, since, after: readCursor(asked.after), limit: pageSize + 1 });
  return pageOf(rows, pageSize);
}
