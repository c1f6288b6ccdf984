import type { Queryable } from "#db/client";
import type { Origin } from "#server/audit/audit";
import type { Context } from "#server/context";
import { secondMs } from "#server/platform/time";
import { nameOfPlayer } from "#server/users/find-players";
import { type ProvedAccount, type SignedIn, startSession } from "../session-acts";
import type { Browser } from "../sessions";
import { signInRefused } from "../sign-in-refused";
import { lockAccount } from "../store";
import {
  closeSecondStep,
  findSecondFactor,
  findSecondStep,
  insertSecondStep,
  type WaitingStep,
} from "./store";
import { proveCode, tryCode } from "./try-code";

/** The result of a right first factor: a session, or the question for the second. */
export type SignInOutcome = SignedIn | SecondStepRequired;

/**
 * Lets in whose first factor was right, or asks for the second where the account has one. Every way to sign in ends here.
 * @throws SignInRefused "banned"
 */
export async function finishSignIn(
  ctx: Context,
  tx: Queryable,
  proved: ProvedAccount,
): Promise<SignInOutcome> {
  // Turning the second factor on waits for this sign-in, and ends its session; or this sign-in sees that it is on.
  await lockAccount(tx, proved.accountId);
  const factor = await findSecondFactor(tx, proved.accountId);
  if (!factor?.confirmedAt) return startSession(ctx, tx, proved);
  return standsForBoth(proved.passkeyConfirmedAt, factor)
    ? startSession(ctx, tx, { ...proved, secondFactor: true })
    : requireSecondStep(ctx, tx, proved);
}

/**
 * Whether a passkey stands for both factors: the second one, as it is set up now, confirmed it. Without that a passkey that was
 * added by a stolen game key would pass a second factor that its owner set up later.
 */
export const standsForBoth = (
  passkeyConfirmedAt: Date | null | undefined,
  factor: { readonly confirmedAt: Date | null } | undefined,
): boolean =>
  passkeyConfirmedAt != null &&
  factor?.confirmedAt != null &&
  passkeyConfirmedAt >= factor.confirmedAt;

/** How long a right first factor waits for the second, in seconds. */
export const secondStepSeconds = 600;

const tokenBytes = 32;

/** The first factor was right; the account has a second one. */
interface SecondStepRequired {
  readonly kind: "second-step";
  /** Goes into a cookie. It is stored nowhere, and opens nothing but the second step. */
  readonly secondStepToken: string;
}

/** Notes that the first factor was right, for this browser alone, and asks for the second. Not a session. */
async function requireSecondStep(
  ctx: Context,
  tx: Queryable,
  proved: ProvedAccount,
): Promise<SecondStepRequired> {
  const { accountId, by, origin } = proved;
  const token = ctx.ids.text(tokenBytes);
  const now = ctx.now();
  await insertSecondStep(tx, {
    idHash: ctx.keyring.hmac("second-step", token).hash,
    accountId,
    by,
    createdAt: now,
    expiresAt: new Date(now.getTime() + secondStepSeconds * secondMs),
  });
  await ctx.audit(tx, {
    act: "second-step-asked",
    actor: `account:${accountId}`,
    accountId,
    origin,
    details: { method: by, ...proved.details },
  });
  return { kind: "second-step", secondStepToken: token };
}

const tokenForm = /^[A-Za-z0-9_-]{43}$/;

/** The second step that waits in the browser with this cookie; undefined where none does, or its time is over. */
export async function findWaitingStep(
  ctx: Context,
  token: string | null,
): Promise<WaitingStep | undefined> {
  if (token === null || !tokenForm.test(token)) return undefined;
  const hashes = ctx.keyring.hmacs("second-step", token).map(({ hash }) => hash);
  return findSecondStep(ctx.database.query, hashes, ctx.now());
}

/** The player that the second step waits for. They proved the first factor in this browser. */
export interface WaitingPlayer {
  readonly playerId: number;
  readonly name: string;
}

/** The player whose second step waits in the browser with this cookie; null where none does. */
export async function describeSecondStep(
  ctx: Context,
  token: string | null,
): Promise<WaitingPlayer | null> {
  const step = await findWaitingStep(ctx, token);
  if (!step) return null;
  const { playerId } = step;
  return { playerId, name: await nameOfPlayer(ctx, playerId) };
}

export interface SecondStep {
  /** The value of the second step's cookie. */
  readonly token: string | null;
  /** A one-time password or a backup code, as typed. */
  readonly code: string;
  readonly browser: Browser;
  /** The token of the session that the browser had so far; it ends. */
  readonly previousSession: string | null;
  readonly origin: Origin;
}

/**
 * Signs in whose first factor was right and who now gives a right code.
 * @throws SignInRefused "second-step-over", "wrong-code", "throttled" or "banned"
 */
export async function completeSecondStep(ctx: Context, input: SecondStep): Promise<SignedIn> {
  const { code, origin, browser, previousSession } = input;
  const step = await findWaitingStep(ctx, input.token);
  if (!step) throw signInRefused("second-step-over");
  const { accountId, playerId, by } = step;
  return tryCode(ctx, { accountId, code, origin }, async (tx) => {
    // Closed first: of several tries at once on one step, each waits for the one before it.
    if (!(await closeSecondStep(tx, step.idHash, ctx.now())))
      throw signInRefused("second-step-over");
    const second = await proveCode(ctx, tx, { accountId, code });
    if (!second) return undefined;
    const proved = {
      accountId,
      playerId,
      by,
      browser,
      previousSession,
      origin,
      details: { second },
    };
    return startSession(ctx, tx, { ...proved, secondFactor: true });
  });
}
