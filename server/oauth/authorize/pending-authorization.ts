import type { PortalUser } from "#server/actor";
import { browserHash, isBoundTo, newBrowserId } from "#server/auth/browser-binding";
import { isConfirmed } from "#server/auth/confirmation";
import type { Context } from "#server/context";
import { isUuid } from "#server/platform/ids";
import type { ScopeName } from "#server/scopes";
import type { RegisteredClient } from "../clients/client";
import { isRedirectUriOf, mayApprove } from "../redirect-uri";
import { authorizationFailure } from "./authorization-failure";
import { type AuthorizationRequest, type PendingAuthorization, wantsLogin } from "./authorization-request";
import { wantsConfirmation } from "./consent-prompt";
import { bindRequest, findAuthorizationRequest, insertAuthorization } from "./store";

/** Long enough to sign in with a key that must be looked up first. */
export const requestMilliseconds = 600_000;

/**
 * Keeps the request until the player decides, bound to the browser that started it, and to the player who was signed in there: a
 * request that was meant for one player is not answered by the next one at the same machine.
 * @param by.browserId the browser's id, or null for a browser that has none yet
 */
export async function savePendingAuthorization(
  ctx: Context,
  request: AuthorizationRequest,
  by: { readonly browserId: string | null; readonly user: Pick<PortalUser, "accountId"> | null },
): Promise<{ requestId: string; browserId: string }> {
  const browserId = by.browserId ?? newBrowserId(ctx);
  const requestId = ctx.ids.uuid();
  const createdAt = ctx.now();
  await insertAuthorization(ctx.database.query, {
    ...request,
    id: requestId,
    browserHash: browserHash(ctx, browserId),
    accountId: by.user?.accountId ?? null,
    createdAt,
    expiresAt: new Date(createdAt.getTime() + requestMilliseconds),
    decidedAt: null,
  });
  return { requestId, browserId };
}

/** A pending request that can still be answered, and its application as it is registered now. */
export interface PendingRequest {
  readonly request: PendingAuthorization;
  readonly client: RegisteredClient;
}

/**
 * Finds the request for the browser that started it, and for the user who is to answer it, where there is one.
 * @throws AuthorizationFailure · a stranger's browser learns nothing of the request but that it is not its own
 */
export async function findPendingAuthorization(
  ctx: Context,
  {
    requestId,
    browserId,
    user,
  }: {
    readonly requestId: string;
    readonly browserId: string | null;
    readonly user?: Pick<PortalUser, "accountId">;
  },
): Promise<PendingRequest> {
  const request = isUuid(requestId) ? await findAuthorizationRequest(ctx.database.query, requestId) : undefined;
  if (!request) throw authorizationFailure("unknown");
  if (!isBoundTo(ctx, request.browserHash, browserId)) throw authorizationFailure("foreign");
  if (request.decidedAt !== null) throw authorizationFailure("decided");
  if (request.expiresAt <= ctx.now()) throw authorizationFailure("expired");
  const client = await ctx.findClient(request.clientId);
  if (!client || client.suspended || !isRedirectUriOf(request.redirectUri, client, ctx.settings.baseUrl))
    throw authorizationFailure("unknown");
  const addressed = { client, redirectUri: request.redirectUri };
  if (user && !mayApprove(user, addressed, ctx.settings.baseUrl)) throw authorizationFailure("foreign");
  return { request, client };
}

/**
 * Ties the request to the user who is asked. Once tied, nobody else can answer it: the page may still stand open under the
 * name of the first.
 * @throws AuthorizationFailure "stale-sign-in", "unconfirmed" or "foreign"
 */
export async function bindToUser(
  ctx: Context,
  { request, held }: RequestWithHeldScopes,
  user: PortalUser,
): Promise<void> {
  if (request.accountId !== null && request.accountId !== user.accountId) throw authorizationFailure("foreign");
  assertProved(ctx, request, { held, user, at: ctx.now() });
  const { accountId } = user;
  if (!(await bindRequest(ctx.database.query, { id: request.id, accountId }))) throw authorizationFailure("foreign");
}

/**
 * Holds an answer against the account that the request is tied to. It was tied when it was saved or shown: a user who could
 * not have been shown the page in that time cannot answer it.
 * @throws AuthorizationFailure "foreign", "stale-sign-in" or "unconfirmed"
 */
export function assertBoundTo(ctx: Context, { request, held }: RequestWithHeldScopes, user: PortalUser): void {
  if (request.accountId !== user.accountId) throw authorizationFailure("foreign");
  assertProved(ctx, request, { held, user, at: request.createdAt });
}

/** A request, and the scopes that the user confirmed before: of a consent that was not revoked, be it over. */
export interface RequestWithHeldScopes {
  readonly request: PendingAuthorization;
  readonly held: readonly ScopeName[];
}

interface Proof {
  readonly held: readonly ScopeName[];
  readonly user: PortalUser;
  /** The moment at which the confirmation must have been in force. */
  readonly at: Date;
}

function assertProved(ctx: Context, request: PendingAuthorization, { held, user, at }: Proof): void {
  if (wantsLogin(request.prompt) && user.authenticatedAt <= request.createdAt)
    throw authorizationFailure("stale-sign-in");
  if (wantsConfirmation(request.scopes, held) && !isConfirmed(ctx, user, at)) throw authorizationFailure("unconfirmed");
}
