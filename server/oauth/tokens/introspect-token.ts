import type { Context } from "#server/context";
import { isSecretText } from "#server/platform/crypto/secret-text";
import { earlier, toUnixSeconds } from "#server/platform/time";
import type { RegisteredClient } from "../clients/client";
import { effectiveScopes, endOf, grantState } from "../grants/grant-status";
import { findRefreshToken } from "../grants/refresh-store";
import { oauthError } from "../oauth-error";
import { formatScopeList } from "../scope-list";
import { findAccessToken } from "./store";

/** What introspection says of a token (RFC 7662 section 2.2), in wire names; times in Unix seconds. */
export type Introspection =
  | { readonly active: false }
  | {
      readonly active: true;
      readonly scope: string;
      readonly client_id: string;
      /** The player's id in the game. */
      readonly sub?: string;
      readonly iss: string;
      readonly iat?: number;
      readonly exp: number;
      /** Access tokens only. */
      readonly token_type?: "Bearer";
    };

/** Another client's token, a dead one and one that was never issued look alike. */
const inactive: Introspection = { active: false };

/**
 * Tells a confidential client about a token of its own.
 * @throws invalid_client for a public client, which cannot prove who asks (RFC 7662 section 2.1)
 */
export async function introspectToken(ctx: Context, client: RegisteredClient, token: string): Promise<Introspection> {
  if (client.kind === "public") throw oauthError("invalid_client", "Public applications cannot introspect tokens.");
  if (isSecretText("access", token)) return introspectAccess(ctx, client, token);
  if (isSecretText("refresh", token)) return introspectRefresh(ctx, client, token);
  return inactive;
}

async function introspectAccess(ctx: Context, client: RegisteredClient, token: string): Promise<Introspection> {
  const hashes = ctx.keyring.hmacs("token", token).map(({ hash }) => hash);
  const found = await findAccessToken(ctx.database, hashes, ctx.now());
  if (found?.status !== "active" || found.actor.clientId !== client.clientId) return inactive;
  return {
    active: true,
    scope: formatScopeList(found.actor.scopes),
    client_id: client.clientId,
    sub: String(found.actor.playerId),
    iss: ctx.settings.baseUrl,
    iat: toUnixSeconds(found.issuedAt),
    exp: toUnixSeconds(found.expiresAt),
    token_type: "Bearer",
  };
}

async function introspectRefresh(ctx: Context, client: RegisteredClient, token: string): Promise<Introspection> {
  const now = ctx.now();
  for (const { hash } of ctx.keyring.hmacs("token", token)) {
    const found = await findRefreshToken(ctx.database.tokenPool.query, hash);
    if (!found || found.clientId !== client.clientId) continue;
    const dead = found.consumedAt !== null || found.expiresAt <= now || grantState(found, now) !== "live";
    if (dead) return inactive;
    return {
      active: true,
      scope: formatScopeList(effectiveScopes(found, found.scopes)),
      client_id: client.clientId,
      iss: ctx.settings.baseUrl,
      exp: toUnixSeconds(earlier(found.expiresAt, endOf(found))),
    };
  }
  return inactive;
}
