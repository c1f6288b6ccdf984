import type { PortalUser } from "../../actor";
import type { Context } from "../../context";
import { type ApplicationFigures, listFigures, noFigures } from "./figures/store";
import { type Application, listOwnApplications } from "./store";

/** The user's applications with how they stand, newest first. */
export async function listApplications(
  ctx: Context,
  user: PortalUser,
): Promise<(Application & { readonly figures: ApplicationFigures })[]> {
  const on = ctx.database.query;
  const own = await listOwnApplications(on, user.accountId);
  const clientIds = own.map(({ clientId }) => clientId);
  const figures = await listFigures(on, clientIds, ctx.now());
  return own.map((application) => ({ ...application, figures: figures.get(application.clientId) ?? noFigures }));
}
