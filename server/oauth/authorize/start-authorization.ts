import { type AnonymousActor, anonymous, type PortalUser, type RequestSource } from "#server/actor";
import { auditRefusal, mayNoteRefusal } from "#server/audit/audit-refusal";
import type { Context } from "#server/context";
import type { RegisteredClient } from "../clients/client";
import { whyNotAsked } from "../clients/own-applications";
import { whyNotRedirectUri } from "../redirect-uri";
import {
  type ErrorPageReason,
  given,
  identifyClient,
  readRequest,
  stateToReturn,
  type UnanswerableRequest,
  wantsLogin,
} from "./authorization-request";
import { errorLocation, notTestPlayer } from "./authorization-response";
import { checkRequest } from "./checks";
import { applyRememberedConsent } from "./decide-request";
import { savePendingAuthorization } from "./pending-authorization";

export interface Arrival {
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
  { parameters, browserId }: Arrival,
): Promise<AuthorizationOutcome> {
  const fail = (failed: FailedAuthorization) => recordFailed(ctx, by.from, failed);
  const user = by.kind === "portal" ? by : null;
  const identified = await identifyClient(ctx, parameters);
  if ("reason" in identified) {
    fail(unanswerable(identified, parameters));
    return { kind: "error-page", reason: identified.reason };
  }

  const { client, redirectUri } = identified;
  const why = await whyNotAsked(ctx, user, identified);
  if (why === "redirect-uri-unregistered") {
    fail(unanswerable({ reason: why, client }, parameters));
    return { kind: "error-page", reason: why };
  }
  const addressee = { redirectUri, state: stateToReturn(parameters), issuer: ctx.settings.baseUrl };
  const refusal = checkRequest(parameters, client);
  if (refusal) {
    fail({ client, ...refusal });
    return { kind: "redirect", location: errorLocation(addressee, refusal) };
  }

  const request = readRequest(parameters, identified);
  const silent = given(parameters, "prompt") === "none";
  const asksNow = user !== null && !wantsLogin(request.prompt);
  if (asksNow && why) {
    // The consent page explains it, unless the client wants no page.
    fail({ client, ...notTestPlayer });
    if (silent) return { kind: "redirect", location: errorLocation(addressee, notTestPlayer) };
  } else if (asksNow) {
    const location = await applyRememberedConsent(ctx, user, { request, client });
    if (location !== undefined) return { kind: "redirect", location };
  }
  if (silent) {
    const error = user ? "consent_required" : "login_required";
    const description = user ? "The player must be asked." : "Nobody is signed in.";
    fail({ client, error, description });
    return { kind: "redirect", location: errorLocation(addressee, { error, description }) };
  }
  const pending = await savePendingAuthorization(ctx, request, { browserId, user });
  return { kind: asksNow ? "consent" : "sign-in", ...pending };
}

interface FailedAuthorization {
  /** Undefined if unknown: then the request id gives access. */
  readonly client: RegisteredClient | undefined;
  readonly error: string;
  readonly description: string;
  readonly redirectUri?: string;
}

/** Characters. */
const longestShown = 500;

const recordFailed = (ctx: Context, from: RequestSource, failed: FailedAuthorization): void =>
  ctx.defer(() => auditRefusal(ctx, anonymous(from), "authorization.refused", factsOf(failed)));

const factsOf = ({ client, error, description, redirectUri }: FailedAuthorization) => ({
  clientId: client?.clientId ?? null,
  details: {
    ...{ error, description },
    redirectUri: redirectUri === undefined ? null : storable(redirectUri),
  },
});

/** Over the rate limit, so never examined: examining costs more than refusing. */
export const recordTooMany = (
  ctx: Context,
  from: RequestSource,
  parameters: URLSearchParams,
): void =>
  ctx.defer(async () => {
    const reason = "too-many-requests";
    if (!(await mayNoteRefusal(ctx, from, reason))) return;
    const clientId = given(parameters, "client_id");
    const client = clientId === undefined ? undefined : await ctx.tokens.findClient(clientId);
    const facts = factsOf(unanswerable({ reason, client }, parameters));
    await ctx.audit(ctx.database.query, anonymous(from), "authorization.refused", facts);
  });

function unanswerable(
  { reason, client }: UnanswerableRequest,
  parameters: URLSearchParams,
): FailedAuthorization {
  const redirectUri = parameters.get("redirect_uri") ?? undefined;
  const description = client?.suspended
    ? "The application is suspended."
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
  return refusal ? `${refusal} Replace it in the application's settings.` : faults[reason];
}

const faults: Record<ErrorPageReason, string> = {
  "client-missing": "The client_id is missing or given more than once.",
  "client-unknown": "The client_id is unknown.",
  "redirect-uri-missing": "The redirect_uri is missing or given more than once.",
  "redirect-uri-unregistered": "The redirect_uri does not exactly match a registered one.",
  "too-many-requests": "Too many authorization requests came from one address.",
};

/** PostgreSQL stores no NUL, and a cut must not split a character. */
const storable = (text: string): string =>
  [...text.replaceAll("\0", "\uFFFD")].slice(0, longestShown).join("");
