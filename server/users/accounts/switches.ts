import type { PortalUser } from "#server/actor";
import type { Origin } from "#server/audit/audit";
import type { Context } from "#server/context";
import { findAccount, setFightSharing, setKeyLending } from "./store";

/** Whether the user lets their keys read public data for everybody. */
export async function showKeyLending(ctx: Context, user: PortalUser): Promise<boolean> {
  return (await findAccount(ctx.database.query, user.accountId))?.lendsKey ?? false;
}

/** Lets the user's keys read public data for everybody, or stops that. Once more the same changes nothing. */
export async function lendOwnKey(
  ctx: Context,
  user: PortalUser,
  { lends, origin }: { readonly lends: boolean; readonly origin: Origin },
): Promise<void> {
  const { accountId } = user;
  await ctx.database.transaction(async (tx) => {
    if (!(await setKeyLending(tx, accountId, lends))) return;
    const details = { lends };
    await ctx.audit(tx, { act: "key-lending-changed", actor: `account:${accountId}`, accountId, origin, details });
  });
}

/** Whether scores of the user's opponents may be derived from the user's fights. */
export async function showFightSharing(ctx: Context, user: PortalUser): Promise<boolean> {
  return (await findAccount(ctx.database.query, user.accountId))?.sharesOpponentStats ?? false;
}

/** Lets scores of the user's opponents be derived from the user's fights, or stops that. Once more the same changes nothing. */
export async function shareOwnFights(
  ctx: Context,
  user: PortalUser,
  { shares, origin }: { readonly shares: boolean; readonly origin: Origin },
): Promise<void> {
  const { accountId } = user;
  await ctx.database.transaction(async (tx) => {
    if (!(await setFightSharing(tx, accountId, shares))) return;
    const details = { shares };
    await ctx.audit(tx, { act: "fight-sharing-changed", actor: `account:${accountId}`, accountId, origin, details });
  });
}
