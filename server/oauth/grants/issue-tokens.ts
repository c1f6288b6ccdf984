import type { Origin } from "../../audit/audit";
import type { Context } from "../../context";
import { mintSecret } from "../../platform/crypto/secret-text";
import type { ScopeName } from "../../scopes";
import type { RegisteredClient } from "../clients/client";
import { oauthError } from "../oauth-error";
import { insertAccessToken } from "../tokens/store";
import { type TokenReply, tokenReply } from "../tokens/token-reply";
import { insertRefreshToken } from "./refresh-store";
import { endOf } from "./standing";
import { consumeCode, type StoredCode } from "./store";

const second = 1_000;

/**
 * Consumes a code and issues its tokens, in one transaction.
 * @throws invalid_grant when another redemption was faster
 */
export async function issueTokens(
  ctx: Context,
  client: RegisteredClient,
  { stored, scopes, origin }: { stored: StoredCode; scopes: readonly ScopeName[]; origin: Origin },
): Promise<TokenReply> {
  const issuedAt = ctx.now();
  const { lifetimes } = ctx.settings;
  const ends = endOf(stored);
  const within = (seconds: number) => new Date(Math.min(issuedAt.getTime() + seconds * second, ends.getTime()));
  const confidential = client.kind === "confidential";
  const expiresAt = within(confidential ? lifetimes.access : lifetimes.accessPublic);
  const access = mintSecret("access", ctx.ids.bytes);
  const refresh = confidential ? mintSecret("refresh", ctx.ids.bytes) : null;
  const { grantId, accountId } = stored;

  await ctx.database.urgent.transaction(async (tx) => {
    if (!(await consumeCode(tx, stored.hash, issuedAt)))
      throw oauthError("invalid_grant", "The code was already used.");
    const print = ctx.keyring.fingerprint("token", access);
    await insertAccessToken(tx, { print, grantId, scopes, issuedAt, expiresAt });
    if (refresh !== null) {
      const next = ctx.keyring.fingerprint("token", refresh);
      await insertRefreshToken(tx, { print: next, grantId, issuedAt, expiresAt: within(lifetimes.refreshIdle) });
    }
    const actor = `client:${client.clientId}`;
    const details = { grantId, scopes };
    await ctx.audit(tx, { act: "tokens-issued", actor, accountId, clientId: client.clientId, origin, details });
  });
  return tokenReply({ access, refresh }, { scopes, issuedAt, expiresAt });
}
