import type { Queryable } from "#db/client";
import { type Administrator, auditActorOf, type PortalUser } from "#server/actor";
import type { Origin } from "#server/audit/audit";
import type { Context } from "#server/context";
import { GeneralError } from "#server/failures";
import type { Settings } from "#server/platform/env";
import { nameOfPlayer } from "#server/users/find-players";
import { confirmPasskeys, countPasskeys, deletePasskeysOf } from "../passkeys/store";
import { endAllSessions } from "../session-acts";
import { signInRefused } from "../sign-in-refused";
import { confirmSession, deleteSessionsExcept, findSecondFactorAt, lockAccount } from "../store";
import { standsForBoth } from "./second-step";
import {
  confirmFactor,
  countBackupCodes,
  deleteSecondFactor,
  findSecondFactor,
  putUnconfirmed,
  replaceBackupCodes,
} from "./store";
import {
  backupCodeCount,
  matchingTimeStep,
  mintBackupCode,
  mintTotpSecret,
  qrCode,
  totpUri,
  writtenBackupCode,
} from "./totp";
import { boundCode, proveCode, tryCode } from "./try-code";

/** How the user's second factor stands. */
export interface SecondFactorState {
  /** Since when signing in asks for it; null where it does not. */
  readonly since: Date | null;
  readonly backupCodesLeft: number;
}

/** Whether the user's sign-in asks for a second factor, and how many backup codes are left. Never the secret. */
export async function showSecondFactor(ctx: Context, user: PortalUser): Promise<SecondFactorState> {
  const on = ctx.database.query;
  const factor = await findSecondFactor(on, user.accountId);
  if (!factor?.confirmedAt) return { since: null, backupCodesLeft: 0 };
  return { since: factor.confirmedAt, backupCodesLeft: await countBackupCodes(on, user.accountId) };
}

/** The secret for the authenticator app. Shown once. */
export interface NewSecondFactor {
  /** Base32, for typing. */
  readonly secret: string;
  /** The same as a Key URI, for apps on this very device. */
  readonly uri: string;
  /** The same as an image. */
  readonly qrCode: string;
}

/**
 * Makes a new secret for the user's authenticator app. It asks for nothing until a first right code confirmed it; an
 * unconfirmed one before it is forgotten. Wants a confirmation, which the caller checks.
 * @throws GeneralError where a second factor is on already
 */
export async function beginSecondFactor(ctx: Context, user: PortalUser): Promise<NewSecondFactor> {
  const { accountId, playerId } = user;
  const name = await nameOfPlayer(ctx, playerId);
  const secret = mintTotpSecret(ctx.ids.bytes);
  const sealed = ctx.keyring.seal("second-factor", secret, accountId);
  if (!(await putUnconfirmed(ctx.database.query, { accountId, sealed, createdAt: ctx.now() })))
    throw GeneralError.because({
      message: "The second factor is on already. Turn it off first to set up another app.",
    });
  const uri = totpUri(secret, `${name} [${playerId}]`);
  return { secret, uri, qrCode: qrCode(uri) };
}

/**
 * Turns the second factor on: the code proves that the authenticator app has the secret. The account's other sessions end,
 * because none of them passed it; this one counts as having passed. Wants a confirmation, which the caller checks.
 * @param given.keep the passkeys that the owner recognised: they stand for both factors from now on, all others are removed
 * @returns the backup codes, shown this once
 * @throws SignInRefused "wrong-code" or "throttled"
 */
export async function confirmSecondFactor(
  ctx: Context,
  user: PortalUser,
  {
    code,
    keep,
    origin,
  }: { readonly code: string; readonly keep: readonly string[]; readonly origin: Origin },
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
    if (!(await confirmFactor(tx, { accountId, sealed: factor.sealed, step, at })))
      return undefined;
    const backupCodes = await issueBackupCodes(ctx, tx, accountId);
    const removed = await deletePasskeysOf(tx, accountId, { except: keep });
    await confirmPasskeys(tx, { accountId, ids: keep, at });
    const ended = await deleteSessionsExcept(tx, accountId, sessionHash);
    await confirmSession(tx, sessionHash, { confirmedAt: at, secondFactorAt: at });
    const actor = `account:${accountId}`;
    await ctx.audit(tx, {
      act: "second-factor-enabled",
      actor,
      accountId,
      origin,
      details: { sessionsEnded: ended, passkeys: removed.length },
    });
    const others =
      ended > 0
        ? ` You were signed out in ${ended === 1 ? "1 other browser" : `${ended} other browsers`}.`
        : "";
    await ctx.notify(tx, accountId, {
      kind: "second-factor-enabled",
      text: `Signing in now asks for a code from your authenticator app.${others}`,
    });
    return { backupCodes };
  });
}

/**
 * Makes new backup codes; all before them are dead. Wants a confirmation, which the caller checks.
 * @returns the codes, shown this once
 * @throws GeneralError where the second factor is off, SignInRefused "session-over"
 */
export async function renewBackupCodes(
  ctx: Context,
  user: PortalUser,
  origin: Origin,
): Promise<{ backupCodes: string[] }> {
  const { accountId, sessionHash } = user;
  return ctx.database.transaction(async (tx) => {
    await lockAccount(tx, accountId);
    const factor = await findSecondFactor(tx, accountId);
    if (!factor?.confirmedAt)
      throw GeneralError.because({
        message: "The second factor is off, so there are no backup codes to create.",
      });
    // A call that was let in before the second factor was turned on would pass it by these codes.
    if (!standsForBoth(await findSecondFactorAt(tx, sessionHash), factor))
      throw signInRefused("session-over");
    const backupCodes = await issueBackupCodes(ctx, tx, accountId);
    await ctx.audit(tx, {
      act: "backup-codes-renewed",
      actor: `account:${accountId}`,
      accountId,
      origin,
    });
    return { backupCodes };
  });
}

/**
 * Turns the second factor off, for one last code of it. Wants a confirmation, which the caller checks.
 * @throws SignInRefused "wrong-code" or "throttled"
 */
export async function disableSecondFactor(
  ctx: Context,
  user: PortalUser,
  { code, origin }: { readonly code: string; readonly origin: Origin },
): Promise<void> {
  const { accountId } = user;
  await tryCode(ctx, { accountId, code, origin }, async (tx) => {
    const by = await proveCode(ctx, tx, { accountId, code });
    if (!by || !(await deleteSecondFactor(tx, accountId))) return undefined;
    const details = { by };
    await ctx.audit(tx, {
      act: "second-factor-disabled",
      actor: `account:${accountId}`,
      accountId,
      origin,
      details,
    });
    await ctx.notify(tx, accountId, {
      kind: "second-factor-disabled",
      text: "The second factor is off. If that was not you, replace your game key and turn it on again.",
    });
    return true;
  });
}

/**
 * Removes the second factor and the passkeys of an account whose owner lost them, or whose account somebody else took, in an
 * administrator's name. The owner has to sign in with the first factor afterwards: all sessions are over. The caller checks that
 * it is one, and who it is that asks.
 * @throws GeneralError where the account has neither
 */
export async function resetSecondFactor(
  ctx: Context,
  by: Administrator,
  { accountId, reason }: { readonly accountId: string; readonly reason: string },
  origin: Origin,
): Promise<void> {
  await ctx.database.transaction(async (tx) => {
    await lockAccount(tx, accountId);
    const [factor, passkeys] = [
      await deleteSecondFactor(tx, accountId),
      await deletePasskeysOf(tx, accountId),
    ];
    if (!factor && passkeys.length === 0)
      throw GeneralError.because({ message: "The account has no second factor and no passkey." });
    const sessions = await endAllSessions(tx, accountId);
    const actor = auditActorOf(by);
    await ctx.audit(tx, {
      act: "second-factor-reset",
      actor,
      accountId,
      origin,
      details: { reason, sessions, passkeys: passkeys.length },
    });
    await ctx.notify(tx, accountId, {
      kind: "second-factor-reset",
      text: `An admin removed the second factor and the passkeys from your account (${reason}). If you did not ask for this, replace your game key and set them up again.`,
    });
  });
}

/** Whether a sign-in to the account asks for a second factor, and how many passkeys stand for both factors. */
export const describeSecondFactor = async (on: Queryable, accountId: string) => ({
  secondFactor: (await findSecondFactor(on, accountId))?.confirmedAt != null,
  passkeys: await countPasskeys(on, accountId),
});

/** Makes new backup codes in the place of all before them. @returns the codes, which are shown once and not kept */
export async function issueBackupCodes(
  ctx: Context,
  tx: Queryable,
  accountId: string,
): Promise<string[]> {
  const codes = Array.from({ length: backupCodeCount }, () => mintBackupCode(ctx.ids.bytes));
  await replaceBackupCodes(
    tx,
    accountId,
    codes.map((code) => ({
      id: ctx.ids.uuid(),
      print: ctx.keyring.hmac("backup-code", boundCode(accountId, code)),
      createdAt: ctx.now(),
    })),
  );
  return codes.map(writtenBackupCode);
}

/** Whether an admin may use the pages and acts of one: in a session that passed a second factor, unless the setting waives it. */
export const mayAdminister = (
  { admin, secondFactor }: PortalUser,
  { adminSecondFactor }: Pick<Settings, "adminSecondFactor">,
): boolean => admin && (secondFactor === "passed" || adminSecondFactor === "waived");
