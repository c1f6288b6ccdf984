import type { Origin } from "../../audit/audit";
import type { Context } from "../../context";
import { isSecretText, mintSecret } from "../../platform/crypto/secret-text";
import type { ScopeName } from "../../scopes";
import type { RegisteredClient } from "../clients/client";
import type { Form } from "../form-body";
import { oauthError } from "../oauth-error";
import { verifierFits } from "../pkce";
import { insertAccessToken } from "../tokens/store";
import { type TokenReply, tokenReply } from "../tokens/token-reply";
import { endMisusedGrant } from "./end-misused-grant";
import { insertRefreshToken } from "./refresh-store";
import { endOf, issuable, standingOf } from "./standing";
import { consumeCode, findCode, type StoredCode } from "./store";
import { assertWithin, readWishedScopes } from "./wished-scopes";

/** A client that lost an answer, or sent twice, must not be taken for a thief. */
const duplicateMilliseconds = 2_000;
const second = 1_000;

/**
 * The authorization code grant (RFC 6749 section 4.1.3). A refused redemption leaves the code as it was.
 * @throws OAuthError
 */
export async function redeemCode(
  ctx: Context,
  client: RegisteredClient,
  form: Form,
  origin: Origin,
): Promise<TokenReply> {
  const code = form.get("code");
  const redirectUri = form.get("redirect_uri");
  if (code === undefined) throw oauthError("invalid_request", "The code is missing.");
  if (redirectUri === undefined) throw oauthError("invalid_request", "The redirect_uri is missing.");
  const wished = readWishedScopes(form.get("scope"));

  const stored = await lookUp(ctx, code);
  // RFC 6749 section 4.1.3: the code was issued to this client, and for this redirect URI.
  if (stored?.clientId !== client.clientId) throw refused("The code is unknown, or was issued to another application.");
  if (stored.redirectUri !== redirectUri)
    throw refused("The redirect_uri is not the one of the authorization request.");
  assertVerifier(stored.codeChallenge, form.get("code_verifier"));
  assertWithin(stored.scopes, wished);
  if (stored.consumedAt) throw await reused(ctx, client, stored, origin);
  if (stored.expiresAt <= ctx.now()) throw refused("The code has expired.");
  const standing = standingOf(stored, ctx.now());
  if (standing === "ended") throw refused("The authorization has ended.");
  if (standing === "paused") throw refused("The player has paused the application.");
  return issue(ctx, client, { stored, scopes: issuable(stored, wished ?? stored.scopes), origin });
}

const refused = (description: string) => oauthError("invalid_grant", description);

async function lookUp(ctx: Context, code: string): Promise<StoredCode | undefined> {
  if (!isSecretText("code", code)) return undefined;
  for (const { hash } of ctx.keyring.fingerprints("token", code)) {
    const stored = await findCode(ctx.database.query, hash);
    if (stored) return stored;
  }
  return undefined;
}

function assertVerifier(challenge: string | null, verifier: string | undefined): void {
  if (challenge === null) {
    // RFC 9700 section 2.1.1: a verifier without a challenge is the trace of a downgrade.
    if (verifier !== undefined)
      throw refused("A code_verifier was sent, but the authorization request had no challenge.");
    return;
  }
  if (verifier === undefined) throw refused("The code_verifier is missing.");
  if (!verifierFits(verifier, challenge)) throw refused("The code_verifier does not fit the code_challenge.");
}

async function reused(ctx: Context, client: RegisteredClient, stored: StoredCode, origin: Origin) {
  const age = ctx.now().getTime() - (stored.consumedAt?.getTime() ?? 0);
  // RFC 6749 section 4.1.2: a code used more than once SHOULD end all tokens issued by it.
  if (age > duplicateMilliseconds) await endMisusedGrant(ctx, client, { ...stored, reason: "code-reuse" }, origin);
  return refused("The code was already used.");
}

async function issue(
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

  await ctx.database.transaction(async (tx) => {
    if (!(await consumeCode(tx, stored.hash, issuedAt))) throw refused("The code was already used.");
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
