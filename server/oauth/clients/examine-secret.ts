import type { DeadToken } from "#db/schema/operations";
import type { Context } from "#server/context";
import { earlier } from "#server/platform/time";
import type { ScopeName } from "#server/scopes";
import { effectiveScopes, endOf, type GrantState, grantState } from "../grants/grant-status";
import { findRefreshToken } from "../grants/refresh-store";
import { findCode } from "../grants/store";
import { findAccessToken } from "../tokens/store";
import { findTokenOwners } from "../tokens/token-owner-store";
import type { MaskedSecret } from "./pasted-secrets";

/** What became of a token or code. `used`: a refresh token or code that was exchanged. */
export type TokenState = GrantState | DeadToken["ended"] | "used";

/** A token or code of this service, as the developer of its application is told of it. */
export interface ExaminedToken {
  readonly clientId: string;
  readonly state: TokenState;
  /** When it expires by itself, or has; null where it ended in another way. */
  readonly expiresAt: Date | null;
  /** What it opens while it lives. */
  readonly scopes: readonly ScopeName[];
}

/** Looks up a token or code, live or dead. Undefined where none of these hashes is stored any more, or ever was. */
export async function examineSecret(ctx: Context, { kind, hashes }: MaskedSecret): Promise<ExaminedToken | undefined> {
  if (kind === "access") return examineAccessToken(ctx, hashes);
  if (kind === "clientSecret") return undefined;
  const find = kind === "refresh" ? findRefreshToken : findCode;
  const found = (await Promise.all(hashes.map((hash) => find(ctx.database.query, hash)))).find(Boolean);
  if (!found) return undefined;
  const now = ctx.now();
  const expiresAt = earlier(found.expiresAt, endOf(found));
  const state = (): TokenState => {
    if (found.grantRevokedAt ?? found.consentRevokedAt) return "revoked";
    if (found.consumedAt) return "used";
    return expiresAt <= now ? "expired" : grantState(found, now);
  };
  return { clientId: found.clientId, state: state(), expiresAt, scopes: effectiveScopes(found, found.scopes) };
}

async function examineAccessToken(ctx: Context, hashes: readonly string[]): Promise<ExaminedToken | undefined> {
  const now = ctx.now();
  const [owner] = (await findTokenOwners(ctx.database.query, hashes, now)).values();
  if (!owner) return undefined;
  const { clientId, ended } = owner;
  if (ended) {
    const expiresAt = ended.ended === "expired" && ended.at !== null ? new Date(ended.at) : null;
    return { clientId, state: ended.ended, expiresAt, scopes: [] };
  }
  const live = await findAccessToken(ctx.database, hashes, now);
  // What has not ended and lets nobody in is a banned player's.
  if (!live) return { clientId, state: "banned", expiresAt: null, scopes: [] };
  const { status, expiresAt, actor } = live;
  return { clientId, state: status === "active" ? "live" : status, expiresAt, scopes: actor.scopes };
}
