import type { Queryable } from "#db/client";
import type { Origin } from "#server/audit/audit";
import type { Context } from "#server/context";
import { networkOf } from "#server/platform/network-of";
import { isSignInRefused, signInRefused } from "../sign-in-refused";
import { chargeTry } from "../sign-in-throttle";

/** Wrong codes a clock minute, for an account and for an address. */
export const wrongCodesAMinute = 5;

/** Who tries a code, and from where. */
export interface CodeTry {
  readonly accountId: string;
  readonly origin: Origin;
}

/**
 * Checks a code and does what it opens, in one transaction. The try is charged before the check, so that of guesses at the
 * same moment no more than the limit are looked at; what was no wrong code is given back.
 * @param act uses the code up and acts; gives undefined for a wrong code, and nothing of it stays
 * @throws SignInRefused "throttled" or "wrong-code", and what `act` throws
 */
export async function tryCode<Done>(
  ctx: Context,
  { accountId, origin }: CodeTry,
  act: (tx: Queryable) => Promise<Done | undefined>,
): Promise<Done> {
  const giveBack = await chargeTry(ctx, [
    { policy: "second-factor-account", subject: accountId, limit: wrongCodesAMinute },
    { policy: "second-factor-address", subject: networkOf(origin.address), limit: wrongCodesAMinute },
  ]);
  try {
    const done = await ctx.database.transaction(async (tx) => {
      const acted = await act(tx);
      if (acted === undefined) throw signInRefused("wrong-code");
      return acted;
    });
    await giveBack();
    return done;
  } catch (thrown) {
    const wrong = isSignInRefused(thrown) && thrown.reason === "wrong-code";
    if (!wrong) await giveBack();
    else
      await ctx.audit(ctx.database.query, {
        act: "second-factor-failed",
        actor: `account:${accountId}`,
        accountId,
        origin,
      });
    throw thrown;
  }
}
