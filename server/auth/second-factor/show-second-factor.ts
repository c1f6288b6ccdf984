import type { PortalUser } from "#server/actor";
import type { Context } from "#server/context";
import { countBackupCodes, findSecondFactor } from "./store";

/** How the user's second factor stands. */
export interface SecondFactorStanding {
  /** Since when signing in asks for it; null where it does not. */
  readonly since: Date | null;
  readonly backupCodesLeft: number;
}

/** Whether the user's sign-in asks for a second factor, and how many backup codes are left. Never the secret. */
export async function showSecondFactor(ctx: Context, user: PortalUser): Promise<SecondFactorStanding> {
  const on = ctx.database.query;
  const factor = await findSecondFactor(on, user.accountId);
  if (!factor?.confirmedAt) return { since: null, backupCodesLeft: 0 };
  return { since: factor.confirmedAt, backupCodesLeft: await countBackupCodes(on, user.accountId) };
}
