import type { PortalUser } from "../../actor";
import type { Context } from "../../context";
import type { Funnel } from "./funnel/funnel";
import { countFunnel } from "./funnel/store";
import { lookBack } from "./look-back";
import { requireOwnApplication } from "./require-own-application";

/**
 * How many players of the last seven days came from the consent page to the first call.
 * @throws UnknownOAuthClient
 */
export async function showFunnel(ctx: Context, user: PortalUser, asked: { clientId: string }): Promise<Funnel> {
  const on = ctx.database.query;
  const { clientId } = await requireOwnApplication(on, user, asked.clientId);
  return countFunnel(on, clientId, lookBack(ctx.now()));
}
