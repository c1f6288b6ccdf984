import type { PortalUser } from "#server/actor";
import type { Context } from "#server/context";
import { selectSessions, sessionPublicId } from "./store";

/** A browser in which the account is signed in, as its owner sees it. */
export interface SignedInBrowser {
  /** Names the session; opens nothing. */
  readonly id: string;
  /** Whether it is the one that asks. */
  readonly current: boolean;
  readonly signedInAt: Date;
  /** To the hour. */
  readonly lastUsedAt: Date;
  readonly expiresAt: Date;
  readonly address: string | null;
  readonly userAgent: string | null;
}

/** Where the account is signed in, newest sign-in first. */
export async function listSessions(ctx: Context, user: PortalUser): Promise<SignedInBrowser[]> {
  const live = await selectSessions(ctx.database.query, user.accountId, ctx.now());
  const lifetime = ctx.settings.lifetimes.session * 1000;
  return live.map((session) => ({
    id: sessionPublicId(session.idHash),
    current: session.idHash === user.sessionHash,
    signedInAt: session.authenticatedAt,
    // Every use moves the end to one lifetime later, so the end tells when the last use was.
    lastUsedAt: new Date(Math.max(session.createdAt.getTime(), session.expiresAt.getTime() - lifetime)),
    expiresAt: session.expiresAt,
    address: session.address,
    userAgent: session.userAgent,
  }));
}
