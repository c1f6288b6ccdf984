import type { Context } from "#server/context";
import type { RegisteredClient } from "../clients/client";
import { isRedirectUriOf } from "../redirect-uri";
import { parseScopeList } from "../scope-list";
import { type AuthorizationRequest, given, isRepeated, type Prompt } from "./authorization-request";

/** Why nobody can be sent back: the error page says it instead. */
export type ErrorPageReason =
  | "client-missing"
  | "client-unknown"
  | "redirect-uri-missing"
  | "redirect-uri-unregistered"
  | "in-test"
  | "too-many-requests";

/** Who asks, and where the answer goes. Only a registered address is ever redirected to. */
export interface IdentifiedClient {
  readonly client: RegisteredClient;
  readonly redirectUri: string;
}

/** A request that nobody can be sent back from, and the application that it names, where there is one. */
export interface UnanswerableRequest {
  readonly reason: ErrorPageReason;
  readonly client?: RegisteredClient;
}

/**
 * Phase 1: finds the client and its redirect URI. What fails here must not redirect (RFC 6749 section 4.1.2.1).
 * A deleted and a suspended application look like one that never was.
 */
export async function identifyClient(
  ctx: Context,
  parameters: URLSearchParams,
): Promise<IdentifiedClient | UnanswerableRequest> {
  const clientId = given(parameters, "client_id");
  if (clientId === undefined || isRepeated(parameters, "client_id")) return { reason: "client-missing" };
  const redirectUri = given(parameters, "redirect_uri");
  const client = await ctx.findClient(clientId);
  if (redirectUri === undefined || isRepeated(parameters, "redirect_uri"))
    return { reason: "redirect-uri-missing", client };
  if (!client || client.suspended) return { reason: "client-unknown", client };
  if (!isRedirectUriOf(redirectUri, client, ctx.settings.baseUrl))
    return { reason: "redirect-uri-unregistered", client };
  return { client, redirectUri };
}

/** Turns parameters that have passed all checks into a request. */
export function readRequest(
  parameters: URLSearchParams,
  { client, redirectUri }: IdentifiedClient,
): AuthorizationRequest {
  return {
    clientId: client.clientId,
    redirectUri,
    scopes: parseScopeList(parameters.get("scope") ?? "") ?? [],
    state: given(parameters, "state") ?? "",
    codeChallenge: given(parameters, "code_challenge") ?? null,
    prompt: savedPrompt(given(parameters, "prompt")),
  };
}

function savedPrompt(prompt: string | undefined): Prompt | null {
  if (prompt === undefined || prompt === "none") return null;
  const login = prompt.includes("login");
  if (prompt.includes("consent")) return login ? "login consent" : "consent";
  return login ? "login" : null;
}
