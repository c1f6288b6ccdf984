import type { PortalUser } from "#server/actor";
import type { Origin } from "#server/audit/audit";
import type { Context } from "#server/context";
import { missingScopes } from "#server/scopes";
import type { RegisteredClient } from "../clients/client";
import { findLiveConsent } from "../consents/store";
import { reachesClientAlone } from "../redirect-uri";
import { type AuthorizationRequest, wantsConsent } from "./authorization-request";
import { issueCode } from "./issue-code";
import { authorizationFailure } from "./pending-authorization";
import { closeAuthorization } from "./store";

/**
 * Answers a request from a consent that the player gave before, where it is enough. By the hosted callback a public application
 * is always asked for: anybody can send its id, and the answer would be shown to them. A consent that ends at this very moment
 * leaves a code that opens nothing.
 * @param asked.requestId the pending request to close, if it was saved as one
 * @returns the address that takes the code to the client; undefined where the player must be asked
 * @throws AuthorizationFailure "decided" when the pending request was answered meanwhile
 */
export async function applyRememberedConsent(
  ctx: Context,
  asked: {
    readonly request: AuthorizationRequest;
    readonly requestId?: string;
    readonly client: RegisteredClient;
    readonly user: PortalUser;
    readonly origin: Origin;
  },
): Promise<string | undefined> {
  const { request, requestId, client, user } = asked;
  if (wantsConsent(request.prompt)) return undefined;
  if (!reachesClientAlone(client.kind, request.redirectUri, ctx.settings.baseUrl)) return undefined;
  // The application may have changed since the request was saved.
  if (missingScopes(client.scopes, request.scopes).length > 0) return undefined;
  const pair = { accountId: user.accountId, clientId: client.clientId };
  const consent = await findLiveConsent(ctx.database.query, pair, ctx.now());
  if (!consent || consent.paused || missingScopes(consent.scopes, request.scopes).length > 0) return undefined;
  const location = await ctx.database.transaction(async (tx) => {
    if (requestId !== undefined && !(await closeAuthorization(tx, requestId, ctx.now())))
      throw authorizationFailure("decided");
    return issueCode(ctx, tx, { ...asked, consent });
  });
  ctx.metrics.consents.of("remembered").inc();
  return location;
}
