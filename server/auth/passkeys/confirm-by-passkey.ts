import type { PortalUser } from "#server/actor";
import type { Origin } from "#server/audit/audit";
import type { Context } from "#server/context";
import { noteConfirmed, tryToConfirm } from "../confirmation";
import { signInRefused } from "../sign-in-refused";
import { addressWindow } from "../sign-in-throttle";
import { notifyCopiedPasskey, provePasskey, usePasskey } from "./prove-passkey";

/**
 * Confirms that it is still the user who holds the session, by a passkey of their account. It also passes the second factor.
 * @throws SignInRefused with the reason
 */
export async function confirmByPasskey(
  ctx: Context,
  user: PortalUser,
  given: { readonly answer: string; readonly browserId: string | null; readonly origin: Origin },
): Promise<void> {
  const { accountId } = user;
  const { origin } = given;
  await tryToConfirm(ctx, user, {
    ...{ windows: [addressWindow(ctx.settings.rates, origin.address)], origin },
    onRefused: async (reason) => {
      if (reason === "passkey-copied") await notifyCopiedPasskey(ctx, accountId);
    },
    attempt: async () => {
      const passkey = await provePasskey(ctx, { ...given, purpose: "confirmation", accountId });
      if (passkey.accountId !== accountId) throw signInRefused("passkey-of-another");
      await ctx.database.transaction(async (tx) => {
        await usePasskey(ctx, tx, passkey);
        await noteConfirmed(ctx, tx, user, { by: "passkey", origin, passesSecondFactor: true });
      });
    },
  });
}
