import DataLoader from "dataloader";
import { poolBusyError } from "#db/error-codes";
import type { ClientActor } from "#server/actor";
import { type Context, perProcess } from "#server/context";
import { deriveKey, sealWith, unsealWith } from "#server/platform/keyring";
import { hasSecretForm, mintSecret } from "#server/platform/secret-text";
import { secondMs } from "#server/platform/time";
import type { ScopeName } from "#server/scopes";
import { oauthError, oauthRefusal } from "../oauth-error";
import { assertWithinGrant, readRequestedScopes } from "../scope-list";
import { assertLive, type MintedTokens, type TokenReply, tokenReply } from "./authorization-code";
import { endMisusedGrant } from "./end-grants";
import { grantState } from "./grant-status";
import {
  findIssued,
  findRefreshToken,
  type Rotation,
  type RotationResult,
  rotateRefreshTokens,
  type StoredRefreshToken,
} from "./refresh-store";

/**
 * RFC 6749 section 6, with rotation. A refusal does not consume the token.
 * @throws OAuthError
 */
export async function redeemRefreshToken(
  ctx: Context,
  by: ClientActor,
  form: ReadonlyMap<string, string>,
): Promise<TokenReply> {
  if (by.client.kind === "public")
    throw oauthError(
      "unauthorized_client",
      "Public applications cannot refresh: send the player through the flow again.",
    );
  const presented = form.get("refresh_token");
  if (presented === undefined) throw oauthError("invalid_request", "The refresh_token is missing.");
  const requested = readRequestedScopes(form.get("scope"));
  if (!hasSecretForm("refresh", presented)) throw oauthRefusal("refreshTokenUnknown");
  const refresh = { presented, requested };

  for (const hash of ctx.keyring.hmacs("token", presented)) {
    const reply = await moveOn(ctx, by, { ...refresh, hash });
    if (reply) return reply;
  }
  return replayOrRefuse(ctx, by, refresh);
}

async function moveOn(
  ctx: Context,
  by: ClientActor,
  { presented, requested, hash }: Refresh & { readonly hash: string },
): Promise<TokenReply | undefined> {
  const tokens = {
    access: mintSecret("access", ctx.ids.bytes),
    refresh: mintSecret("refresh", ctx.ids.bytes),
  };
  const { lifetimes } = ctx.settings;
  const rotated = await rotatorOf(ctx)({
    presentedHash: hash,
    clientId: by.client.clientId,
    requested,
    access: ctx.keyring.hmac("token", tokens.access),
    refresh: ctx.keyring.hmac("token", tokens.refresh),
    sealedReply: sealReply(presented, hash, tokens),
    requestTime: ctx.tokens.requestTime(),
    accessSeconds: lifetimes.access,
    refreshSeconds: lifetimes.refreshIdle,
    from: by.from,
  });
  if (!rotated) return undefined;
  // On other instances the replaced access token ends within a second.
  ctx.tokens.forget({ grantId: rotated.grantId });
  return tokenReply(tokens, rotated);
}

interface Refresh {
  readonly presented: string;
  readonly requested: readonly ScopeName[] | null;
}

/** @throws OAuthError */
async function replayOrRefuse(
  ctx: Context,
  by: ClientActor,
  { presented, requested }: Refresh,
): Promise<TokenReply> {
  const on = ctx.database.tokenPool.query;
  const stored = await findRefreshToken(on, ctx.keyring.hmacs("token", presented));
  if (stored?.clientId !== by.client.clientId)
    throw refused("The refresh token is unknown, or was issued to another application.");
  assertWithinGrant(stored.scopes, requested);
  const now = ctx.now();
  const state = grantState(stored, now);
  if (state === "ended") throw oauthRefusal("authorizationEnded");
  if (stored.consumedAt === null) {
    assertLive(state);
    if (stored.expiresAt <= now) throw refused("The refresh token has expired.");
    // The token is valid, but the request waited too long.
    throw poolBusyError();
  }

  // A database outage extends this time, because a client that lost its reply could not return.
  const reusable = ctx.settings.lifetimes.refreshReuse * secondMs;
  if (stored.consumedAt < ctx.database.outages.settledBefore(now, reusable)) {
    // RFC 9700 section 4.14.2: a replaced token that returns may be stolen.
    await endMisusedGrant(ctx, by, { ...stored, reason: "refresh-reuse" });
    throw oauthRefusal("refreshTokenUsed");
  }
  assertLive(state);
  const reply = await sameReply(ctx, { presented, stored });
  if (!reply)
    throw refused("The refresh token was already used, and so was the one that replaced it.");
  return reply;
}

const refused = (description: string) => oauthError("invalid_grant", description);

/** Repeats the reply byte for byte, until its refresh token is used. */
async function sameReply(
  ctx: Context,
  { presented, stored }: { presented: string; stored: StoredRefreshToken },
): Promise<TokenReply | undefined> {
  if (stored.successorUsed || stored.sealedReply === null) return undefined;
  const tokens = unsealReply(presented, stored.hash, stored.sealedReply);
  const hashes = ctx.keyring.hmacs("token", tokens.access);
  const issued = await findIssued(ctx.database.tokenPool.query, hashes);
  return issued && tokenReply(tokens, issued);
}

const keyFrom = (presented: string) => deriveKey(presented, "adjutant refresh reply\u0001");

const sealReply = (
  presented: string,
  hash: string,
  tokens: MintedTokens & { readonly refresh: string },
): string => sealWith(keyFrom(presented), `${tokens.access} ${tokens.refresh}`, hash);

function unsealReply(
  presented: string,
  hash: string,
  sealed: string,
): MintedTokens & { readonly refresh: string } {
  const [access = "", refresh = ""] = unsealWith(keyFrom(presented), sealed, hash).split(" ");
  return { access, refresh };
}

/** Requests that arrive during a statement share the next statement and its disk flush. */
const usuallyAtOnce = 1;
/** A statement that waits for a lock delays the next statement by no more than this. */
const longestWaitMs = 50;
const mostAtOnce = 4;
const mostTogether = 64;
/** With more requests waiting, a retry is cheaper than waiting. */
const mostWaiting = 2_000;

/** The answer if a concurrent request for the same token was tried instead, and refused. */
const askAgain = Symbol("ask again");

const rotatorOf = perProcess("rotator", createRotator);

function createRotator({ database, now }: Pick<Context, "database" | "now">) {
  const waiting: (() => void)[] = [];
  let running = 0;
  let asking = 0;
  const loader = new DataLoader<Rotation, RotationResult | undefined | typeof askAgain>(
    async (rotations) => {
      running += 1;
      try {
        const awaited = rotations.filter(
          ({ requestTime: { until } }) => until === null || now() < until,
        );
        // Of two requests for one token, only the first rotates; the second counts as a repetition.
        const first = new Map(
          awaited.toReversed().map((rotation) => [rotation.presentedHash, rotation]),
        );
        const rotated =
          first.size > 0
            ? await rotateRefreshTokens(database, [...first.values()])
            : new Map<string, RotationResult>();
        return rotations.map((rotation) => {
          const granted = rotated.get(rotation.presentedHash);
          // The request's deadline has passed.
          if (!awaited.includes(rotation)) return poolBusyError();
          if (first.get(rotation.presentedHash) === rotation) return granted;
          return granted ? undefined : askAgain;
        });
      } finally {
        running -= 1;
        waiting.shift()?.();
      }
    },
    {
      cache: false,
      maxBatchSize: mostTogether,
      batchScheduleFn: (send) => {
        if (running < usuallyAtOnce) return void setImmediate(send);
        waiting.push(send);
        setTimeout(() => {
          if (running < mostAtOnce && waiting[0] === send) waiting.shift()?.();
        }, longestWaitMs);
      },
    },
  );
  // A refused request must not block a valid request for the same token.
  return async (rotation: Rotation): Promise<RotationResult | undefined> => {
    if (asking >= mostWaiting) throw poolBusyError();
    asking += 1;
    try {
      for (;;) {
        const answer = await loader.load(rotation);
        if (answer !== askAgain) return answer;
      }
    } finally {
      asking -= 1;
    }
  };
}
