import type { PortalUser } from "#server/actor";
import type { Origin } from "#server/audit/audit";
import type { Context } from "#server/context";
import { authorizationPath } from "#server/machine-path";
import { formatScopeList } from "../scope-list";
import { applyRememberedConsent } from "./decide-request";
import {
  assertOwnAccount,
  findOwnRequest,
  findPendingAuthorization,
  nullIfRefused,
  usableClient,
} from "./pending-authorization";

/** The way back into a request that can no longer be answered as it stands. */
export interface Restart {
  readonly applicationName: string;
  /** The authorization endpoint with the very parameters that came with the request; a path of ours. */
  readonly path: string;
}

/**
 * How the browser that started a request asks it again: after it waited too long, or for the player who is signed in now.
 * It is what following the application's link once more would do, and the request is checked and saved afresh.
 * @returns null for another browser, for a request that was answered, and where the application could not ask it any more
 */
export async function restartAddress(
  ctx: Context,
  asked: { readonly requestId: string; readonly browserId: string | null },
): Promise<Restart | null> {
  const request = await findOwnRequest(ctx, asked).catch(nullIfRefused);
  if (!request || request.decidedAt !== null) return null;
  const client = await usableClient(ctx, request);
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
 * Goes on with a pending request after the sign-in: straight to the client where an earlier consent covers it, else to the
 * consent page. The same request and parameters as before the sign-in; nothing is read from the browser again.
 * @throws AuthorizationFailure
 */
export async function resumeRequest(
  ctx: Context,
  resumed: {
    readonly requestId: string;
    readonly browserId: string | null;
    readonly user: PortalUser;
    readonly origin: Origin;
  },
): Promise<{ kind: "consent"; requestId: string } | { kind: "redirect"; location: string }> {
  const { requestId, user, origin } = resumed;
  const { request, client } = await findPendingAuthorization(ctx, resumed);
  assertOwnAccount(request, user);
  const location = await applyRememberedConsent(ctx, { request, requestId, client, user, origin });
  return location === undefined ? { kind: "consent", requestId } : { kind: "redirect", location };
}
