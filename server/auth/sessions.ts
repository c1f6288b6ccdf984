import { Lucia, TimeSpan } from "lucia";
import type { Queryable } from "#db/client";
import type { PortalUser } from "#server/actor";
import type { Context } from "#server/context";
import { hourSeconds, secondMs } from "#server/platform/durations";
import { luciaAdapter, type SessionAttributes, sessionHash, type UserAttributes } from "./lucia-adapter";
import { extendSession } from "./store";

/*
 * The one file that knows lucia, which is no longer developed: replacing it means replacing this file and its adapter.
 */

declare module "lucia" {
  interface Register {
    Lucia: ReturnType<typeof luciaOn>;
    DatabaseSessionAttributes: SessionAttributes;
    DatabaseUserAttributes: UserAttributes;
  }
}

/** Whose browser signs in. */
export interface Browser {
  readonly address: string | null;
  readonly userAgent: string | null;
}

const tokenBytes = 32;
const tokenForm = /^[A-Za-z0-9_-]{43}$/;
const longestUserAgent = 256;
/** A session slides at most once in this time, in seconds: reading a page must not cost a write each time. */
const slideStep = hourSeconds;

/** What a sign-in proved. A chat account alone says less than a game key: it does not count as a confirmation. */
export type SessionProof = "game-key" | "chat" | "passkey" | "second-factor";

/** Opens a session and gives its token, which goes into the cookie and is not kept. */
export async function openSession(
  ctx: Context,
  on: Queryable,
  who: { readonly accountId: string; readonly browser: Browser; readonly proof: SessionProof },
) {
  const token = Buffer.from(ctx.ids.bytes(tokenBytes)).toString("base64url");
  const now = ctx.now();
  const { address, userAgent } = who.browser;
  const confirmedAt = who.proof === "chat" ? null : now;
  const attributes = {
    createdAt: now,
    authenticatedAt: now,
    confirmedAt,
    secondFactorAt: who.proof === "second-factor" ? now : null,
    address,
    userAgent: userAgent?.slice(0, longestUserAgent) ?? null,
  };
  await luciaOn(ctx, on).createSession(who.accountId, attributes, { sessionId: token });
  return { token, sessionHash: sessionHash(ctx.keyring, token), authenticatedAt: now, confirmedAt };
}

/**
 * Who is signed in with this token; null without one, after its end, and for a banned account. Every use moves the end:
 * a session ends `SESSION_SECONDS` after it was last used.
 */
export async function readSession(ctx: Context, token: string | null): Promise<PortalUser | null> {
  if (token === null || !tokenForm.test(token)) return null;
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
  };
}

/** One that was passed before the present one was set up counts for nothing. */
function secondFactorOf(since: Date | null, passedAt: Date | null): PortalUser["secondFactor"] {
  if (since === null) return "off";
  return passedAt !== null && passedAt >= since ? "passed" : "on";
}

/** Ends the session of this token, if there is one. */
export async function closeSession(ctx: Context, on: Queryable, token: string): Promise<void> {
  if (tokenForm.test(token)) await luciaOn(ctx, on).invalidateSession(token);
}

/** Lucia moves the end only in the second half of a session's life; 31 days after the last use needs it moved each time. */
async function slide(ctx: Context, token: string, expiresAt: Date): Promise<void> {
  const lifetime = ctx.settings.lifetimes.session;
  const step = Math.min(slideStep, lifetime / 10);
  // What lucia gave stands on its own clock.
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
