import type { PortalUser } from "#server/actor";
import type { Context } from "#server/context";
import { findAccount } from "./store";

/** Whether the user lets their keys read public data for everybody. */
export async function showKeyLending(ctx: Context, user: PortalUser): Promise<boolean> {
  return (await findAccount(ctx.database.query, user.accountId))?.lendsKey ?? false;
}
