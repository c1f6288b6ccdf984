import type { ScopeName } from "../../scopes";
import { formatScopeList } from "../scope-list";

/** The successful answer of the token endpoint (RFC 6749 section 5.1), in wire names. */
export interface TokenReply {
  readonly access_token: string;
  readonly token_type: "Bearer";
  /** Whole seconds. */
  readonly expires_in: number;
  readonly refresh_token?: string;
  readonly scope: string;
}

/** What a reply hands out. A public client gets no refresh token, because it could not use one. */
export interface MintedTokens {
  readonly access: string;
  readonly refresh: string | null;
}

/** A reply is a function of the tokens and of the stored row, so that it can be given again exactly. */
export function tokenReply(
  tokens: MintedTokens,
  stored: { readonly scopes: readonly ScopeName[]; readonly issuedAt: Date; readonly expiresAt: Date },
): TokenReply {
  return {
    access_token: tokens.access,
    token_type: "Bearer",
    expires_in: Math.floor((stored.expiresAt.getTime() - stored.issuedAt.getTime()) / 1000),
    ...(tokens.refresh === null ? {} : { refresh_token: tokens.refresh }),
    scope: formatScopeList(stored.scopes),
  };
}
