import type { PortalUser } from "#server/actor";
import type { Origin } from "#server/audit/audit";
import type { Context } from "#server/context";
import { confirmSession, deleteSessionsExcept, lockAccount } from "../store";
import { issueBackupCodes } from "./issue-backup-codes";
import { confirmFactor, findSecondFactor } from "./store";
import { matchingTimeStep } from "./totp";
import { tryCode } from "./try-code";

/**
 * Turns the second factor on: the code proves that the authenticator app has the secret. The account's other sessions end,
 * because none of them passed it; this one counts as having passed. Wants a confirmation, which the caller checks.
 * @returns the backup codes, shown this once
 * @throws SignInRefused "wrong-code" or "throttled"
 */
export async function confirmSecondFactor(
  ctx: Context,
  user: PortalUser,
  { code, origin }: { readonly code: string; readonly origin: Origin },
): Promise<{ backupCodes: string[] }> {
  const { accountId, sessionHash } = user;
  return tryCode(ctx, { accountId, code, origin, settingUp: true }, async (tx) => {
    // A sign-in under way ends before its session is looked for here, or sees the second factor.
    await lockAccount(tx, accountId);
    const factor = await findSecondFactor(tx, accountId);
    if (!factor || factor.confirmedAt) return undefined;
    const secret = ctx.keyring.open("second-factor", factor.sealed, accountId);
    const step = matchingTimeStep(secret, code.replace(/\s/g, ""), ctx.now());
    if (step === undefined) return undefined;
    const at = ctx.now();
    if (!(await confirmFactor(tx, { accountId, sealed: factor.sealed, step, at }))) return undefined;
    const backupCodes = await issueBackupCodes(ctx, tx, accountId);
    const ended = await deleteSessionsExcept(tx, accountId, sessionHash);
    await confirmSession(tx, sessionHash, { confirmedAt: at, secondFactorAt: at });
    const actor = `account:${accountId}`;
    await ctx.audit(tx, { act: "second-factor-enabled", actor, accountId, origin, details: { sessionsEnded: ended } });
    const others =
      ended > 0 ? ` You were signed out in ${ended === 1 ? "1 other browser" : `${ended} other browsers`}.` : "";
    await ctx.notify(tx, accountId, {
      kind: "second-factor-enabled",
      text: `Signing in now asks for a code of your authenticator app.${others}`,
    });
    return { backupCodes };
  });
}
