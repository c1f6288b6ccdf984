import type { PortalUser } from "#server/actor";
import { browserHash, isBoundToBrowser, newBrowserId } from "#server/auth/browser-binding";
import { isConfirmed } from "#server/auth/confirmation";
import type { Context } from "#server/context";
import { isUuid } from "#server/platform/ids";
import { isPortalRefusal, type PortalRefusal, portalRefusal } from "#server/portal-refusal";
import type { ScopeName } from "#server/scopes";
import type { RegisteredClient } from "../clients/client";
import { isRedirectUriOf, mayBeAsked } from "../redirect-uri";
import {
  type AuthorizationRequest,
  type PendingAuthorization,
  wantsLogin,
} from "./authorization-request";
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
    sealedAnswer: null,
  });
  return { requestId, browserId };
}

/** A request as a browser names it. */
interface NamedRequest {
  readonly requestId: string;
  readonly browserId: string | null;
}

/**
 * Finds the request, whatever became of it, for the browser that started it.
 * @throws AuthorizationFailure "unknown", or "foreign": a stranger's browser learns no more than that it is not its own
 */
export async function findOwnRequest(
  ctx: Context,
  { requestId, browserId }: NamedRequest,
): Promise<PendingAuthorization> {
  const request = isUuid(requestId)
    ? await findAuthorizationRequest(ctx.database.query, requestId)
    : undefined;
  if (!request) throw authorizationFailure("unknown");
  if (!isBoundToBrowser(ctx, request.browserHash, browserId)) throw authorizationFailure("foreign");
  return request;
}

/** The request's application as it is registered now; undefined where it could not ask for this any more. */
export async function usableClient(
  ctx: Context,
  { clientId, redirectUri }: AuthorizationRequest,
): Promise<RegisteredClient | undefined> {
  const client = await ctx.findClient(clientId);
  const isUsable =
    client && !client.suspended && isRedirectUriOf(redirectUri, client, ctx.settings.baseUrl);
  return isUsable ? client : undefined;
}

/** A pending request that can still be answered, and its application. */
export interface PendingRequest {
  readonly request: PendingAuthorization;
  readonly client: RegisteredClient;
}

/**
 * Finds a request that can be answered, for the browser that started it and for the user who is to answer it, where there is one.
 * @throws AuthorizationFailure
 */
export async function findPendingAuthorization(
  ctx: Context,
  { user, ...named }: NamedRequest & { readonly user?: Pick<PortalUser, "accountId"> },
): Promise<PendingRequest> {
  const request = await findOwnRequest(ctx, named);
  if (request.decidedAt !== null) throw authorizationFailure("decided");
  if (request.expiresAt <= ctx.now()) throw authorizationFailure("expired");
  const client = await usableClient(ctx, request);
  if (!client) throw authorizationFailure("unknown");
  const addressed = { client, redirectUri: request.redirectUri };
  if (user && !mayBeAsked(user, addressed, ctx.settings.baseUrl))
    throw authorizationFailure("foreign");
  return { request, client };
}

/**
 * Holds a request against the user who is to answer it: no other account than the one that it is tied to, where it is, and one
 * that signed in since, where the client wants that.
 * @throws AuthorizationFailure "foreign" or "stale-sign-in"
 */
export function assertOwnAccount(
  { accountId, prompt, createdAt }: PendingAuthorization,
  user: PortalUser,
): void {
  if (accountId !== null && accountId !== user.accountId) throw authorizationFailure("foreign");
  if (wantsLogin(prompt) && user.authenticatedAt <= createdAt)
    throw authorizationFailure("stale-sign-in");
}

/** A request, and the scopes that the user confirmed before: of a consent that was not revoked, be it over. */
interface RequestWithHeldScopes {
  readonly request: PendingAuthorization;
  readonly held: readonly ScopeName[];
}

/**
 * Ties the request to the account of the user who is asked. Once tied, nobody else can answer it: the page may still stand open
 * under the name of the first.
 * @throws AuthorizationFailure "foreign", "stale-sign-in" or "unconfirmed"
 */
export async function bindToAccount(
  ctx: Context,
  asked: RequestWithHeldScopes,
  user: PortalUser,
): Promise<void> {
  assertOwnAccount(asked.request, user);
  assertConfirmed(ctx, asked, { user, at: ctx.now() });
  const bound = { id: asked.request.id, accountId: user.accountId };
  if (!(await bindRequest(ctx.database.query, bound))) throw authorizationFailure("foreign");
}

/**
 * Holds an answer against the account that the request is tied to. It was tied when it was saved or shown: a user who could
 * not have been shown the page in that time cannot answer it. One that was not is tied now.
 * @throws AuthorizationFailure "foreign", "stale-sign-in" or "unconfirmed"
 */
export async function assertAnswerable(
  ctx: Context,
  asked: RequestWithHeldScopes,
  user: PortalUser,
): Promise<void> {
  if (asked.request.accountId === null) return bindToAccount(ctx, asked, user);
  assertOwnAccount(asked.request, user);
  assertConfirmed(ctx, asked, { user, at: asked.request.createdAt });
}

/** @param by.at the moment at which the confirmation must have been in force */
function assertConfirmed(
  ctx: Context,
  { request, held }: RequestWithHeldScopes,
  by: { readonly user: PortalUser; readonly at: Date },
): void {
  if (wantsConfirmation(request.scopes, held) && !isConfirmed(ctx, by.user, by.at))
    throw authorizationFailure("unconfirmed");
}

/**
 * Why a pending authorization request cannot be shown or decided.
 * - unknown: there is none, or its application or redirect URI is no longer registered
 * - expired: it waited longer than ten minutes
 * - decided: it was answered before
 * - foreign: another browser started it, or another account was asked
 * - changed: what the answered page showed no longer holds, and must be asked again
 * - stale-sign-in: the client wants a new sign-in
 * - unconfirmed: the user must confirm who they are before the first consent to a sensitive scope
 */
type AuthorizationFailureKind =
  | "unknown"
  | "expired"
  | "decided"
  | "foreign"
  | "changed"
  | "stale-sign-in"
  | "unconfirmed";

/** The words by which the consent page tells them apart. */
export const requestReasons = {
  unknown: "REQUEST_UNKNOWN",
  expired: "REQUEST_EXPIRED",
  decided: "REQUEST_DECIDED",
  foreign: "REQUEST_FOREIGN",
  changed: "REQUEST_CHANGED",
  "stale-sign-in": "SIGN_IN_STALE",
  unconfirmed: "CONFIRMATION_WANTED",
} as const satisfies Record<AuthorizationFailureKind, string>;

const sentences: Record<AuthorizationFailureKind, string> = {
  unknown: "There is no such authorization request. Start again from the application.",
  expired: "The authorization request has expired. Start again from the application.",
  decided: "The authorization request was already answered.",
  foreign:
    "The authorization request belongs to another browser or account. Start again from the application.",
  changed: "The application's request has changed. Read it again.",
  "stale-sign-in": "Sign in again to answer the authorization request.",
  unconfirmed: "Confirm it's you to continue.",
};

const statuses: Readonly<Record<AuthorizationFailureKind, number>> = {
  ...{ unknown: 404, expired: 409, decided: 409, changed: 409 },
  ...{ foreign: 403, "stale-sign-in": 403, unconfirmed: 403 },
};

/** The authorization request cannot be shown or decided. */
type AuthorizationFailure = PortalRefusal & { readonly kind: AuthorizationFailureKind };

/** A failure ready to be thrown. */
export function authorizationFailure(kind: AuthorizationFailureKind): AuthorizationFailure {
  const [reason, status, message] = [requestReasons[kind], statuses[kind], sentences[kind]];
  return Object.assign(portalRefusal({ name: "AuthorizationFailure", reason, status, message }), {
    kind,
  });
}

/** Whether something thrown is such a failure, of one kind if `kind` is given. */
export const isAuthorizationFailure = (
  thrown: unknown,
  kind?: AuthorizationFailureKind,
): thrown is AuthorizationFailure =>
  isPortalRefusal(thrown) && "kind" in thrown && (kind === undefined || thrown.kind === kind);

/** For a page that does without the request: null in place of such a failure. */
export function nullIfRefused(thrown: unknown): null {
  if (isAuthorizationFailure(thrown)) return null;
  throw thrown;
}
