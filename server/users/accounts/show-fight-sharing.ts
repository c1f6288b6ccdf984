import type { PortalUser } from "#server/actor";
import type { Context } from "#server/context";
import { findAccount } from "./store";

/** Whether scores of the user's opponents may be derived from the user's fights. */
export async function showFightSharing(ctx: Context, user: PortalUser): Promise<boolean> {
  return (await findAccount(ctx.database.query, user.accountId))?.sharesOpponentStats ?? false;
}
