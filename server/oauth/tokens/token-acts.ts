import type { ClientActor } from "#server/actor";
import type { Context } from "#server/context";
import { isSecretText } from "#server/platform/secret-text";
import { earlier, toUnixSeconds } from "#server/platform/time";
import type { RegisteredClient } from "../clients/client";
import { endGrants } from "../grants/end-store";
import { effectiveScopes, endOf, grantState } from "../grants/grant-status";
import { findRefreshToken } from "../grants/refresh-store";
import { oauthError } from "../oauth-error";
import { formatScopeList } from "../scope-list";
import { findAccessToken, revokeAccessToken } from "./store";

/**
 * RFC 7009. A refresh token ends with its grant, an access token alone. Tokens show their kind, so
 * the hint is not needed.
 * @throws invalid_grant for a token of another client (section 2.1)
 */
export async function revokeToken(
  ctx: Context,
  by: ClientActor,
  { token }: Presented,
): Promise<void> {
  if (isSecretText("access", token)) return revokeAccess(ctx, by, { token });
  if (isSecretText("refresh", token)) return revokeRefresh(ctx, by, { token });
}

interface Presented {
  readonly token: string;
}

const issuedToAnother = () =>
  oauthError("invalid_grant", "The token was issued to another application.");

async function revokeAccess(ctx: Context, by: ClientActor, { token }: Presented): Promise<void> {
  const hashes = ctx.keyring.hmacs("token", token).map(({ hash }) => hash);
  const found = await findAccessToken(ctx.database, hashes, ctx.now());
  if (!found) return;
  const { grantId, accountId, clientId } = found.actor;
  if (clientId !== by.client.clientId) throw issuedToAnother();
  await ctx.database.tokenPool.transaction(async (tx) => {
    // A concurrent call may have moved it to the current server secret.
    if (!(await revokeAccessToken(tx, hashes, ctx.now()))) return;
    await ctx.audit(tx, by, "token.revoked", { accountId, details: { grantId, kind: "access" } });
    await ctx.tokens.announceRevocation(tx, { grantId });
  });
}

async function revokeRefresh(ctx: Context, by: ClientActor, { token }: Presented): Promise<void> {
  for (const { hash } of ctx.keyring.hmacs("token", token)) {
    const found = await findRefreshToken(ctx.database.tokenPool.query, [hash]);
    if (!found) continue;
    const { grantId, accountId, clientId } = found;
    if (clientId !== by.client.clientId) throw issuedToAnother();
    await ctx.database.tokenPool.transaction(async (tx) => {
      const ended = await endGrants(ctx, tx, { grantId }, { reason: "client", now: ctx.now() });
      if (ended === 0) return;
      const details = { grantId, kind: "refresh" };
      await ctx.audit(tx, by, "token.revoked", { accountId, details });
      await ctx.tokens.announceRevocation(tx, { grantId });
    });
  }
}

/** RFC 7662 section 2.2; Unix seconds. */
type Introspection =
  | { readonly active: false }
  | {
      readonly active: true;
      readonly scope: string;
      readonly client_id: string;
      readonly sub?: string;
      readonly iss: string;
      readonly iat?: number;
      readonly exp: number;
      readonly token_type?: "Bearer";
    };

const inactive: Introspection = { active: false };

/** @throws invalid_client for a public client, which cannot authenticate (RFC 7662 section 2.1) */
export async function introspectToken(
  ctx: Context,
  { client }: ClientActor,
  { token }: Presented,
): Promise<Introspection> {
  if (client.kind === "public")
    throw oauthError("invalid_client", "Public applications cannot introspect tokens.");
  if (isSecretText("access", token)) return introspectAccess(ctx, client, token);
  if (isSecretText("refresh", token)) return introspectRefresh(ctx, client, token);
  return inactive;
}

async function introspectAccess(
  ctx: Context,
  client: RegisteredClient,
  token: string,
): Promise<Introspection> {
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

async function introspectRefresh(
  ctx: Context,
  client: RegisteredClient,
  token: string,
): Promise<Introspection> {
  const now = ctx.now();
  for (const { hash } of ctx.keyring.hmacs("token", token)) {
    const found = await findRefreshToken(ctx.database.tokenPool.query, [hash]);
    if (!found || found.clientId !== client.clientId) continue;
    const dead =
      found.consumedAt !== null || found.expiresAt <= now || grantState(found, now) !== "live";
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
