import type { Context } from "#server/context";
import { countPlayers } from "#server/oauth/clients/count-players";
import { mostPlayersInList } from "#server/oauth/clients/most-counted";
import { noTally, type Tally } from "#server/tally";
import type { ApplicationSearch } from "../contract";
import { type PageOf, pageOf } from "../page-of";
import { type ListedApplication, listApplications } from "./store";

/** An application in a list, with the players who have a live consent. */
export interface FoundApplication extends ListedApplication {
  readonly users: Tally;
}

/** Registered applications that fit the search, newest first. */
export async function searchApplications(
  ctx: Context,
  { page, ...wish }: ApplicationSearch,
): Promise<PageOf<FoundApplication>> {
  const { rows, more } = await pageOf(page, (window) => listApplications(ctx.database.query, { ...wish, ...window }));
  const clientIds = rows.map(({ clientId }) => clientId);
  const users = await countPlayers(ctx, { clientIds, most: mostPlayersInList });
  return { rows: rows.map((row) => ({ ...row, users: users.get(row.clientId) ?? noTally })), more };
}
