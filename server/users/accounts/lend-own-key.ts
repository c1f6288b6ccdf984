import type { PortalUser } from "#server/actor";
import type { Origin } from "#server/audit/audit";
import type { Context } from "#server/context";
import { setKeyLending } from "./store";

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
