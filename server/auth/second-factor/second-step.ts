import type { Queryable } from "#db/client";
import type { Origin } from "#server/audit/audit";
import type { Context } from "#server/context";
import { secondMs } from "#server/platform/time";
import { nameOfPlayer } from "#server/users/find-players";
import { putProofs, takeProof } from "#server/work/proofs";
import { type ProvedAccount, type SignedIn, startSession } from "../session-acts";
import type { Browser } from "../sessions";
import { signInRefused } from "../sign-in-refused";
import { lockAccount } from "../store";
import { findSecondFactor, findSecondStep, type WaitingStep } from "./store";
import { proveCode, tryCode } from "./try-code";

export type SignInOutcome = SignedIn | SecondStepRequired;

/**
 * Every way to sign in ends here.
 * @throws SignInRefused "banned"
 */
export async function finishSignIn(
  ctx: Context,
  tx: Queryable,
  proved: ProvedAccount,
): Promise<SignInOutcome> {
  // Serialised with turning the second factor on: that ends this session, or this sign-in sees it.
  await lockAccount(tx, proved.accountId);
  const factor = await findSecondFactor(tx, proved.accountId);
  if (!factor?.confirmedAt) return startSession(ctx, tx, proved);
  return standsForBoth(proved.passkeyConfirmedAt, factor)
    ? startSession(ctx, tx, { ...proved, secondFactor: true })
    : requireSecondStep(ctx, tx, proved);
}

/**
 * Else a passkey added with a stolen game key would pass a second factor that the owner set up
 * later.
 */
export const standsForBoth = (
  passkeyConfirmedAt: Date | null | undefined,
  factor: { readonly confirmedAt: Date | null } | undefined,
): boolean =>
  passkeyConfirmedAt != null &&
  factor?.confirmedAt != null &&
  passkeyConfirmedAt >= factor.confirmedAt;

export const secondStepSeconds = 600;

const tokenBytes = 32;

interface SecondStepRequired {
  readonly kind: "second-step";
  /** Opens only the second step, and only its hash is stored. */
  readonly secondStepToken: string;
}

async function requireSecondStep(
  ctx: Context,
  tx: Queryable,
  proved: ProvedAccount,
): Promise<SecondStepRequired> {
  const { accountId, by, origin } = proved;
  const token = ctx.ids.text(tokenBytes);
  const now = ctx.now();
  await putProofs(tx, [
    {
      id: ctx.keyring.hmac("second-step", token).hash,
      kind: "second-step",
      accountId,
      details: { by },
      createdAt: now,
      expiresAt: new Date(now.getTime() + secondStepSeconds * secondMs),
    },
  ]);
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

export async function findWaitingStep(
  ctx: Context,
  token: string | null,
): Promise<WaitingStep | undefined> {
  if (token === null || !tokenForm.test(token)) return undefined;
  const hashes = ctx.keyring.hmacs("second-step", token).map(({ hash }) => hash);
  return findSecondStep(ctx.database.query, hashes, ctx.now());
}

export interface WaitingPlayer {
  readonly playerId: number;
  readonly name: string;
}

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
  readonly token: string | null;
  readonly code: string;
  readonly browser: Browser;
  readonly previousSession: string | null;
  readonly origin: Origin;
}

/** @throws SignInRefused "second-step-over", "wrong-code", "throttled" or "banned" */
export async function completeSecondStep(ctx: Context, input: SecondStep): Promise<SignedIn> {
  const { code, origin, browser, previousSession } = input;
  const step = await findWaitingStep(ctx, input.token);
  if (!step) throw signInRefused("second-step-over");
  const { accountId, playerId, by } = step;
  return tryCode(ctx, { accountId, code, origin }, async (tx) => {
    // Serialises concurrent tries on one step.
    const presented = { kind: "second-step", ids: [step.id], now: ctx.now() } as const;
    if (!(await takeProof(tx, presented))) throw signInRefused("second-step-over");
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
