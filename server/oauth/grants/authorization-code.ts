import { poolBusyError } from "#db/error-codes";
import type { ClientActor } from "#server/actor";
import type { Context } from "#server/context";
import { hasSecretForm, mintSecret } from "#server/platform/secret-text";
import { secondMs } from "#server/platform/time";
import type { ScopeName } from "#server/scopes";
import { oauthError, oauthRefusal } from "../oauth-error";
import { verifierFits } from "../pkce";
import { assertWithinGrant, formatScopeList, readRequestedScopes } from "../scope-list";
import { endMisusedGrant } from "./end-grants";
import { effectiveScopes, type GrantState, grantState } from "./grant-status";
import { findCode, redeemCodeOnce, type StoredCode } from "./store";

/** A client that lost the answer or sent the code twice is no attacker. */
export const duplicateGraceMs = 2_000;

/**
 * RFC 6749 section 4.1.3. A refusal does not consume the code.
 * @throws OAuthError
 */
export async function redeemCode(
  ctx: Context,
  by: ClientActor,
  form: ReadonlyMap<string, string>,
): Promise<TokenReply> {
  const code = form.get("code");
  const redirectUri = form.get("redirect_uri");
  if (code === undefined) throw oauthError("invalid_request", "The code is missing.");
  if (redirectUri === undefined)
    throw oauthError("invalid_request", "The redirect_uri is missing.");
  const requested = readRequestedScopes(form.get("scope"));

  const stored = hasSecretForm("code", code)
    ? await findCode(ctx.database.tokenPool.query, ctx.keyring.hmacs("token", code))
    : undefined;
  if (stored?.clientId !== by.client.clientId) throw oauthRefusal("codeUnknown");
  if (stored.redirectUri !== redirectUri) throw oauthRefusal("redirectUriDiffers");
  assertVerifier(stored.codeChallenge, form.get("code_verifier"));
  assertWithinGrant(stored.scopes, requested);
  if (stored.consumedAt) throw await reused(ctx, by, stored);
  if (stored.expiresAt <= ctx.now()) throw oauthRefusal("codeExpired");
  assertLive(grantState(stored, ctx.now()));
  return issueTokens(ctx, by, {
    stored,
    scopes: effectiveScopes(stored, requested ?? stored.scopes),
  });
}

/** @throws invalid_grant */
export function assertLive(state: GrantState): void {
  if (state === "paused") throw oauthRefusal("applicationPaused");
  if (state !== "live") throw oauthRefusal("authorizationEnded");
}

/** @throws invalid_grant if a concurrent redemption won */
async function issueTokens(
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
    stored,
    by,
    scopes,
    access: { ...print(access), seconds: confidential ? lifetimes.access : lifetimes.accessPublic },
    refresh: refresh === null ? null : { ...print(refresh), seconds: lifetimes.refreshIdle },
    requestTime: ctx.tokens.requestTime(),
  });
  if (!issued) throw await notConsumed(ctx, stored.hash);
  return tokenReply({ access, refresh }, { scopes, ...issued });
}

async function notConsumed(ctx: Context, hash: string): Promise<Error> {
  const code = await findCode(ctx.database.tokenPool.query, [hash]);
  return code?.consumedAt === null ? poolBusyError() : oauthRefusal("codeUsed");
}

function assertVerifier(challenge: string | null, verifier: string | undefined): void {
  if (challenge === null) {
    // RFC 9700 section 2.1.1: a verifier without a challenge indicates a downgrade.
    if (verifier !== undefined)
      throw oauthError(
        "invalid_grant",
        "A code_verifier was sent, but the authorization request had no challenge.",
      );
    return;
  }
  if (verifier === undefined) throw oauthRefusal("verifierMissing");
  if (!verifierFits(verifier, challenge)) throw oauthRefusal("verifierDiffers");
}

async function reused(ctx: Context, by: ClientActor, stored: StoredCode) {
  // A database outage extends the grace, because a client that lost its tokens had to retry.
  const late = ctx.database.outages.settledBefore(ctx.now(), duplicateGraceMs);
  // RFC 6749 section 4.1.2: a reused code SHOULD end all tokens issued by it.
  if (stored.consumedAt && stored.consumedAt < late)
    await endMisusedGrant(ctx, by, { ...stored, reason: "code-reuse" });
  return oauthRefusal("codeUsed");
}

/** RFC 6749 section 5.1. */
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

/** Depends on the tokens and the stored row alone, so that a reply can be repeated exactly. */
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
