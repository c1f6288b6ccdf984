import { Lucia, TimeSpan } from "lucia";
import type { Queryable } from "#db/client";
import type { PortalUser, RequestSource, SessionlessPlayer } from "#server/actor";
import type { AuditDetails } from "#server/audit/audit";
import type { Context } from "#server/context";
import { isToken, tokenBytes } from "#server/platform/ids";
import type { Keyring } from "#server/platform/keyring";
import { networkOf } from "#server/platform/peer-address";
import { hourSeconds, secondMs } from "#server/platform/time";
import { describeBrowser } from "./describe-browser";
import { bannedRefusal } from "./sign-in-refused";
import {
  deleteOldestSessions,
  deleteSession,
  deleteSessionByPublicId,
  deleteSessionsExcept,
  extendSession,
  findSession,
  insertSession,
  listLiveSessions,
  lockAccount,
  noteSignIn,
  rehashSession,
  type StoredSession,
  sessionPublicId,
} from "./store";

/* The only file that imports lucia, which is no longer maintained. */

declare module "lucia" {
  interface Register {
    Lucia: ReturnType<typeof luciaOn>;
    DatabaseSessionAttributes: SessionAttributes;
    DatabaseUserAttributes: UserAttributes;
  }
}

export const longestUserAgent = 256;
/** Seconds between extensions, which save a write per page view. */
const slideStep = hourSeconds;

/** A further session ends the oldest. */
const mostSessions = 100;

/** Only the token's hash is stored. */
export async function createSession(
  ctx: Context,
  on: Queryable,
  {
    accountId,
    from: { address, userAgent },
    proof,
  }: {
    accountId: string;
    from: Omit<RequestSource, "requestId">;
    proof: FirstFactor | "second-factor";
  },
) {
  const token = ctx.ids.text(tokenBytes);
  const now = ctx.now();
  // A sign-in by chat does not count as a confirmation.
  const confirmedAt = proof === "chat" ? null : now;
  const attributes = {
    createdAt: now,
    authenticatedAt: now,
    confirmedAt,
    secondFactorAt: proof === "second-factor" ? now : null,
    address,
    userAgent: userAgent?.slice(0, longestUserAgent) ?? null,
  };
  await luciaOn(ctx, on).createSession(accountId, attributes, { sessionId: token });
  const idHash = hashSessionToken(ctx.keyring, token);
  if ((await deleteOldestSessions(on, { accountId, idHash, most: mostSessions }, now)) > 0)
    await ctx.tokens.announceRevocation(on, { accountId });
  return { token, sessionHash: idHash, authenticatedAt: now, confirmedAt };
}

export async function readSession(
  ctx: Context,
  token: string | null,
  from: RequestSource,
): Promise<PortalUser | null> {
  if (token === null || !isToken(token)) return null;
  const lucia = luciaOn(ctx, ctx.database.query);
  const { session, user } = await lucia.validateSession(token);
  if (!session || user.bannedAt) return null;
  if (!session.fresh) await slide(ctx, token, session.expiresAt);
  return {
    kind: "portal",
    accountId: user.id,
    playerId: user.playerId,
    sessionHash: hashSessionToken(ctx.keyring, token),
    authenticatedAt: session.authenticatedAt,
    confirmedAt: session.confirmedAt,
    secondFactor: secondFactorOf(user.secondFactorSince, session.secondFactorAt),
    admin: ctx.settings.adminUserIds.includes(user.playerId),
    from,
  };
}

/** A pass from before the current second factor does not count. */
function secondFactorOf(since: Date | null, passedAt: Date | null): PortalUser["secondFactor"] {
  if (since === null) return "off";
  return passedAt !== null && passedAt >= since ? "passed" : "on";
}

export async function closeSession(ctx: Context, on: Queryable, token: string): Promise<void> {
  if (isToken(token)) await luciaOn(ctx, on).invalidateSession(token);
}

export type FirstFactor = "game-key" | "chat" | "passkey";

export interface ProvedAccount extends SessionlessPlayer {
  readonly accountId: string;
  readonly factor: FirstFactor;
  readonly previousSession: string | null;
  readonly details?: AuditDetails;
  readonly passkeyConfirmedAt?: Date | null;
  /** True if it was passed, or a passkey counted as both factors. */
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
  const { token, ...session } = await createSession(ctx, tx, { accountId, from, proof });
  const secondFactor = by.secondFactor ? "passed" : "off";
  const admin = ctx.settings.adminUserIds.includes(playerId);
  const user = { kind: "portal", accountId, playerId, admin, from, secondFactor } as const;
  return { kind: "signed-in", sessionToken: token, user: { ...user, ...session } };
}

const mostPlaces = 20;

const words: Readonly<Record<FirstFactor, string>> = {
  chat: "your chat account",
  "game-key": "your game key",
  passkey: "a passkey",
};

/** The very first sign-in, which opens the account, gives no notice. */
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
  const live = await listLiveSessions(ctx.database.query, user.accountId, ctx.now());
  const lifetime = ctx.settings.lifetimes.session * secondMs;
  return live.map(({ idHash, authenticatedAt, createdAt, expiresAt, address, userAgent }) => {
    const current = idHash === user.sessionHash;
    // A use extends the session at most once an hour.
    const extendedAt = Math.max(createdAt.getTime(), expiresAt.getTime() - lifetime);
    return {
      id: sessionPublicId(idHash),
      current,
      signedInAt: authenticatedAt,
      lastUsedAt: current ? ctx.now() : new Date(extendedAt),
      expiresAt,
      address,
      userAgent,
    };
  });
}

const pageSize = 20;

export async function pageSessions(ctx: Context, user: PortalUser, after: string | null) {
  const all = await listSessions(ctx, user);
  const from = /^\d{1,3}$/.test(after ?? "") ? Number(after) : 0;
  const to = from + pageSize;
  return { rows: all.slice(from, to), next: to < all.length ? String(to) : null, all: all.length };
}

/** @returns the number of ended sessions */
export const endSession = (
  ctx: Context,
  by: PortalUser,
  { sessionId }: { sessionId: string },
): Promise<number> =>
  endSome(ctx, by, (tx) => deleteSessionByPublicId(tx, by.accountId, sessionId), {
    session: sessionId,
  });

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
    // The announcement also ends open event streams.
    await ctx.tokens.announceRevocation(tx, { accountId: by.accountId });
    await ctx.audit(tx, by, "session.ended", { details: { ended, ...details } });
    return ended;
  });

export { deleteSessionsOf } from "./store";

/** Takes effect on every instance. */
export async function signOut(
  ctx: Context,
  by: PortalUser,
  { token }: { token: string },
): Promise<void> {
  await ctx.database.transaction(async (tx) => {
    await closeSession(ctx, tx, token);
    await ctx.tokens.announceRevocation(tx, { accountId: by.accountId });
    await ctx.audit(tx, by, "session.closed");
  });
}

/** Needed, because Lucia extends a session only in the second half of its life. */
async function slide(ctx: Context, token: string, expiresAt: Date): Promise<void> {
  const lifetime = ctx.settings.lifetimes.session;
  const step = Math.min(slideStep, lifetime / 10);
  const left = (expiresAt.getTime() - Date.now()) / secondMs;
  if (lifetime - left < step) return;
  const end = new Date(ctx.now().getTime() + lifetime * secondMs);
  await extendSession(ctx.database.query, hashSessionToken(ctx.keyring, token), end);
}

function luciaOn(ctx: Context, on: Queryable) {
  return new Lucia(luciaAdapter(ctx, on), {
    sessionExpiresIn: new TimeSpan(ctx.settings.lifetimes.session, "s"),
    getSessionAttributes: (attributes: SessionAttributes) => attributes,
    getUserAttributes: (attributes: UserAttributes) => attributes,
  });
}

type SessionAttributes = Omit<StoredSession, "idHash" | "accountId" | "expiresAt">;
type UserAttributes = Pick<
  NonNullable<Awaited<ReturnType<typeof findSession>>>,
  "playerId" | "bannedAt" | "secondFactorSince"
>;

export const hashSessionToken = (keyring: Keyring, token: string): string =>
  keyring.hmac("session", token).hash;

/** Lucia knows only the process's clock, so every instant is converted. @param on for writes */
function luciaAdapter(ctx: Pick<Context, "database" | "keyring" | "now">, on: Queryable) {
  const hashOf = (token: string) => hashSessionToken(ctx.keyring, token);
  const hashesOf = (token: string) => ctx.keyring.hmacs("session", token);
  const ahead = () => Date.now() - ctx.now().getTime();
  const toLucia = (ours: Date) => new Date(ours.getTime() + ahead());
  const toOurs = (lucias: Date) => new Date(lucias.getTime() - ahead());
  const record = (id: string, { accountId, expiresAt, ...rest }: StoredSession) => ({
    id,
    userId: accountId,
    expiresAt: toLucia(expiresAt),
    attributes: rest,
  });
  return {
    async getSessionAndUser(token: string): Promise<SessionAndUser> {
      const found = await findSession(ctx.database, hashesOf(token));
      if (!found) return [null, null];
      // Rehashes after a rotation of the server secret.
      if (found.idHash !== hashOf(token)) await rehashSession(on, found.idHash, hashOf(token));
      const { playerId, bannedAt, secondFactorSince } = found;
      return [
        record(token, found),
        { id: found.accountId, attributes: { playerId, bannedAt, secondFactorSince } },
      ];
    },
    setSession: ({ id, userId, expiresAt, attributes }: LuciaSession): Promise<void> =>
      insertSession(on, {
        ...attributes,
        idHash: hashOf(id),
        accountId: userId,
        expiresAt: toOurs(expiresAt),
      }),
    updateSessionExpiration: (token: string, expiresAt: Date): Promise<void> =>
      extendSession(on, hashOf(token), toOurs(expiresAt)),
    deleteSession: (token: string): Promise<void> => deleteSession(on, hashesOf(token)),
    // Our own statements replace these methods.
    getUserSessions: unused,
    deleteUserSessions: unused,
    deleteExpiredSessions: unused,
  };
}

async function unused(): Promise<never> {
  throw new Error("Lucia's own lists of sessions are not used.");
}

interface LuciaSession {
  id: string;
  userId: string;
  expiresAt: Date;
  attributes: SessionAttributes;
}

type SessionAndUser = [LuciaSession, { id: string; attributes: UserAttributes }] | [null, null];
