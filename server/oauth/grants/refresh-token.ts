import { createHmac } from "node:crypto";
import { poolBusy } from "#db/error-codes";
import type { ClientActor } from "#server/actor";
import type { Context } from "#server/context";
import { type KeyedHash, sealWith, unsealWith } from "#server/platform/keyring";
import { isSecretText, mintSecret } from "#server/platform/secret-text";
import { secondMs } from "#server/platform/time";
import type { ScopeName } from "#server/scopes";
import type { Form } from "../form-body";
import { oauthError } from "../oauth-error";
import { assertWithin, readRequestedScopes } from "../scope-list";
import { endMisusedGrant } from "./end-misused-grant";
import { grantState } from "./grant-status";
import { type MintedTokens, type TokenReply, tokenReply } from "./issue-tokens";
import { findIssued, findRefreshToken, type StoredRefreshToken } from "./refresh-store";
import { rotatorOf } from "./rotator";

/**
 * RFC 6749 section 6, with rotation. A refusal consumes nothing.
 * @throws OAuthError
 */
export async function refreshTokens(
  ctx: Context,
  by: ClientActor,
  form: Form,
): Promise<TokenReply> {
  if (by.client.kind === "public")
    throw oauthError(
      "unauthorized_client",
      "Public applications cannot refresh: send the player through the flow again.",
    );
  const presented = form.get("refresh_token");
  if (presented === undefined) throw oauthError("invalid_request", "The refresh_token is missing.");
  const requested = readRequestedScopes(form.get("scope"));
  if (!isSecretText("refresh", presented))
    throw oauthError("invalid_grant", "The refresh token is unknown.");
  const refresh = { presented, requested };

  for (const print of ctx.keyring.hmacs("token", presented)) {
    const reply = await moveOn(ctx, by, { ...refresh, print });
    if (reply) return reply;
  }
  return replayOrRefuse(ctx, by, refresh);
}

async function moveOn(
  ctx: Context,
  by: ClientActor,
  { presented, requested, print }: Refresh & { readonly print: KeyedHash },
): Promise<TokenReply | undefined> {
  const tokens = {
    access: mintSecret("access", ctx.ids.bytes),
    refresh: mintSecret("refresh", ctx.ids.bytes),
  };
  const { lifetimes } = ctx.settings;
  const rotated = await rotatorOf(ctx)({
    presentedHash: print.hash,
    clientId: by.client.clientId,
    requested,
    access: ctx.keyring.hmac("token", tokens.access),
    refresh: ctx.keyring.hmac("token", tokens.refresh),
    sealedReply: sealReply(presented, print.hash, tokens),
    requestTime: ctx.tokens.requestTime(),
    accessSeconds: lifetimes.access,
    refreshSeconds: lifetimes.refreshIdle,
    from: by.from,
  });
  if (!rotated) return undefined;
  // Other instances see the dead token within a second.
  ctx.tokens.forget({ grantId: rotated.grantId });
  return tokenReply(tokens, rotated);
}

export interface Refresh {
  readonly presented: string;
  readonly requested: readonly ScopeName[] | null;
}

/** @throws OAuthError */
export async function replayOrRefuse(
  ctx: Context,
  by: ClientActor,
  { presented, requested }: Refresh,
): Promise<TokenReply> {
  const stored = await lookUp(ctx, presented);
  if (stored?.clientId !== by.client.clientId)
    throw refused("The refresh token is unknown, or was issued to another application.");
  assertWithin(stored.scopes, requested);
  const now = ctx.now();
  const state = grantState(stored, now);
  if (state !== "live" && state !== "paused") throw refused("The authorization has ended.");
  if (stored.consumedAt === null) {
    if (state === "paused") throw refused("The player has paused the application.");
    if (stored.expiresAt <= now) throw refused("The refresh token has expired.");
    // The token is valid, but the request waited too long.
    throw poolBusy();
  }

  // Database outages do not count: a client that lost its reply in one could not come back.
  const reusable = ctx.settings.lifetimes.refreshReuse * secondMs;
  if (stored.consumedAt < ctx.database.outages.settledBefore(now, reusable)) {
    // RFC 9700 section 4.14.2: a replaced token that returns is in two hands.
    await endMisusedGrant(ctx, by, { ...stored, reason: "refresh-reuse" });
    throw refused("The refresh token was already used.");
  }
  if (state === "paused") throw refused("The player has paused the application.");
  const reply = await sameReply(ctx, { presented, stored });
  if (!reply)
    throw refused("The refresh token was already used, and so was the one that replaced it.");
  return reply;
}

const refused = (description: string) => oauthError("invalid_grant", description);

function lookUp(ctx: Context, presented: string): Promise<StoredRefreshToken | undefined> {
  const hashes = ctx.keyring.hmacs("token", presented).map(({ hash }) => hash);
  return findRefreshToken(ctx.database.tokenPool.query, hashes);
}

/** Byte for byte the original, until its successor is used. */
async function sameReply(
  ctx: Context,
  { presented, stored }: { presented: string; stored: StoredRefreshToken },
): Promise<TokenReply | undefined> {
  if (stored.successorUsed || stored.sealedReply === null) return undefined;
  const tokens = unsealReply(presented, stored.hash, stored.sealedReply);
  for (const print of ctx.keyring.hmacs("token", tokens.access)) {
    const issued = await findIssued(ctx.database.tokenPool.query, print.hash);
    if (issued) return tokenReply(tokens, issued);
  }
  return undefined;
}

/**
 * Only a hash of the token is stored, so a copy of the database cannot open the seal. The token is
 * uniformly random, so one block of HKDF-Expand suffices (RFC 5869 section 3.3).
 */
const keyFrom = (presented: string): Uint8Array =>
  createHmac("sha256", presented).update("adjutant refresh reply\u0001").digest();

export const sealReply = (
  presented: string,
  hash: string,
  tokens: MintedTokens & { readonly refresh: string },
): string => sealWith(keyFrom(presented), `${tokens.access} ${tokens.refresh}`, hash);

export function unsealReply(
  presented: string,
  hash: string,
  sealed: string,
): MintedTokens & { readonly refresh: string } {
  const [access = "", refresh = ""] = unsealWith(keyFrom(presented), sealed, hash).split(" ");
  return { access, refresh };
}
