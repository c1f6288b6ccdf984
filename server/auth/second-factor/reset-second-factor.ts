import type { PortalUser } from "#server/actor";
import type { Origin } from "#server/audit/audit";
import type { Context } from "#server/context";
import { GeneralError } from "#server/failures";
import { endAllSessions } from "../end-all-sessions";
import { deleteSecondFactor } from "./store";

/**
 * Takes the second factor from an account whose owner can pass it no more, in an admin's name. Whoever asked for it has to sign in
 * with the first factor afterwards: all sessions are over. The caller checks that the admin is one, and who it is that asks.
 * @throws GeneralError where the account has no second factor
 */
export async function resetSecondFactor(
  ctx: Context,
  admin: PortalUser,
  { accountId, reason }: { readonly accountId: string; readonly reason: string },
  origin: Origin,
): Promise<void> {
  await ctx.database.transaction(async (tx) => {
    if (!(await deleteSecondFactor(tx, accountId)))
      throw GeneralError.because({ message: "The account has no second factor." });
    const sessions = await endAllSessions(tx, accountId);
    const actor = `account:${admin.accountId}`;
    await ctx.audit(tx, { act: "second-factor-reset", actor, accountId, origin, details: { reason, sessions } });
    await ctx.notify(tx, accountId, {
      kind: "second-factor-reset",
      text: `An admin took the second factor off your account (${reason}). If you did not ask for it, replace your game key and turn it on again.`,
    });
  });
}
