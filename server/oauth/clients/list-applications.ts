import type { PortalUser } from "../../actor";
import type { Context } from "../../context";
import { type Application, type ApplicationFigures, applicationFigures, listOwnApplications } from "./store";

/** The user's applications with how they stand, newest first. */
export async function listApplications(
  ctx: Context,
  user: PortalUser,
): Promise<(Application & { readonly figures: ApplicationFigures })[]> {
  const own = await listOwnApplications(ctx.database.query, user.accountId);
  return Promise.all(
    own.map(async (application) => ({
      ...application,
      figures: await applicationFigures(ctx.database.query, application.clientId, ctx.now()),
    })),
  );
}
