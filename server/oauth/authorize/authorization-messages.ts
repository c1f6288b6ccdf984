import type { authorizationRequests } from "#db/schema/oauth";
import type { Context } from "#server/context";
import type { ScopeName } from "#server/scopes";
import type { RegisteredClient } from "../clients/client";
import type { OAuthErrorAdvice } from "../oauth-error";
import { isRedirectUriOf, withParameters } from "../redirect-uri";
import { parseScopeList } from "../scope-list";
import type { ErrorPageReason } from "./error-page";

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

/**
 * RFC 6749 section 4.1.2.1; the last two from OpenID Connect Core 3.1.2.6. With the guide's advice,
 * where backticks mark code.
 */
export const authorizationErrors = {
  access_denied: {
    cause: "The player denied the request, or your application is in test without this player.",
    remedy: "Show your page without their data. Ask again only when the player wants to.",
  },
  invalid_request: {
    cause: "A parameter is missing, repeated, malformed or not supported.",
    remedy: "`error_description` says which. Fix it in your code; a retry fails the same way.",
  },
  unsupported_response_type: {
    cause: "`response_type` is not `code`.",
    remedy: "Send `response_type=code`.",
  },
  invalid_scope: {
    cause:
      "No `scope` parameter, an unknown scope, or one that the application is not registered for.",
    remedy:
      "Compare the list with the application's settings. An unknown scope is refused, never ignored.",
  },
  login_required: {
    cause: "`prompt=none`, and the player is not signed in.",
    remedy: "Send the player through again without `prompt=none`.",
  },
  consent_required: {
    cause: "`prompt=none`, and no earlier approval covers the request.",
    remedy: "Send the player through again without `prompt=none`.",
  },
} as const satisfies Readonly<Record<string, OAuthErrorAdvice>>;

export type AuthorizationErrorWord = keyof typeof authorizationErrors;

export interface AuthorizationRefusal {
  readonly error: AuthorizationErrorWord;
  /** ASCII, for the developer. */
  readonly description: string;
}

/** Refused by the server: the application is not opened yet. */
export const notTestPlayer: AuthorizationRefusal = {
  error: "access_denied",
  description:
    "The application is in test, and the player is neither in its team nor a test player.",
};

interface Addressee {
  readonly redirectUri: string;
  readonly state: string | null;
  readonly issuer: string;
}

export const codeLocation = (to: Addressee, code: string): string => located(to, { code });

export const errorLocation = (
  to: Addressee,
  { error, description }: AuthorizationRefusal,
): string => located(to, { error, error_description: description });

/** RFC 9207 section 2 requires `iss`, in errors too. */
const located = (
  { redirectUri, state, issuer: iss }: Addressee,
  answer: Readonly<Record<string, string>>,
): string =>
  withParameters(redirectUri, [
    ...Object.entries(answer),
    ...(state === null ? [] : [["state", state] as const]),
    ["iss", iss],
  ]);
