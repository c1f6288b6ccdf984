import type { authorizationRequests } from "#db/schema/oauth";
import type { Context } from "#server/context";
import type { ScopeName } from "#server/scopes";
import type { RegisteredClient } from "../clients/client";
import { isRedirectUriOf } from "../redirect-uri";
import { parseScopeList } from "../scope-list";

export type PendingAuthorization = Omit<typeof authorizationRequests.$inferSelect, "scopes"> & {
  readonly scopes: readonly ScopeName[];
};

/** `prompt=none` is answered at once and never saved. */
export type AuthorizationRequest = Pick<
  PendingAuthorization,
  "clientId" | "redirectUri" | "scopes" | "state" | "codeChallenge" | "prompt"
>;

type Prompt = AuthorizationRequest["prompt"];

export const wantsLogin = (prompt: Prompt): boolean => prompt?.startsWith("login") ?? false;

export const wantsConsent = (prompt: Prompt): boolean => prompt?.endsWith("consent") ?? false;

/** An empty value counts as absent (RFC 6749 section 3.1). */
export const given = (parameters: URLSearchParams, name: string): string | undefined =>
  parameters.get(name) || undefined;

export const isRepeated = (parameters: URLSearchParams, name: string): boolean =>
  parameters.getAll(name).length > 1;

/** U+0000 cannot be stored, and U+FFFD marks invalid UTF-8: neither can be returned as sent. */
const unrepeatable = ["\0", "\uFFFD"];
/**
 * PGlite drops it from the start of every text; RFC 6749 (appendix A.5) allows no state with it.
 */
const byteOrderMark = "\uFEFF";

const isRepeatable = (state: string): boolean =>
  !state.startsWith(byteOrderMark) && !unrepeatable.some((character) => state.includes(character));

/** Null if none can be returned as sent. */
export function stateToReturn(parameters: URLSearchParams): string | null {
  const state = given(parameters, "state");
  return state === undefined || isRepeated(parameters, "state") || !isRepeatable(state)
    ? null
    : state;
}

export type ErrorPageReason =
  | "client-missing"
  | "client-unknown"
  | "redirect-uri-missing"
  | "redirect-uri-unregistered"
  | "too-many-requests";

interface IdentifiedClient {
  readonly client: RegisteredClient;
  readonly redirectUri: string;
}

export interface UnanswerableRequest {
  readonly reason: ErrorPageReason;
  readonly client?: RegisteredClient;
}

/**
 * Phase 1: a failure here must not redirect (RFC 6749 section 4.1.2.1). Deleted and suspended
 * applications look unknown.
 */
export async function identifyClient(
  ctx: Context,
  parameters: URLSearchParams,
): Promise<IdentifiedClient | UnanswerableRequest> {
  const clientId = given(parameters, "client_id");
  if (clientId === undefined || isRepeated(parameters, "client_id"))
    return { reason: "client-missing" };
  const redirectUri = given(parameters, "redirect_uri");
  const client = await ctx.tokens.findClient(clientId);
  if (redirectUri === undefined || isRepeated(parameters, "redirect_uri"))
    return { reason: "redirect-uri-missing", client };
  if (!client || client.suspended) return { reason: "client-unknown", client };
  if (!isRedirectUriOf(redirectUri, client, ctx.settings.baseUrl))
    return { reason: "redirect-uri-unregistered", client };
  return { client, redirectUri };
}

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

function savedPrompt(prompt: string | undefined): Prompt {
  if (prompt === undefined || prompt === "none") return null;
  const login = prompt.includes("login");
  if (prompt.includes("consent")) return login ? "login consent" : "consent";
  return login ? "login" : null;
}
