import type { Origin } from "#server/audit/audit";
import { auditRefusal } from "#server/audit/audit-refusal";
import type { Context } from "#server/context";
import { findSecondFactor } from "../second-factor/store";
import type { Browser } from "../sessions";
import { addressWindow, chargedTry } from "../sign-in-throttle";
import { type SignedIn, startSession } from "../start-session";
import { lockAccount } from "../store";
import { notifyCopiedPasskey, type ProvedPasskey, provePasskey, usePasskey } from "./prove-passkey";

export interface PasskeySignIn {
  /** The browser's answer to the challenge, as text. */
  readonly answer: string;
  readonly browserId: string | null;
  readonly browser: Browser;
  /** The token of the session that the browser had so far; it ends. */
  readonly previousSession: string | null;
  readonly origin: Origin;
}

/**
 * Signs in the owner of a passkey. The authenticator is something they have, and it verified them by something they know or
 * are: no second factor is asked for. What the player may see follows stored data; a dead game key stays dead.
 * @throws SignInRefused with the reason
 */
export async function signInWithPasskey(ctx: Context, input: PasskeySignIn): Promise<SignedIn> {
  const { answer, browserId, browser, previousSession, origin } = input;
  let proved: ProvedPasskey | undefined;
  return chargedTry(ctx, [addressWindow(ctx.settings.rates, origin.address)], {
    attempt: async () => {
      const passkey = await provePasskey(ctx, { answer, browserId, purpose: "sign-in", accountId: null });
      proved = passkey;
      const { accountId, playerId } = passkey;
      return ctx.database.transaction(async (tx) => {
        // As every sign-in: turning the second factor on, or removing this passkey, ends its session or comes first.
        await lockAccount(tx, accountId);
        await usePasskey(ctx, tx, passkey);
        const factor = await findSecondFactor(tx, accountId);
        const who = { accountId, playerId, browser, previousSession, origin, details: {} };
        return startSession(ctx, tx, { ...who, by: "passkey", ...(factor?.confirmedAt ? { secondFactor: true } : {}) });
      });
    },
    onRefused: async ({ reason }) => {
      const [accountId, details] = [proved?.accountId ?? null, { reason, method: "passkey" }];
      await auditRefusal(ctx, { act: "sign-in-failed", actor: "anonymous", accountId, origin, details });
      if (accountId && reason === "passkey-copied") await notifyCopiedPasskey(ctx, accountId);
    },
  });
}
