import type { Origin } from "../../audit/audit";
import type { Context } from "../../context";
import type { Fingerprint } from "../../platform/crypto/keyring";
import { isSecretText, mintSecret } from "../../platform/crypto/secret-text";
import type { RegisteredClient } from "../clients/client";
import type { Form } from "../form-body";
import { oauthError } from "../oauth-error";
import { type TokenReply, tokenReply } from "../tokens/token-reply";
import { type Refresh, replayOrRefuse } from "./replay-refresh";
import { sealReply } from "./sealed-reply";
import { readWishedScopes } from "./wished-scopes";

/**
 * The refresh token grant (RFC 6749 section 6), with rotation at every use. A refused refresh burns nothing.
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
  const wished = readWishedScopes(form.get("scope"));
  if (!isSecretText("refresh", presented)) throw oauthError("invalid_grant", "The refresh token is unknown.");
  const refresh = { client, presented, wished, origin };

  for (const print of ctx.keyring.fingerprints("token", presented)) {
    const reply = await moveOn(ctx, refresh, print);
    if (reply) return reply;
  }
  return replayOrRefuse(ctx, refresh);
}

async function moveOn(ctx: Context, refresh: Refresh, print: Fingerprint): Promise<TokenReply | undefined> {
  const { client, presented, wished, origin } = refresh;
  const tokens = { access: mintSecret("access", ctx.ids.bytes), refresh: mintSecret("refresh", ctx.ids.bytes) };
  const { lifetimes } = ctx.settings;
  const rotated = await ctx.rotate({
    presentedHash: print.hash,
    clientId: client.clientId,
    wished,
    access: ctx.keyring.fingerprint("token", tokens.access),
    refresh: ctx.keyring.fingerprint("token", tokens.refresh),
    sealedReply: sealReply(presented, print.hash, tokens),
    asked: ctx.asked(),
    accessSeconds: lifetimes.access,
    refreshSeconds: lifetimes.refreshIdle,
    origin,
  });
  if (!rotated) return undefined;
  // The old access token is dead in the database; the other instances see that within a second by themselves.
  ctx.forget({ grantId: rotated.grantId });
  return tokenReply(tokens, rotated);
}
