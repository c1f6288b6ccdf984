import type { Queryable } from "#db/client";
import type { ClientActor } from "#server/actor";
import type { Context } from "#server/context";
import { hasSecretForm } from "#server/platform/secret-text";
import { earlier, toUnixSeconds } from "#server/platform/time";
import type { RegisteredClient } from "../clients/store";
import { endGrants } from "../grants/end-store";
import { effectiveScopes, grantEndOf, grantState } from "../grants/grant-status";
import { findRefreshToken } from "../grants/refresh-store";
import { oauthError } from "../oauth-error";
import { formatScopeList } from "../scope-list";
import { findAccessToken, findTokenOwners, revokeAccessToken } from "./store";

interface Presented {
  readonly token: string;
}

/**
 * RFC 7009. A refresh token ends its grant, an access token only itself. Tokens show their kind, so
 * the hint is not needed.
 * @throws invalid_grant for a token of another client (section 2.1)
 */
export async function revokeToken(
  ctx: Context,
  by: ClientActor,
  { token }: Presented,
): Promise<void> {
  const kind = (["access", "refresh"] as const).find((each) => hasSecretForm(each, token));
  if (!kind) return;
  const { tokenPool } = ctx.database;
  const hashes = ctx.keyring.hmacs("token", token);
  const now = ctx.now();
  const found = await (kind === "access"
    ? findLiveOwner(tokenPool.query, hashes, now)
    : findRefreshToken(tokenPool.query, hashes));
  if (!found) return;
  const { grantId, accountId, clientId } = found;
  if (clientId !== by.client.clientId)
    throw oauthError("invalid_grant", "The token was issued to another application.");
  await tokenPool.transaction(async (tx) => {
    // All hashes are tried: a concurrent call may have moved the token to the current server
    // secret.
    const isRevoked =
      kind === "access"
        ? await revokeAccessToken(tx, hashes, now)
        : (await endGrants(ctx, tx, { grantId }, { reason: "client", now })) > 0;
    if (!isRevoked) return;
    await ctx.audit(tx, by, "token.revoked", { accountId, details: { grantId, kind } });
    await ctx.tokens.announceRevocation(tx, { grantId });
  });
}

/** Also for a banned player, because a ban can be lifted before the token expires. */
async function findLiveOwner(on: Queryable, hashes: readonly string[], now: Date) {
  const [owner] = (await findTokenOwners(on, hashes, now)).values();
  return owner?.ended === null ? owner : undefined;
}

const inactive = { active: false } as const;

/** @throws invalid_client for a public client, which cannot authenticate (RFC 7662 section 2.1) */
export async function introspectToken(ctx: Context, { client }: ClientActor, { token }: Presented) {
  if (client.kind === "public")
    throw oauthError("invalid_client", "Public applications cannot introspect tokens.");
  if (hasSecretForm("access", token)) return introspectAccess(ctx, client, token);
  if (hasSecretForm("refresh", token)) return introspectRefresh(ctx, client, token);
  return inactive;
}

/** RFC 7662 section 2.2. */
async function introspectAccess(ctx: Context, client: RegisteredClient, token: string) {
  const hashes = ctx.keyring.hmacs("token", token);
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

async function introspectRefresh(ctx: Context, client: RegisteredClient, token: string) {
  const now = ctx.now();
  const hashes = ctx.keyring.hmacs("token", token);
  const found = await findRefreshToken(ctx.database.tokenPool.query, hashes);
  if (found?.clientId !== client.clientId) return inactive;
  const dead =
    found.consumedAt !== null || found.expiresAt <= now || grantState(found, now) !== "live";
  if (dead) return inactive;
  return {
    active: true,
    scope: formatScopeList(effectiveScopes(found, found.scopes)),
    client_id: client.clientId,
    iss: ctx.settings.baseUrl,
    exp: toUnixSeconds(earlier(found.expiresAt, grantEndOf(found))),
  };
}
