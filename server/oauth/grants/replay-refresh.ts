import { PoolBusy } from "#db/connection-queue";
import type { Origin } from "../../audit/audit";
import type { Context } from "../../context";
import type { ScopeName } from "../../scopes";
import type { RegisteredClient } from "../clients/client";
import { oauthError } from "../oauth-error";
import { type TokenReply, tokenReply } from "../tokens/token-reply";
import { endMisusedGrant } from "./end-misused-grant";
import { findIssued, findRefreshToken, type StoredRefreshToken } from "./refresh-store";
import { openReply } from "./sealed-reply";
import { standingOf } from "./standing";
import { assertWithin } from "./wished-scopes";

/** A refresh: who asks, with what, for which of the granted scopes. */
export interface Refresh {
  readonly client: RegisteredClient;
  readonly presented: string;
  readonly wished: readonly ScopeName[] | null;
  readonly origin: Origin;
}

const second = 1_000;

/**
 * A refresh token that did not move its chain on: says why, or gives the reply again that was lost on the way.
 * @throws OAuthError
 */
export async function replayOrRefuse(ctx: Context, refresh: Refresh): Promise<TokenReply> {
  const { client, presented, wished, origin } = refresh;
  const found = await lookUp(ctx, presented);
  if (found?.stored.clientId !== client.clientId)
    throw refused("The refresh token is unknown, or was issued to another application.");
  const { stored, hash } = found;
  assertWithin(stored.scopes, wished);
  const now = ctx.now();
  const standing = standingOf(stored, now);
  if (standing === "ended") throw refused("The authorization has ended.");
  if (stored.consumedAt === null) {
    if (standing === "paused") throw refused("The player has paused the application.");
    if (stored.expiresAt <= now) throw refused("The refresh token has expired.");
    // Nothing is wrong with it: the database came to it when nobody was thought to wait any more.
    throw new PoolBusy();
  }

  // A time in which the database did not answer does not count: a client whose reply was lost in it could not come back.
  const reusable = ctx.settings.lifetimes.refreshReuse * second;
  if (stored.consumedAt < ctx.database.outages.settledBefore(now, reusable)) {
    // RFC 9700 section 4.14.2: a replaced token that comes back is in two hands. Which is the thief's cannot be known.
    await endMisusedGrant(ctx, client, { ...stored, reason: "refresh-reuse" }, origin);
    throw refused("The refresh token was already used.");
  }
  if (standing === "paused") throw refused("The player has paused the application.");
  const reply = await sameReply(ctx, { presented, hash, stored });
  if (!reply) throw refused("The refresh token was already used, and so was the one that replaced it.");
  return reply;
}

const refused = (description: string) => oauthError("invalid_grant", description);

async function lookUp(ctx: Context, presented: string) {
  for (const { hash } of ctx.keyring.fingerprints("token", presented)) {
    const stored = await findRefreshToken(ctx.database.urgent.query, hash);
    if (stored) return { stored, hash };
  }
  return undefined;
}

/** The reply that consumed the token, byte for byte, as long as nobody has gone on from it. */
async function sameReply(
  ctx: Context,
  { presented, hash, stored }: { presented: string; hash: string; stored: StoredRefreshToken },
): Promise<TokenReply | undefined> {
  if (stored.successorUsed || stored.sealedReply === null) return undefined;
  const tokens = openReply(presented, hash, stored.sealedReply);
  for (const print of ctx.keyring.fingerprints("token", tokens.access)) {
    const issued = await findIssued(ctx.database.urgent.query, print.hash);
    if (issued) return tokenReply(tokens, issued);
  }
  return undefined;
}
