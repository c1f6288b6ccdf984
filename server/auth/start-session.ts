import type { Queryable } from "#db/client";
import type { PortalUser } from "#server/actor";
import type { AuditEvent, Origin } from "#server/audit/audit";
import type { Context } from "#server/context";
import { type Browser, closeSession, openSession } from "./sessions";
import { bannedRefusal } from "./sign-in-refused";
import { findSignIn, noteSignIn } from "./store";

/** After these a second factor is asked for where the account has one. */
export type FirstFactor = "game-key" | "chat";

/** An account whose owner proved who they are. */
export interface ProvedAccount<By = FirstFactor> {
  readonly accountId: string;
  readonly playerId: number;
  readonly by: By;
  readonly browser: Browser;
  /** The token of the session that the browser had so far; it ends. */
  readonly previousSession: string | null;
  readonly origin: Origin;
  /** What the audit log keeps besides. Never a secret. */
  readonly details: NonNullable<AuditEvent["details"]>;
  /** Set once the second factor was passed as well, or a passkey stood for both. */
  readonly secondFactor?: true;
}

export interface SignedIn {
  readonly kind: "signed-in";
  /** Goes into the cookie. It is stored nowhere. */
  readonly sessionToken: string;
  readonly user: PortalUser;
}

/**
 * Opens the session of an account that has proved all it must. The one that the browser had ends.
 * @throws SignInRefused "banned"
 */
export async function startSession(
  ctx: Context,
  tx: Queryable,
  proved: ProvedAccount<FirstFactor | "passkey">,
): Promise<SignedIn> {
  const { accountId, playerId, by, browser, previousSession, origin, details } = proved;
  // A ban may have come since the account was looked up.
  if (!(await noteSignIn(tx, accountId, ctx.now()))) {
    const known = await findSignIn(tx, playerId);
    throw bannedRefusal(known?.bannedFor ?? null);
  }
  if (previousSession !== null) await closeSession(ctx, tx, previousSession);
  const actor = `account:${accountId}`;
  await ctx.audit(tx, { act: "sign-in", actor, accountId, origin, details: { method: by, ...details } });
  const proof = proved.secondFactor ? "second-factor" : by;
  const opened = await openSession(ctx, tx, { accountId, browser, proof });
  const { token, sessionHash, authenticatedAt, confirmedAt } = opened;
  const secondFactor = proved.secondFactor ? "passed" : "off";
  const admin = ctx.settings.adminUserIds.includes(playerId);
  return {
    kind: "signed-in",
    sessionToken: token,
    user: { kind: "portal", accountId, playerId, sessionHash, authenticatedAt, confirmedAt, secondFactor, admin },
  };
}
