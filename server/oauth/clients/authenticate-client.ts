import type { Context } from "#server/context";
import { isSameSecret, type KeyedHash } from "#server/platform/keyring";
import { minuteMs } from "#server/platform/time";
import { oauthError, oauthRefusals } from "../oauth-error";
import { touchSecret } from "./secrets/store";
import type { ClientSecret, RegisteredClient } from "./store";

export interface Credentials {
  readonly clientId: string;
  readonly secret: string | null;
}

/** The last use is stored at most once in this time, to save a write per token request. */
const touchMilliseconds = minuteMs;

/** The response never reveals the cause. The endpoint checks for a suspension. */
export function authenticateClient(
  ctx: Context,
  client: RegisteredClient | undefined,
  credentials: Credentials,
): RegisteredClient {
  // The hashes are always computed, so that known and unknown clients take the same time.
  const hashes = ctx.keyring.hmacs("client-secret", credentials.secret ?? "");
  const known =
    client &&
    (client.kind === "public" ? acceptPublic(credentials) : acceptSecret(ctx, client, hashes));
  if (!client || !known)
    throw oauthError("invalid_client", "Client authentication failed.", {
      cause: whyNot(client, credentials),
    });
  return client;
}

function whyNot(client: RegisteredClient | undefined, { secret }: Credentials): string {
  if (!client) return oauthRefusals.clientUnknown.description;
  if (client.kind === "public")
    return "The application is public: it has no secret, and one was sent. Send its client_id in the body, without a secret.";
  return secret === null
    ? "The application is confidential, and no secret was sent. Check that your program reads its client secret, and send it by HTTP Basic."
    : oauthRefusals.secretUnknown.description;
}

const acceptPublic = (credentials: Credentials): boolean => credentials.secret === null;

function acceptSecret(
  ctx: Context,
  client: RegisteredClient,
  [hash = "", ...previous]: readonly string[],
): boolean {
  const now = ctx.now();
  const fitting = client.secrets
    .filter(({ expiresAt }) => expiresAt === null || expiresAt > now)
    .filter((secret) => [hash, ...previous].some((held) => isSameSecret(held, secret.hash)));
  const [secret] = fitting;
  if (!secret) return false;
  const current = { hash, keyId: ctx.keyring.keyIds[0] };
  const before = new Date(now.getTime() - touchMilliseconds);
  if (isDue(secret, current, before))
    ctx.defer(async () => {
      await touchSecret(ctx.database.query, secret.id, { print: current, at: now, before });
      ctx.tokens.forget({ clientId: client.clientId });
    });
  return true;
}

const isDue = (secret: ClientSecret, current: KeyedHash, before: Date): boolean =>
  secret.hashKeyId !== current.keyId || secret.lastUsedAt === null || secret.lastUsedAt <= before;

/**
 * @throws invalid_client, or invalid_request for two ways of authentication (RFC 6749 section 2.3)
 */
export function readCredentials(headers: Headers, form: ReadonlyMap<string, string>): Credentials {
  const header = headers.get("authorization");
  const bodyId = form.get("client_id");
  const bodySecret = form.get("client_secret");
  if (header !== null) {
    if (bodySecret !== undefined)
      throw oauthError(
        "invalid_request",
        "Authenticate once: by the Authorization header, without a client_secret.",
      );
    const basic = readBasicAuth(header);
    if (!basic)
      throw oauthError("invalid_client", "The Authorization header is not a valid Basic header.");
    if (bodyId !== undefined && bodyId !== basic.clientId)
      throw oauthError(
        "invalid_request",
        "The client_id in the body is not the one in the Authorization header.",
      );
    // Common libraries send an empty secret; RFC 6749 section 2.3.1 allows its omission.
    return { clientId: basic.clientId, secret: basic.secret || null };
  }
  if (bodySecret !== undefined)
    throw oauthError(
      "invalid_client",
      "A client_secret in the body is not accepted: use HTTP Basic authentication.",
    );
  if (bodyId === undefined) throw oauthError("invalid_client", "Client authentication is missing.");
  return { clientId: bodyId, secret: null };
}

/** An unproven id, used to show a failed authentication to the developer. */
export const claimedClientId = (
  headers: Headers,
  form: ReadonlyMap<string, string>,
): string | undefined =>
  readBasicAuth(headers.get("authorization") ?? "")?.clientId ?? form.get("client_id");

// RFC 7235 section 2.1: the scheme is case-insensitive, then at least one space.
const basicForm = /^basic +([A-Za-z0-9+/]+={0,2})$/i;
/** Characters. */
const longestHeader = 1_024;

/**
 * RFC 6749 section 2.3.1: both halves are form-encoded first. Our ids and secrets need no encoding,
 * so clients that omit it work too.
 * @returns undefined for a malformed header
 */
export function readBasicAuth(header: string): { clientId: string; secret: string } | undefined {
  const encoded = header.length <= longestHeader ? basicForm.exec(header)?.[1] : undefined;
  if (encoded === undefined) return undefined;
  try {
    const text = decodeBase64(encoded);
    const colon = text.indexOf(":");
    if (colon < 0) return undefined;
    return {
      clientId: formDecode(text.slice(0, colon)),
      secret: formDecode(text.slice(colon + 1)),
    };
  } catch {
    return undefined;
  }
}

/** `Buffer` alone accepts a wrong length or alphabet. @throws if the text is no base64 of UTF-8 */
function decodeBase64(text: string): string {
  const bytes = Buffer.from(text, "base64");
  const unpadded = text.replace(/=+$/, "");
  const isSame = bytes.toString("base64").replace(/=+$/, "") === unpadded;
  if (!isSame || (unpadded !== text && text.length % 4 !== 0)) throw new Error("It is no base64.");
  return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
}

/** @throws URIError */
const formDecode = (text: string): string => decodeURIComponent(text.replaceAll("+", " "));
