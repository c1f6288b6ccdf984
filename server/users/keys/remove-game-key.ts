import type { PortalUser } from "#server/actor";
import type { Origin } from "#server/audit/audit";
import type { Context } from "#server/context";
import { deleteOwnKey } from "./store";

/**
 * Forgets one of the user's own keys. One that is gone already, or another account's, is left alone without a word. Wants a
 * confirmation, which the caller checks.
 * @returns how many were removed, 0 or 1
 */
export async function removeGameKey(
  ctx: Context,
  user: PortalUser,
  { keyId, origin }: { readonly keyId: string; readonly origin: Origin },
): Promise<number> {
  const { accountId } = user;
  return ctx.database.transaction(async (tx) => {
    if (!(await deleteOwnKey(tx, { id: keyId, accountId }))) return 0;
    const details = { keyId };
    await ctx.audit(tx, { act: "game-key-removed", actor: `account:${accountId}`, accountId, origin, details });
    return 1;
  });
}
