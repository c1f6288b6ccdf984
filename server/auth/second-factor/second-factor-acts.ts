import type { Queryable } from "#db/client";
import type { Administrator, PortalUser } from "#server/actor";
import type { Context } from "#server/context";
import { GeneralError } from "#server/failures";
import type { Settings } from "#server/platform/env";
import { requirePlayerName } from "#server/users/find-players";
import { countUnusedProofs, deleteProofs, putProofs } from "#server/work/proofs";
import { countPasskeys, deletePasskeys, markPasskeysConfirmed } from "../passkeys/store";
import { deleteSessionsOf } from "../sessions";
import { signInRefused } from "../sign-in-refused";
import {
  deleteSessionsExcept,
  findSecondFactorAt,
  lockAccount,
  markSessionConfirmed,
} from "../store";
import { coversBothFactors } from "./second-step";
import {
  deleteSecondFactor,
  findSecondFactor,
  markFactorConfirmed,
  putUnconfirmedFactor,
} from "./store";
import {
  backupCodeCount,
  findTimeStep,
  formatBackupCode,
  mintBackupCode,
  mintTotpSecret,
  qrCodeDataUrl,
  totpUri,
} from "./totp";
import { backupCodeHmacInput, tryCode, verifyCode } from "./try-code";

export async function showSecondFactor(ctx: Context, user: PortalUser) {
  const on = ctx.database.query;
  const factor = await findSecondFactor(on, user.accountId);
  if (!factor?.confirmedAt) return { since: null, backupCodesLeft: 0 };
  return {
    since: factor.confirmedAt,
    backupCodesLeft: await countUnusedProofs(on, user.accountId, "backup-code"),
  };
}

/** The caller checks the confirmation. @throws GeneralError if a second factor is on */
export async function beginSecondFactor(ctx: Context, user: PortalUser) {
  const { accountId, playerId } = user;
  const name = await requirePlayerName(ctx, playerId);
  const secret = mintTotpSecret(ctx.ids.bytes);
  const sealed = ctx.keyring.seal("second-factor", secret, accountId);
  if (
    !(await putUnconfirmedFactor(ctx.database.query, { accountId, sealed, createdAt: ctx.now() }))
  )
    throw GeneralError.because({
      message: "The second factor is on already. Turn it off first to set up another app.",
    });
  const uri = totpUri(secret, `${name} [${playerId}]`);
  return { secret, uri, qrCode: qrCodeDataUrl(uri) };
}

/**
 * Ends the other sessions, which did not pass the factor. The caller checks the confirmation.
 * @param given.keep passkeys that count as both factors from now on; all others are removed
 * @throws SignInRefused "wrong-code" or "throttled"
 */
export async function confirmSecondFactor(
  ctx: Context,
  by: PortalUser,
  { code, keep }: { code: string; keep: readonly string[] },
): Promise<{ backupCodes: string[] }> {
  const { accountId, sessionHash } = by;
  return tryCode(ctx, by, { code, settingUp: true }, async (tx) => {
    // Serialises with sign-ins.
    await lockAccount(tx, accountId);
    const factor = await findSecondFactor(tx, accountId);
    if (!factor || factor.confirmedAt) return undefined;
    const secret = ctx.keyring.open("second-factor", factor.sealed, accountId);
    const step = findTimeStep(secret, code.replace(/\s/g, ""), ctx.now());
    if (step === undefined) return undefined;
    const at = ctx.now();
    if (!(await markFactorConfirmed(tx, { accountId, sealed: factor.sealed, step, at })))
      return undefined;
    const backupCodes = await issueBackupCodes(ctx, tx, accountId);
    const removed = await deletePasskeys(tx, accountId, { except: keep });
    await markPasskeysConfirmed(tx, { accountId, ids: keep, at });
    const ended = await deleteSessionsExcept(tx, accountId, sessionHash);
    await markSessionConfirmed(tx, sessionHash, { confirmedAt: at, secondFactorAt: at });
    await ctx.audit(tx, by, "second_factor.enabled", {
      details: { sessionsEnded: ended, passkeys: removed.length },
    });
    const others =
      ended > 0
        ? ` You were signed out in ${ended === 1 ? "1 other browser" : `${ended} other browsers`}.`
        : "";
    await ctx.notify(tx, {
      accountId,
      kind: "second-factor-enabled",
      text: `Signing in now asks for a code from your authenticator app.${others}`,
    });
    return { backupCodes };
  });
}

/**
 * The caller checks the confirmation.
 * @throws GeneralError if the second factor is off, SignInRefused "session-over"
 */
export async function renewBackupCodes(
  ctx: Context,
  by: PortalUser,
): Promise<{ backupCodes: string[] }> {
  const { accountId, sessionHash } = by;
  return ctx.database.transaction(async (tx) => {
    await lockAccount(tx, accountId);
    const factor = await findSecondFactor(tx, accountId);
    if (!factor?.confirmedAt)
      throw GeneralError.because({
        message: "The second factor is off, so there are no backup codes to create.",
      });
    // A session from before the second factor could pass it with the new codes.
    if (!coversBothFactors(await findSecondFactorAt(tx, sessionHash), factor))
      throw signInRefused("session-over");
    const backupCodes = await issueBackupCodes(ctx, tx, accountId);
    await ctx.audit(tx, by, "backup_codes.renewed");
    return { backupCodes };
  });
}

/**
 * The caller checks the confirmation.
 * @throws SignInRefused "wrong-code" or "throttled"
 */
export async function disableSecondFactor(
  ctx: Context,
  by: PortalUser,
  { code }: { code: string },
): Promise<void> {
  const { accountId } = by;
  await tryCode(ctx, by, { code }, async (tx) => {
    const factor = await verifyCode(ctx, tx, { accountId, code });
    if (!factor || !(await deleteSecondFactor(tx, accountId))) return undefined;
    await ctx.audit(tx, by, "second_factor.disabled", { details: { by: factor } });
    await ctx.notify(tx, {
      accountId,
      kind: "second-factor-disabled",
      text: "The second factor is off. If that was not you, replace your game key and turn it on again.",
    });
    return true;
  });
}

/**
 * Also removes passkeys and ends all sessions. The caller checks the administrator and the owner's
 * identity.
 * @throws GeneralError if the account has neither a second factor nor a passkey
 */
export async function resetSecondFactor(
  ctx: Context,
  by: Administrator,
  { accountId, reason }: { accountId: string; reason: string },
): Promise<void> {
  await ctx.database.transaction(async (tx) => {
    await lockAccount(tx, accountId);
    const [factor, passkeys] = [
      await deleteSecondFactor(tx, accountId),
      await deletePasskeys(tx, accountId),
    ];
    if (!factor && passkeys.length === 0)
      throw GeneralError.because({ message: "The account has no second factor and no passkey." });
    const sessions = await deleteSessionsOf(tx, accountId);
    await ctx.audit(tx, by, "second_factor.reset", {
      accountId,
      details: { reason, sessions, passkeys: passkeys.length },
    });
    await ctx.notify(tx, {
      accountId,
      kind: "second-factor-reset",
      text: `An admin removed the second factor and the passkeys from your account (${reason}). If you did not ask for this, replace your game key and set them up again.`,
    });
  });
}

export const readSecondFactorStatus = async (on: Queryable, accountId: string) => ({
  secondFactor: (await findSecondFactor(on, accountId))?.confirmedAt != null,
  passkeys: await countPasskeys(on, accountId),
});

async function issueBackupCodes(ctx: Context, tx: Queryable, accountId: string): Promise<string[]> {
  const codes = Array.from({ length: backupCodeCount }, () => mintBackupCode(ctx.ids.bytes));
  await deleteProofs(tx, accountId, ["backup-code"]);
  await putProofs(
    tx,
    codes.map((code) => {
      const { hash, keyId } = ctx.keyring.hmac("backup-code", backupCodeHmacInput(accountId, code));
      const kind = "backup-code";
      return { id: hash, hashKeyId: keyId, kind, accountId, createdAt: ctx.now() };
    }),
  );
  return codes.map(formatBackupCode);
}

export const mayAdminister = (
  { admin, secondFactor }: PortalUser,
  { adminSecondFactor }: Pick<Settings, "adminSecondFactor">,
): boolean => admin && (secondFactor === "passed" || adminSecondFactor === "waived");
