import type { PortalUser } from "#server/actor";
import type { Origin } from "#server/audit/audit";
import type { Context } from "#server/context";
import { isSignInRefused, signInRefused } from "../sign-in-refused";
import { addressWindow, chargeTry, isCounted } from "../sign-in-throttle";
import { confirmSession } from "../store";
import { provePasskey, usePasskey } from "./prove-passkey";

/**
 * Confirms that it is still the user who holds the session, by a passkey of their account. It also passes the second factor.
 * @throws SignInRefused with the reason
 */
export async function confirmByPasskey(
  ctx: Context,
  { accountId, sessionHash }: PortalUser,
  given: { readonly answer: string; readonly browserId: string | null; readonly origin: Origin },
): Promise<void> {
  const { origin } = given;
  const actor = `account:${accountId}`;
  const giveBack = await chargeTry(ctx, [addressWindow(ctx.settings.rates, origin.address)]);
  try {
    const passkey = await provePasskey(ctx, { ...given, purpose: "confirmation", accountId });
    if (passkey.accountId !== accountId) throw signInRefused("passkey-of-another");
    await ctx.database.transaction(async (tx) => {
      await usePasskey(ctx, tx, passkey);
      const at = ctx.now();
      if (!(await confirmSession(tx, sessionHash, { confirmedAt: at, secondFactorAt: at })))
        throw signInRefused("session-over");
      await ctx.audit(tx, { act: "identity-confirmed", actor, accountId, origin, details: { by: "passkey" } });
    });
    await giveBack();
  } catch (thrown) {
    if (!isSignInRefused(thrown) || !isCounted(thrown.reason)) await giveBack();
    if (isSignInRefused(thrown)) {
      const details = { reason: thrown.reason };
      await ctx.audit(ctx.database.query, { act: "confirmation-failed", actor, accountId, origin, details });
    }
    throw thrown;
  }
}
