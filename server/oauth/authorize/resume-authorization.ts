import type { PortalUser } from "#server/actor";
import type { Context } from "#server/context";
import { authorizationPath } from "#server/machine-path";
import { formatScopeList } from "../scope-list";
import { applyRememberedConsent } from "./decide-request";
import {
  assertOwnAccount,
  findOwnRequest,
  findPendingAuthorization,
  type NamedRequest,
  nullIfRefused,
  usableClient,
} from "./pending-authorization";

export interface Restart {
  readonly applicationName: string;
  /** A path with the original parameters. */
  readonly path: string;
}

/**
 * Repeats the application's link: the request is checked and saved afresh.
 * @returns null for another browser, an answered request, or an application that could no longer
 * ask
 */
export async function restartAddress(ctx: Context, asked: NamedRequest): Promise<Restart | null> {
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
 * Nothing is read from the browser again after the sign-in.
 * @throws AuthorizationFailure
 */
export async function resumeRequest(
  ctx: Context,
  by: PortalUser,
  named: NamedRequest,
): Promise<{ kind: "consent"; requestId: string } | { kind: "redirect"; location: string }> {
  const { request, client } = await findPendingAuthorization(ctx, { ...named, user: by });
  assertOwnAccount(request, by);
  const { requestId } = named;
  const location = await applyRememberedConsent(ctx, by, { request, requestId, client });
  return location === undefined ? { kind: "consent", requestId } : { kind: "redirect", location };
}
