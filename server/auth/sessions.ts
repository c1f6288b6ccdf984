import { Lucia, TimeSpan } from "lucia";
import type { Queryable } from "#db/client";
import type { PortalUser, RequestSource } from "#server/actor";
import type { Context } from "#server/context";
import { isToken, tokenBytes } from "#server/platform/ids";
import type { Keyring } from "#server/platform/keyring";
import { hourSeconds, secondMs } from "#server/platform/time";
import {
  deleteOldestSessions,
  deleteSession,
  extendSession,
  findSession,
  insertSession,
  renameSession,
  type StoredSession,
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
/** Saves a write per page view. */
const slideStep = hourSeconds;

/** The next one ends the oldest. */
const mostSessions = 100;

/** Chat alone is no confirmation. */
type SessionProof = "game-key" | "chat" | "passkey" | "second-factor";

/** Only the token's hash is stored. */
export async function openSession(
  ctx: Context,
  on: Queryable,
  opened: {
    readonly accountId: string;
    readonly from: Omit<RequestSource, "requestId">;
    readonly proof: SessionProof;
  },
) {
  const token = ctx.ids.text(tokenBytes);
  const now = ctx.now();
  const { accountId, proof } = opened;
  const { address, userAgent } = opened.from;
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
  const idHash = sessionHash(ctx.keyring, token);
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
    sessionHash: sessionHash(ctx.keyring, token),
    authenticatedAt: session.authenticatedAt,
    confirmedAt: session.confirmedAt,
    secondFactor: secondFactorOf(user.secondFactorSince, session.secondFactorAt),
    admin: ctx.settings.adminUserIds.includes(user.playerId),
    from,
  };
}

/** From before the current second factor it does not count. */
function secondFactorOf(since: Date | null, passedAt: Date | null): PortalUser["secondFactor"] {
  if (since === null) return "off";
  return passedAt !== null && passedAt >= since ? "passed" : "on";
}

export async function closeSession(ctx: Context, on: Queryable, token: string): Promise<void> {
  if (isToken(token)) await luciaOn(ctx, on).invalidateSession(token);
}

/** Lucia extends a session only in the second half of its life. */
async function slide(ctx: Context, token: string, expiresAt: Date): Promise<void> {
  const lifetime = ctx.settings.lifetimes.session;
  const step = Math.min(slideStep, lifetime / 10);
  const left = (expiresAt.getTime() - Date.now()) / secondMs;
  if (lifetime - left < step) return;
  const end = new Date(ctx.now().getTime() + lifetime * secondMs);
  await extendSession(ctx.database.query, sessionHash(ctx.keyring, token), end);
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

export const sessionHash = (keyring: Keyring, token: string): string =>
  keyring.hmac("session", token).hash;

/** Lucia has only the process's clock, so every instant is converted. @param on for writes */
function luciaAdapter(ctx: Pick<Context, "database" | "keyring" | "now">, on: Queryable) {
  const hashOf = (token: string) => sessionHash(ctx.keyring, token);
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
      // After a rotation of the server secret.
      if (found.idHash !== hashOf(token)) await renameSession(on, found.idHash, hashOf(token));
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
    // Our own statements do it.
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
