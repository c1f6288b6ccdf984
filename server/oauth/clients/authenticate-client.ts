import { timingSafeEqual } from "node:crypto";
import type { Context } from "#server/context";
import type { KeyedHash } from "#server/platform/crypto/keyring";
import { minuteMs } from "#server/platform/durations";
import { oauthError } from "../oauth-error";
import type { ClientSecret, RegisteredClient } from "./client";
import type { Credentials } from "./credentials";
import { touchSecret } from "./secrets/store";

/** "Last used" is told to the minute; a write for every token request would cost more than it says. */
const touchMilliseconds = minuteMs;

/**
 * Lets the client through, or says `invalid_client`: the same for an unknown client, a wrong secret, a secret that a public
 * client sent and one that a confidential client did not send. Whether it is suspended is for the endpoint to say.
 */
export function authenticateClient(
  ctx: Context,
  client: RegisteredClient | undefined,
  credentials: Credentials,
): RegisteredClient {
  // The hash is made whether or not the client is known, so that both take the same time.
  const prints = ctx.keyring.hmacs("client-secret", credentials.secret ?? "");
  const known = client && (client.kind === "public" ? acceptPublic(credentials) : acceptSecret(ctx, client, prints));
  if (!client || !known)
    throw oauthError("invalid_client", "Client authentication failed.", {
      cause: client && whyNot(client, credentials),
    });
  return client;
}

/** For the developer alone: to the sender of the request all of these look the same. */
function whyNot(client: RegisteredClient, { secret }: Credentials): string {
  if (client.kind === "public")
    return "The application is public: it has no secret, and one was sent. Send its client_id in the body, without a secret.";
  return secret === null
    ? "The application is confidential, and no secret was sent. Check that your program reads its client secret, and send it by HTTP Basic."
    : "The secret is none of the application's live ones. It may be mistyped, deleted or expired.";
}

const acceptPublic = (credentials: Credentials): boolean => credentials.secret === null;

function acceptSecret(ctx: Context, client: RegisteredClient, prints: readonly KeyedHash[]): boolean {
  const now = ctx.now();
  const fitting = client.secrets
    .filter(({ expiresAt }) => expiresAt === null || expiresAt > now)
    .filter((secret) => prints.some(({ hash }) => equal(hash, secret.hash)));
  const [secret] = fitting;
  const [current] = prints;
  if (!secret || !current) return false;
  const before = new Date(now.getTime() - touchMilliseconds);
  if (isDue(secret, current, before))
    ctx.defer(async () => {
      await touchSecret(ctx.database.query, { id: secret.id, print: current, at: now, before });
      ctx.forget({ clientId: client.clientId });
    });
  return true;
}

const isDue = (secret: ClientSecret, current: KeyedHash, before: Date): boolean =>
  secret.hashKeyId !== current.keyId || secret.lastUsedAt === null || secret.lastUsedAt <= before;

function equal(one: string, other: string): boolean {
  const left = Buffer.from(one);
  const right = Buffer.from(other);
  return left.length === right.length && timingSafeEqual(left, right);
}
