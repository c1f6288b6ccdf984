import type { PortalUser } from "../../actor";
import { isBoundTo } from "../../auth/browser-binding";
import { isFresh } from "../../auth/fresh-sign-in";
import type { Context } from "../../context";
import type { RegisteredClient } from "../clients/client";
import { isRedirectUriOf } from "../redirect-uri";
import { requestFailure } from "../request-failure";
import { isUuid } from "../uuid";
import { type ParkedRequest, wantsLogin } from "./authorization-request";
import { bindRequest, findRequest } from "./store";

/** A parked request that can still be answered, and its application as it is registered now. */
export interface OpenRequest {
  readonly request: ParkedRequest;
  readonly client: RegisteredClient;
}

/**
 * Finds the request for the browser that started it.
 * @throws RequestFailure · a stranger's browser learns nothing of the request but that it is not its own
 */
export async function openRequest(
  ctx: Context,
  { requestId, browserId }: { readonly requestId: string; readonly browserId: string | null },
): Promise<OpenRequest> {
  const request = isUuid(requestId) ? await findRequest(ctx.database.query, requestId) : undefined;
  if (!request) throw requestFailure("unknown");
  if (!isBoundTo(ctx, request.browserHash, browserId)) throw requestFailure("foreign");
  if (request.decidedAt !== null) throw requestFailure("decided");
  if (request.expiresAt <= ctx.now()) throw requestFailure("expired");
  const client = await ctx.findClient(request.clientId);
  if (!client || client.suspended || !isRedirectUriOf(request.redirectUri, client, ctx.settings.baseUrl))
    throw requestFailure("unknown");
  return { request, client };
}

/**
 * Ties the request to the user who is asked. Once tied, nobody else can answer it: the page may still stand open under the
 * name of the first.
 * @throws RequestFailure "stale-sign-in" or "foreign"
 */
export async function askUser(ctx: Context, request: ParkedRequest, user: PortalUser): Promise<void> {
  if (request.accountId !== null && request.accountId !== user.accountId) throw requestFailure("foreign");
  const fresh = isFresh(user, ctx.now()) && (!wantsLogin(request.prompt) || user.authenticatedAt > request.createdAt);
  if (!fresh) throw requestFailure("stale-sign-in");
  const { accountId } = user;
  if (!(await bindRequest(ctx.database.query, { id: request.id, accountId }))) throw requestFailure("foreign");
}

/**
 * Holds an answer against the account that the request is tied to. It was tied when it was parked or shown: whoever could
 * not have been shown the page in that time cannot answer it.
 * @throws RequestFailure "foreign" or "stale-sign-in"
 */
export function assertAsked(request: ParkedRequest, user: PortalUser): void {
  if (request.accountId !== user.accountId) throw requestFailure("foreign");
  const signedInSince = user.authenticatedAt > request.createdAt;
  if (wantsLogin(request.prompt) ? !signedInSince : !isFresh(user, request.createdAt))
    throw requestFailure("stale-sign-in");
}
