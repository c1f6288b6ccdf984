import { secondMs } from "#server/platform/time";
import type { ScopeName } from "#server/scopes";
import { formatScopeList } from "../scope-list";

/** RFC 6749 section 5.1, in wire names. */
export interface TokenReply {
  readonly access_token: string;
  readonly token_type: "Bearer";
  /** Whole seconds. */
  readonly expires_in: number;
  readonly refresh_token?: string;
  readonly scope: string;
}

export interface MintedTokens {
  readonly access: string;
  readonly refresh: string | null;
}

/** A function of the tokens and the stored row alone, so that it can be repeated exactly. */
export function tokenReply(
  tokens: MintedTokens,
  stored: {
    readonly scopes: readonly ScopeName[];
    readonly issuedAt: Date;
    readonly expiresAt: Date;
  },
): TokenReply {
  return {
    access_token: tokens.access,
    token_type: "Bearer",
    expires_in: Math.floor((stored.expiresAt.getTime() - stored.issuedAt.getTime()) / secondMs),
    ...(tokens.refresh === null ? {} : { refresh_token: tokens.refresh }),
    scope: formatScopeList(stored.scopes),
  };
}
