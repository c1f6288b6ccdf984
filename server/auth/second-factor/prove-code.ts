import type { Queryable } from "#db/client";
import type { Context } from "#server/context";
import { readBackupCode } from "./backup-code";
import { countBackupCodes, findSecondFactor, takeBackupCode, takeTimeStep } from "./store";
import { isTotpCode, matchingTimeStep } from "./totp";

/**
 * Checks a code against the account's confirmed second factor and uses it up: a one-time password with its time step and all
 * before it, a backup code for good, of which the owner gets a notice. Call it within `tryCode`, which limits guesses.
 * @returns which kind it was; undefined for a wrong or used one
 */
export async function proveCode(
  ctx: Context,
  tx: Queryable,
  { accountId, code }: { readonly accountId: string; readonly code: string },
): Promise<"totp" | "backup-code" | undefined> {
  const digits = code.replace(/\s/g, "");
  if (isTotpCode(digits)) return (await proveTotp(ctx, tx, { accountId, code: digits })) ? "totp" : undefined;
  const backupCode = readBackupCode(code);
  if (backupCode === undefined || !(await findSecondFactor(tx, accountId))?.confirmedAt) return undefined;
  const hashes = ctx.keyring.fingerprints("backup-code", boundCode(accountId, backupCode)).map(({ hash }) => hash);
  if (!(await takeBackupCode(tx, { accountId, hashes, at: ctx.now() }))) return undefined;
  await tellOwner(ctx, tx, accountId);
  return "backup-code";
}

async function tellOwner(ctx: Context, tx: Queryable, accountId: string): Promise<void> {
  const left = await countBackupCodes(tx, accountId);
  const text = `A backup code was used, and ${left} of them are left. If that was not you, make new ones and replace your game key.`;
  await ctx.notify(tx, accountId, { kind: "backup-code-used", text });
}

/** What a backup code's stored hash is made of: the same code of another account has another hash. */
export const boundCode = (accountId: string, code: string): string => `${accountId} ${code}`;

async function proveTotp(ctx: Context, tx: Queryable, { accountId, code }: { accountId: string; code: string }) {
  const factor = await findSecondFactor(tx, accountId);
  if (!factor?.confirmedAt) return false;
  const secret = ctx.keyring.open("second-factor", factor.sealed, accountId);
  const step = matchingTimeStep(secret, code, ctx.now());
  if (step === undefined) return false;
  const sealed = ctx.keyring.seal("second-factor", secret, accountId);
  return takeTimeStep(tx, { accountId, step, sealed });
}
