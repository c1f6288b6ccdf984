import type { Queryable } from "#db/client";
import type { AccountActor } from "#server/actor";
import type { Context } from "#server/context";
import { networkOf } from "#server/platform/peer-address";
import { daySeconds, hourSeconds, secondMs } from "#server/platform/time";
import { countUnusedProofs, takeProof } from "#server/work/proofs";
import { isSignInRefused, signInRefused } from "../sign-in-refused";
import { chargeTry } from "../sign-in-throttle";
import {
  countGuess,
  findSecondFactor,
  forgetGuesses,
  type GuessKey,
  type GuessLimit,
  listGuessTimes,
  markGuessesNotified,
  takeTimeStep,
  uncountGuess,
} from "./store";
import { findTimeStep, hasTotpForm, readBackupCode } from "./totp";

/** Call it within `tryCode`, which limits guesses. @returns undefined for a wrong or used code */
export async function verifyCode(
  ctx: Context,
  tx: Queryable,
  { accountId, code }: { accountId: string; code: string },
): Promise<"totp" | "backup-code" | undefined> {
  const digits = code.replace(/\s/g, "");
  if (hasTotpForm(digits))
    return (await proveTotp(ctx, tx, { accountId, code: digits })) ? "totp" : undefined;
  const backupCode = readBackupCode(code);
  if (backupCode === undefined || !(await findSecondFactor(tx, accountId))?.confirmedAt)
    return undefined;
  const ids = ctx.keyring.hmacs("backup-code", backupCodeHmacInput(accountId, backupCode));
  const presented = { kind: "backup-code", ids, accountId, now: ctx.now() } as const;
  if (!(await takeProof(tx, presented))) return undefined;
  await notifyOwner(ctx, tx, accountId);
  return "backup-code";
}

async function notifyOwner(ctx: Context, tx: Queryable, accountId: string): Promise<void> {
  const left = await countUnusedProofs(tx, accountId, "backup-code");
  const text = `A backup code was used; ${left} are left. If that was not you, create new ones and replace your game key.`;
  await ctx.notify(tx, { accountId, kind: "backup-code-used", text });
}

export const backupCodeHmacInput = (accountId: string, code: string): string =>
  `${accountId} ${code}`;

async function proveTotp(
  ctx: Context,
  tx: Queryable,
  { accountId, code }: { accountId: string; code: string },
) {
  const factor = await findSecondFactor(tx, accountId);
  if (!factor?.confirmedAt) return false;
  const secret = ctx.keyring.open("second-factor", factor.sealed, accountId);
  const step = findTimeStep(secret, code, ctx.now());
  if (step === undefined) return false;
  const sealed = ctx.keyring.seal("second-factor", secret, accountId);
  return takeTimeStep(tx, { accountId, step, sealed });
}

/** Per clock minute, for each kind of code of an account and for an address. */
const wrongCodesAMinute = 5;
/**
 * Three of a million codes are right at any time, so 30 guesses succeed with a chance of 1 in
 * 11,000. Kept in the database, to hold across instances and restarts.
 */
const wrongCodeLimits: readonly GuessLimit[] = [
  { most: 10, seconds: hourSeconds },
  { most: 30, seconds: daySeconds },
];
const noticeFrom = 5;

const wrongFirstCode =
  "Wrong code. Enter the six digits that the app shows now, and check that the phone's clock is right.";

interface CodeTry {
  readonly code: string;
  /** True during setup, when there is nothing to guess. */
  readonly settingUp?: true;
}

/**
 * Charged before the check, so that concurrent guesses cannot exceed the limits; refunded unless
 * the code was wrong.
 * @param act rolls back by returning undefined
 * @throws SignInRefused "throttled" or "wrong-code", and errors of `act`
 */
export async function tryCode<Done>(
  ctx: Context,
  by: AccountActor,
  { code, settingUp }: CodeTry,
  act: (tx: Queryable) => Promise<Done | undefined>,
): Promise<Done> {
  const { accountId } = by;
  const kind = kindOf(code);
  const giveBack = await chargeTry(ctx, [
    {
      policy: "second-factor-account",
      subject: `${accountId} ${kind ?? "neither"}`,
      limit: wrongCodesAMinute,
    },
    {
      policy: "second-factor-address",
      subject: networkOf(by.from.address),
      limit: wrongCodesAMinute,
    },
  ]);
  const guess = kind && !settingUp ? { accountId, kind } : undefined;
  const on = ctx.database.query;
  if (guess && !(await countGuess(on, guess, { at: ctx.now(), limits: wrongCodeLimits })))
    throw await locked(ctx, guess);
  try {
    const done = await ctx.database.transaction(async (tx) => {
      const acted = await act(tx);
      if (acted === undefined)
        throw signInRefused("wrong-code", settingUp && { message: wrongFirstCode });
      await forgetGuesses(tx, accountId);
      return acted;
    });
    await giveBack();
    return done;
  } catch (thrown) {
    if (isSignInRefused(thrown) && thrown.reason === "wrong-code") await noteWrongCode(ctx, by);
    else await Promise.all([giveBack(), guess && uncountGuess(on, guess)]);
    throw thrown;
  }
}

function kindOf(code: string): GuessKey["kind"] | undefined {
  if (hasTotpForm(code.replace(/\s/g, ""))) return "totp";
  return readBackupCode(code) === undefined ? undefined : "backup-code";
}

const noteWrongCode = (ctx: Context, by: AccountActor) =>
  ctx.database.transaction(async (tx) => {
    await ctx.audit(tx, by, "second_factor.refused");
    if (!(await markGuessesNotified(tx, by.accountId, noticeFrom))) return;
    await ctx.notify(tx, {
      accountId: by.accountId,
      kind: "second-factor-guessed",
      text: "Five wrong codes in a row were entered for your second factor. If that was not you, somebody has your game key: delete it and sign in with a new one.",
    });
  });

async function locked(ctx: Context, guess: GuessKey) {
  const opensAt = opensAgain(await listGuessTimes(ctx.database.query, guess), wrongCodeLimits);
  const retryAfter = Math.max(1, Math.ceil((opensAt - ctx.now().getTime()) / secondMs));
  const words =
    guess.kind === "totp"
      ? ["Codes of your app", "A backup code can be used until then."]
      : ["Backup codes", "A code from your app can be used until then."];
  const message = `Too many wrong codes. ${words[0]} are accepted again in ${inWords(retryAfter)}. ${words[1]} If it was not you, delete your game key and sign in with a new one.`;
  return signInRefused("throttled", { message, retryAfter });
}

const opensAgain = (guesses: readonly Date[], limits: readonly GuessLimit[]): number =>
  Math.max(
    0,
    ...limits.map(({ most, seconds }) => (guesses.at(-most)?.getTime() ?? 0) + seconds * secondMs),
  );

function inWords(seconds: number): string {
  const minutes = Math.ceil(seconds / 60);
  if (minutes < 120) return minutes === 1 ? "a minute" : `${minutes} minutes`;
  return `${Math.ceil(minutes / 60)} hours`;
}
