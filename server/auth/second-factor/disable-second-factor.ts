import type { PortalUser } from "#server/actor";
import type { Origin } from "#server/audit/audit";
import type { Context } from "#server/context";
import { proveCode } from "./prove-code";
import { deleteSecondFactor } from "./store";
import { tryCode } from "./try-code";

/**
 * Turns the second factor off, for one last code of it. Wants a confirmation, which the caller checks.
 * @throws SignInRefused "wrong-code" or "throttled"
 */
export async function disableSecondFactor(
  ctx: Context,
  user: PortalUser,
  { code, origin }: { readonly code: string; readonly origin: Origin },
): Promise<void> {
  const { accountId } = user;
  await tryCode(ctx, { accountId, code, origin }, async (tx) => {
    const by = await proveCode(ctx, tx, { accountId, code });
    if (!by || !(await deleteSecondFactor(tx, accountId))) return undefined;
    const details = { by };
    await ctx.audit(tx, { act: "second-factor-disabled", actor: `account:${accountId}`, accountId, origin, details });
    await ctx.notify(tx, accountId, {
      kind: "second-factor-disabled",
      text: "The second factor is off. If that was not you, replace your game key and turn it on again.",
    });
    return true;
  });
}
