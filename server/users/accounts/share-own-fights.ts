import type { PortalUser } from "#server/actor";
import type { Origin } from "#server/audit/audit";
import type { Context } from "#server/context";
import { setFightSharing } from "./store";

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
