import type { PortalUser } from "#server/actor";
import type { Origin } from "#server/audit/audit";
import type { Context } from "#server/context";
import { requireScoresRight } from "./require-scores-right";
import { type StatSharing, setStatSharing } from "./store";

/**
 * Says who may see scores that the fights of the user's faction tell from now on. Those from before stay as they were. The same
 * once more changes nothing.
 * @throws UnknownFaction, InsufficientFactionPermissions
 */
export async function changeStatSharing(
  ctx: Context,
  user: PortalUser,
  { sharing, origin }: { readonly sharing: StatSharing; readonly origin: Origin },
): Promise<void> {
  const { accountId } = user;
  await ctx.database.transaction(async (tx) => {
    const faction = await requireScoresRight(tx, user);
    if (!(await setStatSharing(tx, faction, sharing))) return;
    const details = { faction, sharing };
    await ctx.audit(tx, { act: "stat-sharing-changed", actor: `account:${accountId}`, accountId, origin, details });
  });
}
