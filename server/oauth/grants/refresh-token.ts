import { createHmac } from "node:crypto";
import { poolBusy } from "#db/error-codes";
import type { Origin } from "#server/audit/audit";
import type { Context } from "#server/context";
import { type KeyedHash, sealWith, unsealWith } from "#server/platform/keyring";
import { isSecretText, mintSecret } from "#server/platform/secret-text";
import { secondMs } from "#server/platform/time";
import type { ScopeName } from "#server/scopes";
import type { RegisteredClient } from "../clients/client";
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
  client: RegisteredClient,
  form: Form,
  origin: Origin,
): Promise<TokenReply> {
  if (client.kind === "public")
    throw oauthError(
      "unauthorized_client",
      "Public applications cannot refresh: send the player through the flow again.",
    );
  const presented = form.get("refresh_token");
  if (presented === undefined) throw oauthError("invalid_request", "The refresh_token is missing.");
  const requested = readRequestedScopes(form.get("scope"));
  if (!isSecretText("refresh", presented))
    throw oauthError("invalid_grant", "The refresh token is unknown.");
  const refresh = { client, presented, requested, origin };

  for (const print of ctx.keyring.hmacs("token", presented)) {
    const reply = await moveOn(ctx, refresh, print);
    if (reply) return reply;
  }
  return replayOrRefuse(ctx, refresh);
}

async function moveOn(
  ctx: Context,
  refresh: Refresh,
  print: KeyedHash,
): Promise<TokenReply | undefined> {
  const { client, presented, requested, origin } = refresh;
  const tokens = {
    access: mintSecret("access", ctx.ids.bytes),
    refresh: mintSecret("refresh", ctx.ids.bytes),
  };
  const { lifetimes } = ctx.settings;
  const rotated = await rotatorOf(ctx)({
    presentedHash: print.hash,
    clientId: client.clientId,
    requested,
    access: ctx.keyring.hmac("token", tokens.access),
    refresh: ctx.keyring.hmac("token", tokens.refresh),
    sealedReply: sealReply(presented, print.hash, tokens),
    requestTime: ctx.requestTime(),
    accessSeconds: lifetimes.access,
    refreshSeconds: lifetimes.refreshIdle,
    origin,
  });
  if (!rotated) return undefined;
  // Other instances see the dead token within a second.
  ctx.forget({ grantId: rotated.grantId });
  return tokenReply(tokens, rotated);
}

export interface Refresh {
  readonly client: RegisteredClient;
  readonly presented: string;
  readonly requested: readonly ScopeName[] | null;
  readonly origin: Origin;
}

/** @throws OAuthError */
export async function replayOrRefuse(ctx: Context, refresh: Refresh): Promise<TokenReply> {
  const { client, presented, requested, origin } = refresh;
  const stored = await lookUp(ctx, presented);
  if (stored?.clientId !== client.clientId)
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
    await endMisusedGrant(ctx, client, { ...stored, reason: "refresh-reuse" }, origin);
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
