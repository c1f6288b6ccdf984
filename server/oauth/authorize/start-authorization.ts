import {
  type AnonymousActor,
  createAnonymousActor,
  type PortalUser,
  type RequestSource,
} from "#server/actor";
import { auditRefusal, mayNoteRefusal } from "#server/audit/audit-refusal";
import type { Context } from "#server/context";
import { authorizationPath } from "#server/machine-path";
import type { RegisteredClient } from "../clients/store";
import { oauthRefusals } from "../oauth-error";
import { isRedirectUriOf, whyNotRedirectUri } from "../redirect-uri";
import { formatScopeList, parseScopeList } from "../scope-list";
import {
  type AuthorizationRefusal,
  type AuthorizationRequest,
  isRepeated,
  notTestPlayerRefusal,
  type Prompt,
  readParameter,
  redirectLocationOf,
  stateToReturn,
  wantsLogin,
} from "./authorization-messages";
import { checkRequest } from "./checks";
import { applyRememberedConsent } from "./decide-request";
import { type ErrorPageReason, errorPages } from "./error-page";
import {
  assertOwnAccount,
  findUsableClient,
  type RequestReference,
  refusalToNull,
  requireOwnRequest,
  requirePendingRequest,
  savePendingAuthorization,
  whyNotApprovable,
} from "./pending-authorization";

export interface IncomingAuthorization {
  readonly parameters: URLSearchParams;
  readonly browserId: string | null;
}

export type AuthorizationOutcome =
  | { readonly kind: "error-page"; readonly reason: ErrorPageReason }
  | { readonly kind: "redirect"; readonly location: string }
  | {
      readonly kind: "sign-in" | "consent";
      readonly requestId: string;
      readonly browserId: string;
    };

export async function startAuthorization(
  ctx: Context,
  by: PortalUser | AnonymousActor,
  { parameters, browserId }: IncomingAuthorization,
): Promise<AuthorizationOutcome> {
  const fail = (failed: FailedAuthorization) => recordFailed(ctx, by.from, failed);
  const user = by.kind === "portal" ? by : null;
  const identified = await identifyClient(ctx, parameters);
  if ("reason" in identified) {
    fail(unanswerable(identified, parameters));
    return { kind: "error-page", reason: identified.reason };
  }

  const { client, redirectUri } = identified;
  const why = await whyNotApprovable(ctx, user, identified);
  if (why === "redirect-uri-unregistered") {
    fail(unanswerable({ reason: why, client }, parameters));
    return { kind: "error-page", reason: why };
  }
  const sendBack = (refusal: AuthorizationRefusal): AuthorizationOutcome => {
    const addressee = { redirectUri, state: stateToReturn(parameters) };
    return { kind: "redirect", location: redirectLocationOf(ctx, addressee, refusal) };
  };
  const refusal = checkRequest(parameters, client);
  if (refusal) {
    fail({ client, ...refusal });
    return sendBack(refusal);
  }

  const request = readRequest(parameters, identified);
  const silent = readParameter(parameters, "prompt") === "none";
  const asksNow = user !== null && !wantsLogin(request.prompt);
  if (asksNow && why) {
    // Without `prompt=none`, the consent page explains the refusal.
    fail({ client, ...notTestPlayerRefusal });
    if (silent) return sendBack(notTestPlayerRefusal);
  } else if (asksNow) {
    const location = await applyRememberedConsent(ctx, user, { request, client });
    if (location !== undefined) return { kind: "redirect", location };
  }
  if (silent) {
    const error = user ? "consent_required" : "login_required";
    const description = user ? "The player must be asked." : "Nobody is signed in.";
    fail({ client, error, description });
    return sendBack({ error, description });
  }
  const pending = await savePendingAuthorization(ctx, request, { browserId, user });
  return { kind: asksNow ? "consent" : "sign-in", ...pending };
}

interface IdentifiedClient {
  readonly client: RegisteredClient;
  readonly redirectUri: string;
}

interface UnanswerableRequest {
  readonly reason: ErrorPageReason;
  readonly client?: RegisteredClient;
}

/**
 * A failure here must not redirect (RFC 6749 section 4.1.2.1). Deleted and suspended applications
 * look unknown.
 */
async function identifyClient(
  ctx: Context,
  parameters: URLSearchParams,
): Promise<IdentifiedClient | UnanswerableRequest> {
  const clientId = readParameter(parameters, "client_id");
  if (clientId === undefined || isRepeated(parameters, "client_id"))
    return { reason: "client-missing" };
  const redirectUri = readParameter(parameters, "redirect_uri");
  const client = await ctx.tokens.findClient(clientId);
  if (redirectUri === undefined || isRepeated(parameters, "redirect_uri"))
    return { reason: "redirect-uri-missing", client };
  if (!client || client.suspended) return { reason: "client-unknown", client };
  if (!isRedirectUriOf(redirectUri, client, ctx.settings.baseUrl))
    return { reason: "redirect-uri-unregistered", client };
  return { client, redirectUri };
}

function readRequest(
  parameters: URLSearchParams,
  { client, redirectUri }: IdentifiedClient,
): AuthorizationRequest {
  return {
    clientId: client.clientId,
    redirectUri,
    scopes: parseScopeList(parameters.get("scope") ?? "") ?? [],
    state: readParameter(parameters, "state") ?? "",
    codeChallenge: readParameter(parameters, "code_challenge") ?? null,
    prompt: savedPrompt(readParameter(parameters, "prompt")),
  };
}

function savedPrompt(prompt: string | undefined): Prompt {
  if (prompt === undefined || prompt === "none") return null;
  const login = prompt.includes("login");
  if (prompt.includes("consent")) return login ? "login consent" : "consent";
  return login ? "login" : null;
}

interface FailedAuthorization {
  /** Without a client, the record is found by its request id alone. */
  readonly client: RegisteredClient | undefined;
  readonly error: string;
  readonly description: string;
  readonly redirectUri?: string;
}

/** Characters. */
const longestShown = 500;

const recordFailed = (ctx: Context, from: RequestSource, failed: FailedAuthorization): void =>
  ctx.defer(() =>
    auditRefusal(ctx, createAnonymousActor(from), "authorization.refused", factsOf(failed)),
  );

const factsOf = ({ client, error, description, redirectUri }: FailedAuthorization) => ({
  clientId: client?.clientId ?? null,
  details: {
    error,
    description,
    redirectUri: redirectUri === undefined ? null : storable(redirectUri),
  },
});

/** Leaves the parameters unexamined, because that would cost more than the refusal. */
export const recordRateLimited = (
  ctx: Context,
  from: RequestSource,
  parameters: URLSearchParams,
): void =>
  ctx.defer(async () => {
    const reason = "too-many-requests";
    if (!(await mayNoteRefusal(ctx, from, reason))) return;
    const clientId = readParameter(parameters, "client_id");
    const client = clientId === undefined ? undefined : await ctx.tokens.findClient(clientId);
    const facts = factsOf(unanswerable({ reason, client }, parameters));
    await ctx.audit(ctx.database.query, createAnonymousActor(from), "authorization.refused", facts);
  });

function unanswerable(
  { reason, client }: UnanswerableRequest,
  parameters: URLSearchParams,
): FailedAuthorization {
  const redirectUri = parameters.get("redirect_uri") ?? undefined;
  const description = client?.suspended
    ? oauthRefusals.applicationSuspended.description
    : faultOf(reason, client, redirectUri);
  return { client, error: "error_page", description, redirectUri };
}

function faultOf(
  reason: ErrorPageReason,
  client: RegisteredClient | undefined,
  redirectUri = "",
): string {
  const stored =
    reason === "redirect-uri-unregistered" && client?.redirectUris.includes(redirectUri);
  const refusal = stored ? whyNotRedirectUri(redirectUri) : undefined;
  return refusal
    ? `${refusal} Replace it in the application's settings.`
    : errorPages[reason].fault;
}

/** PostgreSQL stores no NUL, and a cut must not split a character. */
const storable = (text: string): string =>
  [...text.replaceAll("\0", "\uFFFD")].slice(0, longestShown).join("");

export interface RestartLink {
  readonly applicationName: string;
  readonly path: string;
}

/**
 * Repeats the application's own link, so that the request is checked and saved afresh.
 * @returns null for another browser, an answered request or an unusable application
 */
export async function findRestartLink(
  ctx: Context,
  asked: RequestReference,
): Promise<RestartLink | null> {
  const request = await requireOwnRequest(ctx, asked).catch(refusalToNull);
  if (!request || request.decidedAt !== null) return null;
  const client = await findUsableClient(ctx, request);
  if (!client) return null;
  const { clientId, redirectUri, state, scopes, codeChallenge, prompt } = request;
  const parameters = new URLSearchParams({
    response_type: "code",
    client_id: clientId,
    redirect_uri: redirectUri,
    scope: formatScopeList(scopes),
    state,
    ...(codeChallenge && { code_challenge: codeChallenge, code_challenge_method: "S256" }),
    ...(prompt && { prompt }),
  });
  return { applicationName: client.name, path: `${authorizationPath}?${parameters}` };
}

/**
 * After the sign-in, continues with the saved request instead of parameters from the browser.
 * @throws AuthorizationFailure
 */
export async function resumeRequest(
  ctx: Context,
  by: PortalUser,
  named: RequestReference,
): Promise<{ kind: "consent"; requestId: string } | { kind: "redirect"; location: string }> {
  const { request, client } = await requirePendingRequest(ctx, { ...named, user: by });
  assertOwnAccount(request, by);
  const { requestId } = named;
  const location = await applyRememberedConsent(ctx, by, { request, requestId, client });
  return location === undefined ? { kind: "consent", requestId } : { kind: "redirect", location };
}
