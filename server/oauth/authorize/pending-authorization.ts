import type { PortalUser } from "#server/actor";
import { browserHash, isBoundToBrowser, newBrowserId } from "#server/auth/browser-binding";
import { isConfirmed } from "#server/auth/confirmation";
import type { Context } from "#server/context";
import { isUuid } from "#server/platform/ids";
import { isPortalRefusal, type PortalRefusal, portalRefusal } from "#server/portal-refusal";
import type { ScopeName } from "#server/scopes";
import type { RegisteredClient } from "../clients/client";
import { whyNotAsked } from "../clients/own-applications";
import { isRedirectUriOf } from "../redirect-uri";
import {
  type AuthorizationRequest,
  type PendingAuthorization,
  wantsLogin,
} from "./authorization-messages";
import { wantsConfirmation } from "./consent-prompt";
import { bindRequest, findAuthorizationRequest, insertAuthorization } from "./store";

/** Enough time to look up a key for the sign-in. */
export const requestMilliseconds = 600_000;

/**
 * Bound to browser and signed-in player, so that the next player at the same machine cannot answer
 * it.
 * @param by.browserId null for a new browser
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

export interface NamedRequest {
  readonly requestId: string;
  readonly browserId: string | null;
}

/** @throws AuthorizationFailure "unknown", or "foreign" for another browser */
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

export async function usableClient(
  ctx: Context,
  { clientId, redirectUri }: AuthorizationRequest,
): Promise<RegisteredClient | undefined> {
  const client = await ctx.tokens.findClient(clientId);
  const isUsable =
    client && !client.suspended && isRedirectUriOf(redirectUri, client, ctx.settings.baseUrl);
  return isUsable ? client : undefined;
}

export interface PendingRequest {
  readonly request: PendingAuthorization;
  readonly client: RegisteredClient;
}

/** @throws AuthorizationFailure */
export async function findPendingAuthorization(
  ctx: Context,
  { user, ...named }: NamedRequest & { readonly user?: Pick<PortalUser, "accountId"> },
): Promise<PendingRequest> {
  const request = await findOwnRequest(ctx, named);
  if (request.decidedAt !== null) throw authorizationFailure("decided");
  if (request.expiresAt <= ctx.now()) throw authorizationFailure("expired");
  const client = await usableClient(ctx, request);
  if (!client) throw authorizationFailure("unknown");
  if (user) {
    assertSameAccount(request, user);
    const why = await whyNotAsked(ctx, user, { client, redirectUri: request.redirectUri });
    if (why) throw authorizationFailure(why === "in-test" ? why : "foreign");
  }
  return { request, client };
}

function assertSameAccount(
  { accountId }: Pick<PendingAuthorization, "accountId">,
  user: Pick<PortalUser, "accountId">,
): void {
  if (accountId !== null && accountId !== user.accountId) throw authorizationFailure("foreign");
}

/** @throws AuthorizationFailure "foreign" or "stale-sign-in" */
export function assertOwnAccount(request: PendingAuthorization, user: PortalUser): void {
  assertSameAccount(request, user);
  if (wantsLogin(request.prompt) && user.authenticatedAt <= request.createdAt)
    throw authorizationFailure("stale-sign-in");
}

/**
 * Final: the page may still be open under another account.
 * @param asked.since when a confirmation must have held; default: now
 * @throws AuthorizationFailure "foreign", "stale-sign-in" or "unconfirmed"
 */
export async function bindToAccount(
  ctx: Context,
  asked: {
    readonly request: PendingAuthorization;
    readonly held: readonly ScopeName[];
    readonly since?: Date;
  },
  user: PortalUser,
): Promise<void> {
  const { request, held, since = ctx.now() } = asked;
  assertOwnAccount(request, user);
  if (wantsConfirmation(request.scopes, held) && !isConfirmed(ctx, user, since))
    throw authorizationFailure("unconfirmed");
  if (request.accountId !== null) return;
  const bound = { id: request.id, accountId: user.accountId };
  if (!(await bindRequest(ctx.database.query, bound))) throw authorizationFailure("foreign");
}

/**
 * - unknown: no request, or its application or redirect URI is no longer registered
 * - foreign: another browser or account
 * - in-test: not opened yet, and the player is neither in its team nor a test player
 * - changed: the page is outdated
 * - stale-sign-in: the client wants a new sign-in
 * - unconfirmed: a first consent to a sensitive scope needs a confirmation
 */
export const authorizationFailures = {
  unknown: {
    reason: "REQUEST_UNKNOWN",
    status: 404,
    message: "There is no such authorization request. Start again from the application.",
  },
  expired: {
    reason: "REQUEST_EXPIRED",
    status: 409,
    message: "The authorization request has expired. Start again from the application.",
  },
  decided: {
    reason: "REQUEST_DECIDED",
    status: 409,
    message: "The authorization request was already answered.",
  },
  foreign: {
    reason: "REQUEST_FOREIGN",
    status: 403,
    message:
      "The authorization request belongs to another browser or account. Start again from the application.",
  },
  "in-test": {
    reason: "APPLICATION_IN_TEST",
    status: 403,
    message: "The application is not open to players yet.",
  },
  changed: {
    reason: "REQUEST_CHANGED",
    status: 409,
    message: "The application's request has changed. Read it again.",
  },
  "stale-sign-in": {
    reason: "SIGN_IN_STALE",
    status: 403,
    message: "Sign in again to answer the authorization request.",
  },
  unconfirmed: {
    reason: "CONFIRMATION_WANTED",
    status: 403,
    message: "Confirm it's you to continue.",
  },
} as const;

type AuthorizationFailureKind = keyof typeof authorizationFailures;

type AuthorizationFailure = PortalRefusal & { readonly kind: AuthorizationFailureKind };

export function authorizationFailure(kind: AuthorizationFailureKind): AuthorizationFailure {
  const refused = portalRefusal({ name: "AuthorizationFailure", ...authorizationFailures[kind] });
  return Object.assign(refused, { kind });
}

export const isAuthorizationFailure = (
  thrown: unknown,
  kind?: AuthorizationFailureKind,
): thrown is AuthorizationFailure =>
  isPortalRefusal(thrown) && "kind" in thrown && (kind === undefined || thrown.kind === kind);

export function nullIfRefused(thrown: unknown): null {
  if (isAuthorizationFailure(thrown)) return null;
  throw thrown;
}
