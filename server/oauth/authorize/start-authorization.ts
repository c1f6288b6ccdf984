import type { PortalUser } from "#server/actor";
import type { Origin } from "#server/audit/audit";
import { auditRefusal } from "#server/audit/audit-refusal";
import type { Context } from "#server/context";
import { networkOf } from "#server/platform/peer-address";
import type { RegisteredClient } from "../clients/client";
import { mayBeAsked, whyNotRedirectUri } from "../redirect-uri";
import {
  type ErrorPageReason,
  given,
  identifyClient,
  readRequest,
  stateToReturn,
  type UnanswerableRequest,
  wantsLogin,
} from "./authorization-request";
import { errorLocation } from "./authorization-response";
import { checkRequest } from "./checks";
import { applyRememberedConsent } from "./decide-request";
import { savePendingAuthorization } from "./pending-authorization";

export interface Arrival {
  readonly parameters: URLSearchParams;
  readonly browserId: string | null;
  readonly user: PortalUser | null;
  readonly origin: Origin;
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
  arrival: Arrival,
): Promise<AuthorizationOutcome> {
  const { parameters, user, origin } = arrival;
  const identified = await identifyClient(ctx, parameters);
  if ("reason" in identified) {
    await recordUnanswerable(ctx, identified, arrival);
    return { kind: "error-page", reason: identified.reason };
  }

  const { client, redirectUri } = identified;
  if (!mayBeAsked(user, identified, ctx.settings.baseUrl)) {
    const reason = client.open ? "redirect-uri-unregistered" : "in-test";
    await recordUnanswerable(ctx, { reason, client }, arrival);
    return { kind: "error-page", reason };
  }
  const addressee = { redirectUri, state: stateToReturn(parameters), issuer: ctx.settings.baseUrl };
  const refusal = checkRequest(parameters, client);
  if (refusal) {
    await recordFailedAuthorization(ctx, { client, ...refusal, origin });
    return { kind: "redirect", location: errorLocation(addressee, refusal) };
  }

  const request = readRequest(parameters, identified);
  const silent = given(parameters, "prompt") === "none";
  if (user && !wantsLogin(request.prompt)) {
    const location = await applyRememberedConsent(ctx, { request, client, user, origin });
    if (location !== undefined) return { kind: "redirect", location };
  }
  if (silent) {
    const error = user ? "consent_required" : "login_required";
    const description = user ? "The player must be asked." : "Nobody is signed in.";
    await recordFailedAuthorization(ctx, { client, error, description, origin });
    return { kind: "redirect", location: errorLocation(addressee, { error, description }) };
  }
  const pending = await savePendingAuthorization(ctx, request, arrival);
  const asksNow = user !== null && !wantsLogin(request.prompt);
  return { kind: asksNow ? "consent" : "sign-in", ...pending };
}

interface FailedAuthorization {
  /** Undefined if unknown: then the request id gives access. */
  readonly client: RegisteredClient | undefined;
  readonly error: string;
  readonly description: string;
  readonly redirectUri?: string;
  readonly origin: Origin;
}

/** Characters. */
const longestShown = 500;

/**
 * Anyone can send such requests in an application's name, so an address above the failure limit is
 * not recorded.
 */
async function recordFailedAuthorization(ctx: Context, failed: FailedAuthorization): Promise<void> {
  const { client, origin } = failed;
  // Made-up client ids share one window, to bound its memory.
  const subject = `${networkOf(origin.address)} ${client?.clientId ?? "unknown"}`;
  const limit = ctx.settings.rates.clientFailures;
  const { allowed } = await ctx.limiter.take({ policy: "authorization-failures", subject, limit });
  if (allowed) writeFailedAuthorization(ctx, failed);
}

function writeFailedAuthorization(ctx: Context, failed: FailedAuthorization): void {
  const { client, error, description, origin } = failed;
  const redirectUri = failed.redirectUri === undefined ? null : storable(failed.redirectUri);
  ctx.defer(() =>
    auditRefusal(ctx, {
      act: "authorization-failed",
      actor: "anonymous",
      clientId: client?.clientId ?? null,
      origin,
      details: { error, description, redirectUri },
    }),
  );
}

type Refused = { readonly parameters: URLSearchParams; readonly origin: Origin };

const recordUnanswerable = (
  ctx: Context,
  request: UnanswerableRequest,
  refused: Refused,
): Promise<void> => recordFailedAuthorization(ctx, unanswerable(request, refused));

/** Over the rate limit, so never examined: examining costs more than refusing. */
export async function recordTooMany(ctx: Context, refused: Refused): Promise<void> {
  const subject = networkOf(refused.origin.address);
  const limit = ctx.settings.rates.clientFailures;
  const { allowed } = await ctx.limiter.take({
    policy: "authorize-refusals-noted",
    subject,
    limit,
  });
  if (!allowed) return;
  const clientId = given(refused.parameters, "client_id");
  const client = clientId === undefined ? undefined : await ctx.findClient(clientId);
  writeFailedAuthorization(ctx, unanswerable({ reason: "too-many-requests", client }, refused));
}

function unanswerable(
  { reason, client }: UnanswerableRequest,
  { parameters, origin }: Refused,
): FailedAuthorization {
  const redirectUri = parameters.get("redirect_uri") ?? undefined;
  const description = client?.suspended
    ? "The application is suspended."
    : faultOf(reason, client, redirectUri);
  return { client, error: "error_page", description, redirectUri, origin };
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
  "in-test": "The application is in test: only its owner, signed in here, can approve it.",
  "too-many-requests": "Too many authorization requests came from one address.",
};

/** PostgreSQL stores no NUL, and a cut must not split a character. */
const storable = (text: string): string =>
  [...text.replaceAll("\0", "\uFFFD")].slice(0, longestShown).join("");
