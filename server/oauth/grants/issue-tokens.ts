import { poolBusy } from "#db/error-codes";
import type { ClientActor } from "#server/actor";
import type { Context } from "#server/context";
import { mintSecret } from "#server/platform/secret-text";
import { secondMs } from "#server/platform/time";
import type { ScopeName } from "#server/scopes";
import { oauthError } from "../oauth-error";
import { formatScopeList } from "../scope-list";
import { endOf } from "./grant-status";
import { findCode, redeemCodeOnce, type StoredCode } from "./store";

/** @throws invalid_grant if a concurrent redemption won */
export async function issueTokens(
  ctx: Context,
  by: ClientActor,
  { stored, scopes }: { readonly stored: StoredCode; readonly scopes: readonly ScopeName[] },
): Promise<TokenReply> {
  const { client } = by;
  const { lifetimes } = ctx.settings;
  const confidential = client.kind === "confidential";
  const access = mintSecret("access", ctx.ids.bytes);
  const refresh = confidential ? mintSecret("refresh", ctx.ids.bytes) : null;
  const print = (token: string) => ctx.keyring.hmac("token", token);
  const issued = await redeemCodeOnce(ctx.database.tokenPool.query, {
    codeHash: stored.hash,
    grantId: stored.grantId,
    accountId: stored.accountId,
    by,
    scopes,
    access: { ...print(access), seconds: confidential ? lifetimes.access : lifetimes.accessPublic },
    refresh: refresh === null ? null : { ...print(refresh), seconds: lifetimes.refreshIdle },
    ends: endOf(stored),
    requestTime: ctx.tokens.requestTime(),
  });
  if (!issued) throw await notConsumed(ctx, stored.hash);
  return tokenReply({ access, refresh }, { scopes, ...issued });
}

async function notConsumed(ctx: Context, hash: string): Promise<Error> {
  const code = await findCode(ctx.database.tokenPool.query, [hash]);
  return code?.consumedAt === null
    ? poolBusy()
    : oauthError("invalid_grant", "The code was already used.");
}

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
