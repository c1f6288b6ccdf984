import type { Context } from "#server/context";
import type { ScopeName } from "#server/scopes";
import type { RegisteredClient } from "../clients/client";
import { isRedirectUriOf } from "../redirect-uri";
import { parseScopeList } from "../scope-list";

/** The `prompt` of a saved request. `none` is answered at once and never saved. */
type Prompt = "login" | "consent" | "login consent";

/** An authorization request that passed all checks. */
export interface AuthorizationRequest {
  readonly clientId: string;
  readonly redirectUri: string;
  readonly scopes: readonly ScopeName[];
  /** As sent. */
  readonly state: string;
  /** S256; null where a confidential client sent none. */
  readonly codeChallenge: string | null;
  readonly prompt: Prompt | null;
}

/** The request while the player decides. Bound to the browser that started it. */
export interface PendingAuthorization extends AuthorizationRequest {
  readonly id: string;
  readonly browserHash: string;
  /** The account that was signed in when it was saved, or was shown the page; null before either. */
  readonly accountId: string | null;
  readonly createdAt: Date;
  readonly expiresAt: Date;
  readonly decidedAt: Date | null;
  /** The answer, as `sealAnswer` keeps it for a repetition. */
  readonly sealedAnswer: string | null;
}

/** Whether the client wants the player to prove again who they are. */
export const wantsLogin = (prompt: Prompt | null): boolean => prompt?.startsWith("login") ?? false;

/** Whether the client wants the player to be asked even where an earlier consent would do. */
export const wantsConsent = (prompt: Prompt | null): boolean =>
  prompt?.endsWith("consent") ?? false;

/** The parameter's value; an empty one counts as absent (RFC 6749 section 3.1). */
export const given = (parameters: URLSearchParams, name: string): string | undefined =>
  parameters.get(name) || undefined;

export const isRepeated = (parameters: URLSearchParams, name: string): boolean =>
  parameters.getAll(name).length > 1;

/** U+0000 cannot be stored, and U+FFFD means that the bytes sent were no text: neither can be given back as it was sent. */
const unrepeatable = ["\0", "\uFFFD"];
/** PGlite drops it from the head of every text that it reads. No state that RFC 6749 (appendix A.5) knows has it. */
const byteOrderMark = "\uFEFF";

const isRepeatable = (state: string): boolean =>
  !state.startsWith(byteOrderMark) && !unrepeatable.some((character) => state.includes(character));

/** The `state` that an answer carries; null where there is none, or none that could be given back as sent. */
export function stateToReturn(parameters: URLSearchParams): string | null {
  const state = given(parameters, "state");
  return state === undefined || isRepeated(parameters, "state") || !isRepeatable(state)
    ? null
    : state;
}

/** Why nobody can be sent back: the error page says it instead. */
export type ErrorPageReason =
  | "client-missing"
  | "client-unknown"
  | "redirect-uri-missing"
  | "redirect-uri-unregistered"
  | "in-test"
  | "too-many-requests";

/** The client and its redirect URI. Only a registered address is ever redirected to. */
interface IdentifiedClient {
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
  if (clientId === undefined || isRepeated(parameters, "client_id"))
    return { reason: "client-missing" };
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
