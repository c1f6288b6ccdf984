import type { Queryable } from "#db/client";
import type { PortalUser } from "#server/actor";
import type { AuditEvent, Origin } from "#server/audit/audit";
import type { Context } from "#server/context";
import { bannedRefusal } from "./banned-refusal";
import { askSecondStep } from "./second-factor/ask-second-step";
import { findSecondFactor } from "./second-factor/store";
import { type Browser, closeSession, openSession } from "./sessions";
import { findSignIn, noteSignIn } from "./store";

/** An account whose owner proved by a first factor who they are. */
export interface ProvedAccount {
  readonly accountId: string;
  readonly playerId: number;
  /** How it was proved. */
  readonly by: "game-key" | "chat";
  readonly browser: Browser;
  /** The token of the session that the browser had so far; it ends. */
  readonly previousSession: string | null;
  readonly origin: Origin;
  /** What the audit log keeps besides. Never a secret. */
  readonly details: NonNullable<AuditEvent["details"]>;
}

export interface SignedIn {
  readonly kind: "signed-in";
  /** Goes into the cookie. It is stored nowhere. */
  readonly sessionToken: string;
  readonly user: PortalUser;
}

/** The first factor was right; the account has a second one. */
export interface SecondStepAsked {
  readonly kind: "second-step";
  /** Goes into a cookie. It is stored nowhere, and opens nothing but the second step. */
  readonly secondStepToken: string;
}

export type Admitted = SignedIn | SecondStepAsked;

/**
 * Lets in whose first factor was right, or asks for the second where the account has one. Every way to sign in ends here.
 * @throws SignInRefused "banned"
 */
export async function admitAccount(ctx: Context, tx: Queryable, proved: ProvedAccount): Promise<Admitted> {
  const factor = await findSecondFactor(tx, proved.accountId);
  return factor?.confirmedAt ? askSecondStep(ctx, tx, proved) : openProvedSession(ctx, tx, proved);
}

/**
 * Opens the session of an account that has proved all it must. The one that the browser had ends.
 * @throws SignInRefused "banned"
 */
export async function openProvedSession(ctx: Context, tx: Queryable, proved: ProvedAccount): Promise<SignedIn> {
  const { accountId, playerId, by, browser, previousSession, origin, details } = proved;
  // A ban may have come while somebody else was asked who it is.
  if (!(await noteSignIn(tx, accountId, ctx.now()))) {
    const known = await findSignIn(tx, playerId);
    throw bannedRefusal(known?.bannedFor ?? null);
  }
  if (previousSession !== null) await closeSession(ctx, tx, previousSession);
  const actor = `account:${accountId}`;
  await ctx.audit(tx, { act: "sign-in", actor, accountId, origin, details: { method: by, ...details } });
  const { token, sessionHash, authenticatedAt } = await openSession(ctx, tx, { accountId, browser });
  const admin = ctx.settings.adminUserIds.includes(playerId);
  return {
    kind: "signed-in",
    sessionToken: token,
    user: { kind: "portal", accountId, playerId, sessionHash, authenticatedAt, admin },
  };
}
