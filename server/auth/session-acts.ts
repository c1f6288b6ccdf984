import type { Queryable } from "#db/client";
import type { PlayerActor, PortalUser } from "#server/actor";
import type { AuditDetails } from "#server/audit/audit";
import type { Context } from "#server/context";
import { networkOf } from "#server/platform/peer-address";
import { secondMs } from "#server/platform/time";
import { describeBrowser } from "./describe-browser";
import { closeSession, openSession } from "./sessions";
import { bannedRefusal } from "./sign-in-refused";
import {
  deleteSessionNamed,
  deleteSessionsExcept,
  deleteSessionsOf,
  lockAccount,
  noteSignIn,
  selectSessions,
  sessionPublicId,
} from "./store";

export type FirstFactor = "game-key" | "chat" | "passkey";

/** After the first factor. */
export interface ProvedAccount extends PlayerActor {
  readonly accountId: string;
  readonly factor: FirstFactor;
  readonly previousSession: string | null;
  readonly details?: AuditDetails;
  readonly passkeyConfirmedAt?: Date | null;
  /** Or a passkey counted as both factors. */
  readonly secondFactor?: true;
}

export interface SignedIn {
  readonly kind: "signed-in";
  /** Only its hash is stored. */
  readonly sessionToken: string;
  readonly user: PortalUser;
}

/** @throws SignInRefused "banned" */
export async function startSession(
  ctx: Context,
  tx: Queryable,
  by: ProvedAccount,
): Promise<SignedIn> {
  const { accountId, playerId, factor, previousSession, from } = by;
  // A ban may have come since the lookup.
  const account = await lockAccount(tx, accountId);
  if (!account || account.bannedAt) throw bannedRefusal(account?.bannedFor ?? null);
  await notePlace(ctx, tx, by, account);
  if (previousSession !== null) await closeSession(ctx, tx, previousSession);
  await ctx.audit(tx, by, "session.opened", { details: { method: factor, ...by.details } });
  const proof = by.secondFactor ? "second-factor" : factor;
  const opened = await openSession(ctx, tx, { accountId, from, proof });
  const { token, sessionHash, authenticatedAt, confirmedAt } = opened;
  const secondFactor = by.secondFactor ? "passed" : "off";
  const admin = ctx.settings.adminUserIds.includes(playerId);
  const who = { kind: "portal", accountId, playerId, admin, from } as const;
  const session = { sessionHash, authenticatedAt, confirmedAt, secondFactor } as const;
  return { kind: "signed-in", sessionToken: token, user: { ...who, ...session } };
}

const mostPlaces = 20;

const words: Readonly<Record<FirstFactor, string>> = {
  chat: "your chat account",
  "game-key": "your game key",
  passkey: "a passkey",
};

/** No notice of the very first sign-in, which opens the account. */
async function notePlace(
  ctx: Context,
  tx: Queryable,
  { accountId, factor, from }: ProvedAccount,
  { lastSignInAt, signInPlaces }: { lastSignInAt: Date | null; signInPlaces: readonly string[] },
): Promise<void> {
  const browser = describeBrowser(from.userAgent);
  const place = `${browser}, ${networkOf(from.address)}`;
  const others = signInPlaces.filter((known) => known !== place);
  await noteSignIn(tx, accountId, {
    lastSignInAt: ctx.now(),
    signInPlaces: [place, ...others].slice(0, mostPlaces),
  });
  if (lastSignInAt === null || signInPlaces.includes(place)) return;
  await ctx.notify(tx, {
    accountId,
    kind: "new-sign-in",
    path: "/account/sessions",
    text: `New sign-in with ${words[factor]}: ${browser}, from ${from.address ?? "an unknown address"}. If that was not you, end it under “Sessions” and replace your game key.`,
  });
}

export async function listSessions(ctx: Context, user: PortalUser) {
  const live = await selectSessions(ctx.database.query, user.accountId, ctx.now());
  const lifetime = ctx.settings.lifetimes.session * secondMs;
  return live.map((session) => ({
    id: sessionPublicId(session.idHash),
    current: session.idHash === user.sessionHash,
    signedInAt: session.authenticatedAt,
    // A use extends the session at most once an hour.
    lastUsedAt:
      session.idHash === user.sessionHash
        ? ctx.now()
        : new Date(Math.max(session.createdAt.getTime(), session.expiresAt.getTime() - lifetime)),
    expiresAt: session.expiresAt,
    address: session.address,
    userAgent: session.userAgent,
  }));
}

const pageSize = 20;

export async function pageSessions(ctx: Context, user: PortalUser, after: string | null) {
  const all = await listSessions(ctx, user);
  const from = /^\d{1,3}$/.test(after ?? "") ? Number(after) : 0;
  const to = from + pageSize;
  return { rows: all.slice(from, to), next: to < all.length ? String(to) : null, all: all.length };
}

/** @returns the number ended */
export const endSession = (
  ctx: Context,
  by: PortalUser,
  { sessionId }: { sessionId: string },
): Promise<number> =>
  endSome(ctx, by, (tx) => deleteSessionNamed(tx, by.accountId, sessionId), { session: sessionId });

export const endOtherSessions = (ctx: Context, by: PortalUser): Promise<number> =>
  endSome(ctx, by, (tx) => deleteSessionsExcept(tx, by.accountId, by.sessionHash));

const endSome = (
  ctx: Context,
  by: PortalUser,
  end: (tx: Queryable) => Promise<number>,
  details: AuditDetails = {},
): Promise<number> =>
  ctx.database.transaction(async (tx) => {
    const ended = await end(tx);
    if (ended === 0) return 0;
    // Ends open event streams.
    await ctx.tokens.announceRevocation(tx, { accountId: by.accountId });
    await ctx.audit(tx, by, "session.ended", { details: { ended, ...details } });
    return ended;
  });

/** The caller writes the audit event. */
export const endAllSessions = (tx: Queryable, accountId: string): Promise<number> =>
  deleteSessionsOf(tx, accountId);

/** On every instance. */
export async function signOut(
  ctx: Context,
  by: PortalUser,
  { token }: { readonly token: string },
): Promise<void> {
  await ctx.database.transaction(async (tx) => {
    await closeSession(ctx, tx, token);
    await ctx.tokens.announceRevocation(tx, { accountId: by.accountId });
    await ctx.audit(tx, by, "session.closed");
  });
}
