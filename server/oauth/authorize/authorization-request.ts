import type { ScopeName } from "#server/scopes";

/** What a client may demand of the sign-in and consent pages. `none` is answered at once and never parked. */
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
  /** Who was signed in when it was parked, or was shown the page; null before either. */
  readonly accountId: string | null;
  readonly createdAt: Date;
  readonly expiresAt: Date;
  readonly decidedAt: Date | null;
}

/** Whether the client wants the player to prove again who they are. */
export const wantsLogin = (prompt: Prompt | null): boolean => prompt?.startsWith("login") ?? false;

/** Whether the client wants the player to be asked even where an earlier consent would do. */
export const wantsConsent = (prompt: Prompt | null): boolean => prompt?.endsWith("consent") ?? false;
