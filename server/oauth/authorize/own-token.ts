import type { PortalUser } from "#server/actor";
import type { Context } from "#server/context";
import { ClientSuspended, GrantPaused, UnknownOAuthClient } from "#server/failures";
import { mintSecret } from "#server/platform/secret-text";
import { earlier, secondMs } from "#server/platform/time";
import { missingScopes } from "#server/scopes";
import { requireApplication } from "../clients/own-applications";
import { lockLiveConsent, lockParties } from "../consents/store";
import { grantEndOf } from "../grants/grant-status";
import { findGrantFor, insertAccessToken } from "../grants/store";
import { hostedCallbackUri } from "../redirect-uri";
import { knownScopesOf } from "../scope-list";
import { openGrant, saveApproval } from "./decide-request";

/**
 * Issues a token for the developer's own account. Scopes that were never approved are approved;
 * scopes that were taken away are not restored.
 * @throws UnknownOAuthClient · ClientSuspended · GrantPaused
 */
export async function issueDeveloperToken(
  ctx: Context,
  by: PortalUser,
  asked: { readonly clientId: string },
): Promise<{ accessToken: string; expiresInSeconds: number; firstCall: string }> {
  const { clientId } = await requireApplication(ctx.database.query, by, asked.clientId, "tokens");
  const client = await ctx.tokens.findClient(clientId);
  if (!client) throw UnknownOAuthClient.because();
  const { baseUrl, lifetimes } = ctx.settings;
  const accessToken = mintSecret("access", ctx.ids.bytes);
  const issuedAt = ctx.now();
  const expiresAt = await ctx.database.transaction(async (tx) => {
    const pair = { accountId: by.accountId, clientId };
    if (!(await lockParties(tx, pair))) throw ClientSuspended.because();
    const held = await lockLiveConsent(tx, pair, issuedAt);
    if (held?.paused) throw GrantPaused.because();
    const kept = held?.scopes ?? [];
    const added = missingScopes([...kept, ...(held?.takenAway ?? [])], client.scopes);
    const redirectUri = hostedCallbackUri(baseUrl, clientId);
    const request = { scopes: added, prompt: null, redirectUri };
    const until = held ? "earlier" : "revoked";
    const consent =
      held && added.length === 0
        ? held
        : (await saveApproval(ctx, tx, by, { request, client, until, ticked: added })).consent;
    const scopes = knownScopesOf([...kept, ...added]);
    const { grantId, absoluteExpiry } =
      (await findGrantFor(tx, { consentId: consent.id, scopes }, issuedAt)) ??
      (await openGrant(ctx, tx, by, { clientId, scopes, consent }));
    const seconds = client.kind === "public" ? lifetimes.accessPublic : lifetimes.access;
    const end = earlier(
      new Date(issuedAt.getTime() + seconds * secondMs),
      grantEndOf({ absoluteExpiry, until: consent.until }),
    );
    const { hash, keyId: hashKeyId } = ctx.keyring.hmac("token", accessToken);
    await insertAccessToken(tx, { hash, hashKeyId, grantId, scopes, issuedAt, expiresAt: end });
    await ctx.audit(tx, by, "token.issued", { clientId, details: { grantId, scopes } });
    return end;
  });
  return {
    accessToken,
    expiresInSeconds: Math.floor((expiresAt.getTime() - issuedAt.getTime()) / secondMs),
    firstCall: `${baseUrl}/api/v1/user`,
  };
}
