import type { Context } from "#server/context";
import { UnknownOAuthClient } from "#server/failures";
import { playerCountLimit, playerCountLimitInList } from "#server/oauth/clients/count-limits";
import { countDevices, countPlayers } from "#server/oauth/clients/live-grants/live-grants";
import { type CappedCount, noCount } from "#server/platform/capped-count";
import { type ApplicationSearch, type PageOf, readNumberedPage } from "../contract";
import {
  type AdminListedApplication,
  type InspectedApplication,
  inspectApplication,
  listAllApplications,
} from "./store";

/** An application in a list, with the players who have a live consent. */
export interface FoundApplication extends AdminListedApplication {
  readonly users: CappedCount;
}

/** Registered applications that fit the search, newest first. */
export async function searchApplications(
  ctx: Context,
  { page, ...query }: ApplicationSearch,
): Promise<PageOf<FoundApplication>> {
  const { rows, more } = await readNumberedPage(page, (window) =>
    listAllApplications(ctx.database.query, { ...query, ...window }),
  );
  const clientIds = rows.map(({ clientId }) => clientId);
  const users = await countPlayers(ctx, { clientIds, most: playerCountLimitInList });
  return { rows: rows.map((row) => ({ ...row, users: users.get(row.clientId) ?? noCount })), more };
}

/** An application with all that its developer said of it, and how many it reaches. */
export interface ShownApplication extends InspectedApplication {
  /** Players with a live consent. */
  readonly users: CappedCount;
  /** Devices on which something of what they approved can still be used. */
  readonly grants: CappedCount;
}

/** Any developer's application. @throws UnknownOAuthClient */
export async function showAnyApplication(ctx: Context, clientId: string): Promise<ShownApplication> {
  const application = await inspectApplication(ctx.database.query, clientId);
  if (!application) throw UnknownOAuthClient.because();
  const users = (await countPlayers(ctx, { clientIds: [clientId], most: playerCountLimit })).get(clientId) ?? noCount;
  return { ...application, users, grants: (await countDevices(ctx, [clientId])).get(clientId) ?? noCount };
}
