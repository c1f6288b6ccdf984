import type { PortalUser } from "#server/actor";
import type { Context } from "#server/context";
import { ClientSuspended, UnknownOAuthClient } from "#server/failures";
import { requireApplication } from "../clients/own-applications";
import { lockLiveConsent, lockParties } from "../consents/store";
import { redeemCode } from "../grants/authorization-code";
import { hostedCallback } from "../redirect-uri";
import { approveRequest } from "./decide-request";

/**
 * An access token of the developer's own account, for a first call. It approves the application
 * with all its scopes, and goes the way of every code, so that one place issues tokens.
 * @throws UnknownOAuthClient · ClientSuspended
 */
export async function issueOwnToken(
  ctx: Context,
  by: PortalUser,
  asked: { readonly clientId: string },
): Promise<{ accessToken: string; expiresInSeconds: number; firstCall: string }> {
  const { clientId } = await requireApplication(ctx.database.query, by, asked.clientId, "tokens");
  const client = await ctx.tokens.findClient(clientId);
  if (!client) throw UnknownOAuthClient.because();
  const redirectUri = hostedCallback(ctx.settings.baseUrl, clientId);
  const request = {
    clientId,
    redirectUri,
    scopes: client.scopes,
    state: "",
    codeChallenge: null,
    prompt: null,
  };
  const code = await ctx.database.transaction(async (tx) => {
    const pair = { accountId: by.accountId, clientId };
    if (!(await lockParties(tx, pair))) throw ClientSuspended.because();
    const held = await lockLiveConsent(tx, pair, ctx.now());
    return approveRequest(ctx, tx, by, {
      request,
      client,
      until: held ? "earlier" : "revoked",
      ticked: client.scopes,
    });
  });
  const form = new Map(Object.entries({ code, redirect_uri: redirectUri }));
  const redeemer = { kind: "client", client, from: by.from } as const;
  const reply = await redeemCode(ctx, redeemer, form);
  return {
    accessToken: reply.access_token,
    expiresInSeconds: reply.expires_in,
    firstCall: `${ctx.settings.baseUrl}/api/v1/user`,
  };
}
