import type { PortalUser } from "#server/actor";
import { browserHash, isBoundTo, newBrowserId } from "#server/auth/browser-binding";
import { isConfirmed } from "#server/auth/confirmation";
import type { Context } from "#server/context";
import { isUuid } from "#server/platform/ids";
import { isPortalRefusal, type PortalRefusal, portalRefusal } from "#server/portal-refusal";
import type { ScopeName } from "#server/scopes";
import type { RegisteredClient } from "../clients/client";
import { isRedirectUriOf, mayApprove } from "../redirect-uri";
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
  foreign: "The authorization request belongs to another browser or account. Start again from the application.",
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
  return Object.assign(portalRefusal({ name: "AuthorizationFailure", reason, status, message }), { kind });
}

/** Whether something thrown is such a failure, of one kind if `kind` is given. */
export const isAuthorizationFailure = (
  thrown: unknown,
  kind?: AuthorizationFailureKind,
): thrown is AuthorizationFailure =>
  isPortalRefusal(thrown) && "kind" in thrown && (kind === undefined || thrown.kind === kind);
