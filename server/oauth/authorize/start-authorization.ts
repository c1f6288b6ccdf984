import type { PortalUser } from "#server/actor";
import type { Origin } from "#server/audit/audit";
import type { Context } from "#server/context";
import { findRememberedConsent } from "../consents/find-remembered-consent";
import { mayApprove } from "../redirect-uri";
import { approveRemembered } from "./approve-request";
import { given, stateToReturn, wantsConsent, wantsLogin } from "./authorization-request";
import { errorLocation } from "./authorization-response";
import { checkRequest } from "./checks";
import { type ErrorPageReason, identifyClient, readRequest } from "./identify-client";
import { savePendingAuthorization } from "./pending-authorization";
import { recordFailedAuthorization, recordUnanswerable } from "./record-failed-authorization";

/** An authorization request as it arrived. */
export interface Arrival {
  readonly parameters: URLSearchParams;
  /** What the browser's binding cookie says, if it is of our form. */
  readonly browserId: string | null;
  readonly user: PortalUser | null;
  readonly origin: Origin;
}

/** Where the browser goes. `redirectOrigin` is where the forms on the way may lead in the end. */
export type AuthorizationOutcome =
  | { readonly kind: "error-page"; readonly reason: ErrorPageReason }
  | { readonly kind: "redirect"; readonly location: string }
  | {
      readonly kind: "sign-in" | "consent";
      readonly requestId: string;
      readonly browserId: string;
      readonly redirectUri: string;
    };

/** Judges an authorization request: refuses it, answers it from a remembered consent, or saves it until the player has decided. */
export async function startAuthorization(ctx: Context, arrival: Arrival): Promise<AuthorizationOutcome> {
  const { parameters, user, origin } = arrival;
  const identified = await identifyClient(ctx, parameters);
  if ("reason" in identified) {
    await recordUnanswerable(ctx, identified, arrival);
    return { kind: "error-page", reason: identified.reason };
  }

  const { client, redirectUri } = identified;
  if (!mayApprove(user, identified, ctx.settings.baseUrl)) {
    const reason = client.complete ? "redirect-uri-unregistered" : "in-test";
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
  if (user && !wantsLogin(request.prompt) && !wantsConsent(request.prompt)) {
    const { consent, suffices } = await findRememberedConsent(ctx, user, { ...request, client });
    if (consent && suffices)
      return { kind: "redirect", location: await approveRemembered(ctx, { request, user, consent, origin }) };
  }
  if (silent) {
    const error = user ? "consent_required" : "login_required";
    const description = user ? "The player must be asked." : "Nobody is signed in.";
    await recordFailedAuthorization(ctx, { client, error, description, origin });
    return { kind: "redirect", location: errorLocation(addressee, { error, description }) };
  }
  const pending = await savePendingAuthorization(ctx, request, arrival);
  const asksNow = user !== null && !wantsLogin(request.prompt);
  return { kind: asksNow ? "consent" : "sign-in", ...pending, redirectUri };
}
