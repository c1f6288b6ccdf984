import type { PortalUser } from "#server/actor";
import { hashBrowserId, isBoundToBrowser, newBrowserId } from "#server/auth/browser-binding";
import { isConfirmed } from "#server/auth/confirmation";
import type { Context } from "#server/context";
import { isUuid } from "#server/platform/ids";
import { isPortalRefusal, type PortalRefusal, portalRefusal } from "#server/portal-refusal";
import type { ScopeName } from "#server/scopes";
import { isPermittedTo } from "../clients/own-applications";
import type { RegisteredClient } from "../clients/store";
import { mayApprove } from "../clients/team/permitted";
import { hostedCallbackUri, isRedirectUriOf } from "../redirect-uri";
import { type AuthorizationRequest, wantsLogin } from "./authorization-messages";
import { wantsConfirmation } from "./consent-prompt";
import {
  bindRequest,
  findAuthorizationRequest,
  insertAuthorization,
  type PendingAuthorization,
} from "./store";

/** Ten minutes, enough to look up a game key for the sign-in. */
export const requestLifetimeMs = 600_000;

/**
 * Binds the request to browser and player, so that the next player at the machine cannot answer it.
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
    browserHash: hashBrowserId(ctx, browserId),
    accountId: by.user?.accountId ?? null,
    createdAt,
    expiresAt: new Date(createdAt.getTime() + requestLifetimeMs),
    decidedAt: null,
    sealedAnswer: null,
  });
  return { requestId, browserId };
}

export interface RequestReference {
  readonly requestId: string;
  readonly browserId: string | null;
}

/** @throws AuthorizationFailure REQUEST_UNKNOWN, or REQUEST_FOREIGN for another browser */
export async function requireOwnRequest(
  ctx: Context,
  { requestId, browserId }: RequestReference,
): Promise<PendingAuthorization> {
  const request = isUuid(requestId)
    ? await findAuthorizationRequest(ctx.database.query, requestId)
    : undefined;
  if (!request) throw authorizationFailure("REQUEST_UNKNOWN");
  if (!isBoundToBrowser(ctx, request.browserHash, browserId))
    throw authorizationFailure("REQUEST_FOREIGN");
  return request;
}

export async function findUsableClient(
  ctx: Context,
  { clientId, redirectUri }: AuthorizationRequest,
): Promise<RegisteredClient | undefined> {
  const client = await ctx.tokens.findClient(clientId);
  const isUsable =
    client && !client.suspended && isRedirectUriOf(redirectUri, client, ctx.settings.baseUrl);
  return isUsable ? client : undefined;
}

/**
 * @param user null before the sign-in
 * @returns undefined if the player can be asked
 */
export async function whyNotApprovable(
  ctx: Context,
  user: Pick<PortalUser, "accountId"> | null,
  { client, redirectUri }: { readonly client: RegisteredClient; readonly redirectUri: string },
): Promise<"in-test" | "redirect-uri-unregistered" | undefined> {
  const { kind, clientId, open } = client;
  if (!open) {
    // The right to approve is checked once the player has signed in.
    if (!user) return undefined;
    const pair = { clientId, accountId: user.accountId };
    if (!(await mayApprove(ctx.database.query, pair))) return "in-test";
  }
  const isHosted = redirectUri === hostedCallbackUri(ctx.settings.baseUrl, clientId);
  if (kind === "public" || !isHosted) return undefined;
  const develops = await isPermittedTo(ctx, user, clientId, "tokens");
  return develops ? undefined : "redirect-uri-unregistered";
}

export interface RequestWithClient {
  readonly request: PendingAuthorization;
  readonly client: RegisteredClient;
}

/** @throws AuthorizationFailure */
export async function requirePendingRequest(
  ctx: Context,
  { user, ...named }: RequestReference & { readonly user?: Pick<PortalUser, "accountId"> },
): Promise<RequestWithClient> {
  const request = await requireOwnRequest(ctx, named);
  if (request.decidedAt !== null) throw authorizationFailure("REQUEST_DECIDED");
  if (request.expiresAt <= ctx.now()) throw authorizationFailure("REQUEST_EXPIRED");
  const client = await findUsableClient(ctx, request);
  if (!client) throw authorizationFailure("REQUEST_UNKNOWN");
  if (user) {
    assertSameAccount(request, user);
    const why = await whyNotApprovable(ctx, user, { client, redirectUri: request.redirectUri });
    if (why)
      throw authorizationFailure(why === "in-test" ? "APPLICATION_IN_TEST" : "REQUEST_FOREIGN");
  }
  return { request, client };
}

function assertSameAccount(
  { accountId }: Pick<PendingAuthorization, "accountId">,
  user: Pick<PortalUser, "accountId">,
): void {
  if (accountId !== null && accountId !== user.accountId)
    throw authorizationFailure("REQUEST_FOREIGN");
}

/** @throws AuthorizationFailure REQUEST_FOREIGN or SIGN_IN_STALE */
export function assertOwnAccount(request: PendingAuthorization, user: PortalUser): void {
  assertSameAccount(request, user);
  if (wantsLogin(request.prompt) && user.authenticatedAt <= request.createdAt)
    throw authorizationFailure("SIGN_IN_STALE");
}

/**
 * A binding is final, because the consent page may still be open under the account.
 * @param asked.since when a confirmation must have held; default: now
 * @throws AuthorizationFailure REQUEST_FOREIGN, SIGN_IN_STALE or CONFIRMATION_WANTED
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
    throw authorizationFailure("CONFIRMATION_WANTED");
  if (request.accountId !== null) return;
  const bound = { id: request.id, accountId: user.accountId };
  if (!(await bindRequest(ctx.database.query, bound)))
    throw authorizationFailure("REQUEST_FOREIGN");
}

/**
 * - REQUEST_UNKNOWN: no such request, or its application or redirect URI is no longer registered
 * - REQUEST_CHANGED: the page is outdated
 * - SIGN_IN_STALE: the client wants a new sign-in
 * - CONFIRMATION_WANTED: a first consent to a sensitive scope
 */
const authorizationFailures = {
  REQUEST_UNKNOWN: {
    status: 404,
    message: "There is no such authorization request. Start again from the application.",
  },
  REQUEST_EXPIRED: {
    status: 409,
    message: "The authorization request has expired. Start again from the application.",
  },
  REQUEST_DECIDED: { status: 409, message: "The authorization request was already answered." },
  REQUEST_FOREIGN: {
    status: 403,
    message:
      "The authorization request belongs to another browser or account. Start again from the application.",
  },
  APPLICATION_IN_TEST: { status: 403, message: "The application is not open to players yet." },
  REQUEST_CHANGED: {
    status: 409,
    message: "The application's request has changed. Read it again.",
  },
  SIGN_IN_STALE: { status: 403, message: "Sign in again to answer the authorization request." },
  CONFIRMATION_WANTED: { status: 403, message: "Confirm it's you to continue." },
} as const;

type FailureReason = keyof typeof authorizationFailures;

const name = "AuthorizationFailure";

export const authorizationFailure = (reason: FailureReason): PortalRefusal =>
  portalRefusal({ name, reason, ...authorizationFailures[reason] });

export const isAuthorizationFailure = (
  thrown: unknown,
  reason?: FailureReason,
): thrown is PortalRefusal => isPortalRefusal(thrown, reason) && thrown.name === name;

export function refusalToNull(thrown: unknown): null {
  if (isAuthorizationFailure(thrown)) return null;
  throw thrown;
}
