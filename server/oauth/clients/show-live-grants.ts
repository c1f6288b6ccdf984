import type { PortalUser } from "../../actor";
import type { Context } from "../../context";
import { noTally } from "../../tally";
import type { GrantCounts, LiveGrant } from "./live-grants/live-grant";
import { countLiveGrants, listLiveGrants } from "./live-grants/store";
import { type Page, pageOf, readCursor } from "./page-cursor";
import { requireOwnApplication } from "./require-own-application";

/** A page of an application's live grants, and how many there are in all as far as they are counted. */
export interface LiveGrants extends Page<LiveGrant> {
  readonly all: GrantCounts;
}

const pageSize = 50;
const none: GrantCounts = { players: noTally, grants: noTally, tokens: noTally };

/**
 * The devices on which players let the user's application in, newest first.
 * @param asked.after where to go on, as the page before said
 * @throws UnknownOAuthClient
 */
export async function showLiveGrants(
  ctx: Context,
  user: PortalUser,
  asked: { readonly clientId: string; readonly after: string | null },
): Promise<LiveGrants> {
  const on = ctx.database.query;
  const { clientId } = await requireOwnApplication(on, user, asked.clientId);
  const now = ctx.now();
  const rows = await listLiveGrants(on, { clientId, after: readCursor(asked.after), limit: pageSize + 1 }, now);
  const counts = await countLiveGrants(on, [clientId], now);
  return { ...pageOf(rows, pageSize), all: counts.get(clientId) ?? none };
}
