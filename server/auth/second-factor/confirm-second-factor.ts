import type { PortalUser } from "#server/actor";
import type { Origin } from "#server/audit/audit";
import type { Context } from "#server/context";
import { issueBackupCodes } from "./issue-backup-codes";
import { confirmFactor, findSecondFactor } from "./store";
import { matchingTimeStep } from "./totp";
import { tryCode } from "./try-code";

/**
 * Turns the second factor on: the code proves that the authenticator app has the secret. Wants a fresh sign-in, which the
 * caller checks.
 * @returns the backup codes, shown this once
 * @throws SignInRefused "wrong-code" or "throttled"
 */
export async function confirmSecondFactor(
  ctx: Context,
  user: PortalUser,
  { code, origin }: { readonly code: string; readonly origin: Origin },
): Promise<{ backupCodes: string[] }> {
  const { accountId } = user;
  return tryCode(ctx, { accountId, origin }, async (tx) => {
    const factor = await findSecondFactor(tx, accountId);
    if (!factor || factor.confirmedAt) return undefined;
    const secret = ctx.keyring.open("second-factor", factor.sealed, accountId);
    const step = matchingTimeStep(secret, code.replace(/\s/g, ""), ctx.now());
    if (step === undefined) return undefined;
    if (!(await confirmFactor(tx, { accountId, sealed: factor.sealed, step, at: ctx.now() }))) return undefined;
    const backupCodes = await issueBackupCodes(ctx, tx, accountId);
    await ctx.audit(tx, { act: "second-factor-enabled", actor: `account:${accountId}`, accountId, origin });
    await ctx.notify(tx, accountId, {
      kind: "second-factor-enabled",
      text: "Signing in now asks for a code of your authenticator app.",
    });
    return { backupCodes };
  });
}
