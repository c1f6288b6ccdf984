import type { ScopeName } from "#server/scopes";

/** The parameter's value; an empty one counts as absent (RFC 6749 section 3.1). */
export const given = (parameters: URLSearchParams, name: string): string | undefined =>
  parameters.get(name) || undefined;

export const isRepeated = (parameters: URLSearchParams, name: string): boolean => parameters.getAll(name).length > 1;

/** U+0000 cannot be stored, and U+FFFD means that the bytes sent were no text: neither can be given back as it was sent. */
const unrepeatable = ["\0", "\uFFFD"];
/** PGlite drops it from the head of every text that it reads. No state that RFC 6749 (appendix A.5) knows has it. */
const byteOrderMark = "\uFEFF";

const isRepeatable = (state: string): boolean =>
  !state.startsWith(byteOrderMark) && !unrepeatable.some((character) => state.includes(character));

/** The `state` that an answer carries; null where there is none, or none that could be given back as sent. */
export function stateToReturn(parameters: URLSearchParams): string | null {
  const state = given(parameters, "state");
  return state === undefined || isRepeated(parameters, "state") || !isRepeatable(state) ? null : state;
}

/** What a client may demand of the sign-in and consent pages. `none` is answered at once and never saved. */
export type Prompt = "login" | "consent" | "login consent";

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
  /** Who was signed in when it was saved, or was shown the page; null before either. */
  readonly accountId: string | null;
  readonly createdAt: Date;
  readonly expiresAt: Date;
  readonly decidedAt: Date | null;
}

/** Whether the client wants the player to prove again who they are. */
export const wantsLogin = (prompt: Prompt | null): boolean => prompt?.startsWith("login") ?? false;

/** Whether the client wants the player to be asked even where an earlier consent would do. */
export const wantsConsent = (prompt: Prompt | null): boolean => prompt?.endsWith("consent") ?? false;
