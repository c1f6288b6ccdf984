import type { Queryable } from "#db/client";
import type { AnonymousActor } from "#server/actor";
import type { Context } from "#server/context";
import { isToken, tokenBytes } from "#server/platform/ids";
import { secondMs } from "#server/platform/time";
import { requirePlayerName } from "#server/users/find-players";
import { putProofs, takeProof } from "#server/work/proofs";
import { type ProvedAccount, type SignedIn, startSession } from "../sessions";
import { bannedRefusal, signInRefused } from "../sign-in-refused";
import { lockAccount } from "../store";
import { findSecondFactor, findSecondStep } from "./store";
import { tryCode, verifyCode } from "./try-code";

export type SignInOutcome = SignedIn | SecondStepRequired;

/**
 * Every way to sign in ends here.
 * @throws SignInRefused "banned"
 */
export async function finishSignIn(
  ctx: Context,
  tx: Queryable,
  by: ProvedAccount,
): Promise<SignInOutcome> {
  // Serialised with turning the second factor on.
  const account = await lockAccount(tx, by.accountId);
  if (account?.bannedAt) throw bannedRefusal(account.bannedFor);
  const factor = await findSecondFactor(tx, by.accountId);
  if (!factor?.confirmedAt) return startSession(ctx, tx, by);
  return coversBothFactors(by.passkeyConfirmedAt, factor)
    ? startSession(ctx, tx, { ...by, secondFactor: true })
    : requireSecondStep(ctx, tx, by);
}

/** A passkey added with a stolen game key must not pass a second factor that was set up later. */
export const coversBothFactors = (
  passkeyConfirmedAt: Date | null | undefined,
  factor: { readonly confirmedAt: Date | null } | undefined,
): boolean =>
  passkeyConfirmedAt != null &&
  factor?.confirmedAt != null &&
  passkeyConfirmedAt >= factor.confirmedAt;

export const secondStepSeconds = 600;

interface SecondStepRequired {
  readonly kind: "second-step";
  /** Only its hash is stored. */
  readonly secondStepToken: string;
}

async function requireSecondStep(
  ctx: Context,
  tx: Queryable,
  by: ProvedAccount,
): Promise<SecondStepRequired> {
  const { accountId, factor } = by;
  const token = ctx.ids.text(tokenBytes);
  const now = ctx.now();
  await putProofs(tx, [
    {
      id: ctx.keyring.hmac("second-step", token).hash,
      kind: "second-step",
      accountId,
      details: { by: factor },
      createdAt: now,
      expiresAt: new Date(now.getTime() + secondStepSeconds * secondMs),
    },
  ]);
  await ctx.audit(tx, by, "second_factor.requested", {
    details: { method: factor, ...by.details },
  });
  return { kind: "second-step", secondStepToken: token };
}

async function findWaitingStep(ctx: Context, token: string | null) {
  if (token === null || !isToken(token)) return undefined;
  return findSecondStep(ctx.database.query, ctx.keyring.hmacs("second-step", token), ctx.now());
}

export async function showSecondStep(ctx: Context, token: string | null) {
  const step = await findWaitingStep(ctx, token);
  if (!step) return null;
  const { playerId } = step;
  return { playerId, name: await requirePlayerName(ctx, playerId) };
}

export interface SecondStepAttempt {
  readonly token: string | null;
  readonly code: string;
  readonly previousSession: string | null;
}

/** @throws SignInRefused */
export async function completeSecondStep(
  ctx: Context,
  { from }: AnonymousActor,
  { token, code, previousSession }: SecondStepAttempt,
): Promise<SignedIn> {
  const step = await findWaitingStep(ctx, token);
  if (!step) throw signInRefused("second-step-over");
  const { accountId, playerId, by: factor } = step;
  const by = { kind: "player", accountId, playerId, from } as const;
  return tryCode(ctx, by, { code }, async (tx) => {
    // Serialises concurrent tries on one step.
    const presented = { kind: "second-step", ids: [step.id], now: ctx.now() } as const;
    if (!(await takeProof(tx, presented))) throw signInRefused("second-step-over");
    const second = await verifyCode(ctx, tx, { accountId, code });
    if (!second) return undefined;
    const proved = { ...by, factor, previousSession, details: { second } };
    return startSession(ctx, tx, { ...proved, secondFactor: true });
  });
}
