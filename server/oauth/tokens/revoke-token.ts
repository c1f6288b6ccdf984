import type { Origin } from "#server/audit/audit";
import type { Context } from "#server/context";
import { recordEvents } from "#server/event-log/record-events";
import { isSecretText } from "#server/platform/crypto/secret-text";
import type { RegisteredClient } from "../clients/client";
import { grantEnded } from "../grants/events";
import { grantEventsOf } from "../grants/record-grant-events";
import { findRefreshToken } from "../grants/refresh-store";
import { endGrant } from "../grants/store";
import { oauthError } from "../oauth-error";
import { findAccessToken, revokeAccessToken } from "./store";

/**
 * Revokes a token of the client (RFC 7009). An access token ends alone; a refresh token ends its grant, with the access token
 * that belongs to it. The kind shows in the token, so the client's hint is not needed. An unknown token is no error.
 * @throws invalid_grant for a token of another client (section 2.1: the request is refused and the client informed)
 */
export async function revokeToken(
  ctx: Context,
  client: RegisteredClient,
  { token, origin }: { readonly token: string; readonly origin: Origin },
): Promise<void> {
  if (isSecretText("access", token)) return revokeAccess(ctx, client, { token, origin });
  if (isSecretText("refresh", token)) return revokeRefresh(ctx, client, { token, origin });
}

interface Presented {
  readonly token: string;
  readonly origin: Origin;
}

const foreign = () => oauthError("invalid_grant", "The token was issued to another application.");

async function revokeAccess(ctx: Context, client: RegisteredClient, { token, origin }: Presented): Promise<void> {
  const hashes = ctx.keyring.hmacs("token", token).map(({ hash }) => hash);
  const found = await findAccessToken(ctx.database, hashes, ctx.now());
  if (!found) return;
  const { grantId, accountId, clientId } = found.actor;
  if (clientId !== client.clientId) throw foreign();
  await ctx.database.tokenPool.transaction(async (tx) => {
    // By all of its hashes: since the look it may have moved to the current server secret.
    if (!(await revokeAccessToken(tx, hashes, ctx.now()))) return;
    await ctx.audit(tx, revoked({ clientId, accountId, origin, grantId, kind: "access" }));
    await ctx.announceRevocation(tx, { grantId });
  });
}

async function revokeRefresh(ctx: Context, client: RegisteredClient, { token, origin }: Presented): Promise<void> {
  for (const { hash } of ctx.keyring.hmacs("token", token)) {
    const found = await findRefreshToken(ctx.database.tokenPool.query, hash);
    if (!found) continue;
    const { grantId, accountId, clientId } = found;
    if (clientId !== client.clientId) throw foreign();
    await ctx.database.tokenPool.transaction(async (tx) => {
      const events = await grantEventsOf(ctx, tx, { grantId }, { type: grantEnded, reason: "client" });
      if (!(await endGrant(tx, { grantId, reason: "client" }, ctx.now()))) return;
      await ctx.audit(tx, revoked({ clientId, accountId, origin, grantId, kind: "refresh" }));
      await ctx.announceRevocation(tx, { grantId });
      await recordEvents(ctx, tx, events);
    });
  }
}

const revoked = (what: { clientId: string; accountId: string; origin: Origin; grantId: string; kind: string }) => ({
  act: "token-revoked" as const,
  actor: `client:${what.clientId}`,
  accountId: what.accountId,
  clientId: what.clientId,
  origin: what.origin,
  details: { grantId: what.grantId, kind: what.kind },
});
