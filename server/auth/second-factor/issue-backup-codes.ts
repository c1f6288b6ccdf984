import type { Queryable } from "#db/client";
import type { Context } from "#server/context";
import { backupCodeCount, mintBackupCode, writtenBackupCode } from "./backup-code";
import { boundCode } from "./prove-code";
import { replaceBackupCodes } from "./store";

/** Makes new backup codes in the place of all before them. @returns the codes, which are shown once and not kept */
export async function issueBackupCodes(ctx: Context, tx: Queryable, accountId: string): Promise<string[]> {
  const codes = Array.from({ length: backupCodeCount }, () => mintBackupCode(ctx.ids.bytes));
  await replaceBackupCodes(
    tx,
    accountId,
    codes.map((code) => ({
      id: ctx.ids.uuid(),
      print: ctx.keyring.fingerprint("backup-code", boundCode(accountId, code)),
      createdAt: ctx.now(),
    })),
  );
  return codes.map(writtenBackupCode);
}
