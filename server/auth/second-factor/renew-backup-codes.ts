import type { PortalUser } from "#server/actor";
import type { Origin } from "#server/audit/audit";
import type { Context } from "#server/context";
import { GeneralError } from "#server/failures";
import { issueBackupCodes } from "./issue-backup-codes";
import { findSecondFactor } from "./store";

/**
 * Makes new backup codes; all before them are dead. Wants a confirmation, which the caller checks.
 * @returns the codes, shown this once
 * @throws GeneralError where the second factor is off
 */
export async function renewBackupCodes(
  ctx: Context,
  user: PortalUser,
  origin: Origin,
): Promise<{ backupCodes: string[] }> {
  const { accountId } = user;
  return ctx.database.transaction(async (tx) => {
    if (!(await findSecondFactor(tx, accountId))?.confirmedAt)
      throw GeneralError.because({ message: "The second factor is off: there is nothing to make backup codes for." });
    const backupCodes = await issueBackupCodes(ctx, tx, accountId);
    await ctx.audit(tx, { act: "backup-codes-renewed", actor: `account:${accountId}`, accountId, origin });
    return { backupCodes };
  });
}
