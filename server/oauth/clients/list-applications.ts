import type { PortalUser } from "../../actor";
import type { Context } from "../../context";
import { type ApplicationFigures, listFigures, noFigures } from "./figures/store";
import { type Page, pageOf, readCursor } from "./page-cursor";
import { type Application, listOwnApplications, type NamedApplication, nameOwnApplications } from "./store";

const pageSize = 25;
/** In a list to choose from; more than a developer may have by default. */
const mostNamed = 100;

export interface ListedApplication extends Application {
  readonly figures: ApplicationFigures;
}

/**
 * The user's applications with their figures, newest first.
 * @param asked.after where to go on, as the page before said
 */
export async function listApplications(
  ctx: Context,
  user: PortalUser,
  asked: { readonly after: string | null } = { after: null },
): Promise<Page<ListedApplication>> {
  const on = ctx.database.query;
  const window = { ownerId: user.accountId, after: readCursor(asked.after), limit: pageSize + 1 };
  const own = await listOwnApplications(on, window);
  const placed = own.map((application) => ({ ...application, at: application.createdAt, id: application.clientId }));
  const { rows, next } = pageOf(placed, pageSize);
  const clientIds = rows.map(({ clientId }) => clientId);
  const figures = await listFigures(on, clientIds, ctx.now());
  return {
    rows: rows.map(({ at: _at, id: _id, ...row }) => ({ ...row, figures: figures.get(row.clientId) ?? noFigures })),
    next,
  };
}

/** The user's newest public applications that can be used now, for the playground. */
export async function listPublicApplications(ctx: Context, user: PortalUser): Promise<NamedApplication[]> {
  const asked = { ownerId: user.accountId, kind: "public", limit: mostNamed } as const;
  return (await nameOwnApplications(ctx.database.query, asked)).filter(({ suspended }) => !suspended);
}
