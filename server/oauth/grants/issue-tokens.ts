import { PoolBusy } from "#db/connection-queue";
import type { Origin } from "../../audit/audit";
import type { Context } from "../../context";
import { mintSecret } from "../../platform/crypto/secret-text";
import type { ScopeName } from "../../scopes";
import type { RegisteredClient } from "../clients/client";
import { oauthError } from "../oauth-error";
import { type TokenReply, tokenReply } from "../tokens/token-reply";
import { redeemCodeOnce } from "./redemption-store";
import { endOf } from "./standing";
import { findCode, type StoredCode } from "./store";

/**
 * Consumes a code and issues its tokens.
 * @throws invalid_grant when another redemption was faster
 */
export async function issueTokens(
  ctx: Context,
  client: RegisteredClient,
  { stored, scopes, origin }: { stored: StoredCode; scopes: readonly ScopeName[]; origin: Origin },
): Promise<TokenReply> {
  const { lifetimes } = ctx.settings;
  const confidential = client.kind === "confidential";
  const access = mintSecret("access", ctx.ids.bytes);
  const refresh = confidential ? mintSecret("refresh", ctx.ids.bytes) : null;
  const print = (token: string) => ctx.keyring.fingerprint("token", token);
  const issued = await redeemCodeOnce(ctx.database.urgent.query, {
    codeHash: stored.hash,
    grantId: stored.grantId,
    accountId: stored.accountId,
    clientId: client.clientId,
    scopes,
    access: { ...print(access), seconds: confidential ? lifetimes.access : lifetimes.accessPublic },
    refresh: refresh === null ? null : { ...print(refresh), seconds: lifetimes.refreshIdle },
    ends: endOf(stored),
    asked: ctx.asked(),
    origin,
  });
  if (!issued) throw await notConsumed(ctx, stored.hash);
  return tokenReply({ access, refresh }, { scopes, ...issued });
}

/** Another redemption was faster, or the database came to this one when nobody was thought to wait any more. */
async function notConsumed(ctx: Context, hash: string): Promise<Error> {
  const code = await findCode(ctx.database.urgent.query, hash);
  return code?.consumedAt === null ? new PoolBusy() : oauthError("invalid_grant", "The code was already used.");
}
