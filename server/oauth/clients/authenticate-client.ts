import type { Context } from "#server/context";
import { isSameSecret, type KeyedHash } from "#server/platform/keyring";
import { minuteMs } from "#server/platform/time";
import type { Form } from "../form-body";
import { oauthError } from "../oauth-error";
import type { ClientSecret, RegisteredClient } from "./client";
import { touchSecret } from "./secrets/store";

export interface Credentials {
  readonly clientId: string;
  readonly secret: string | null;
}

/** One minute, to save a write per token request. */
const touchMilliseconds = minuteMs;

/** `invalid_client` never reveals the cause. The endpoint checks for a suspension. */
export function authenticateClient(
  ctx: Context,
  client: RegisteredClient | undefined,
  credentials: Credentials,
): RegisteredClient {
  // Always computed, so that known and unknown clients take the same time.
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
  if (!client) return "The client_id is unknown.";
  if (client.kind === "public")
    return "The application is public: it has no secret, and one was sent. Send its client_id in the body, without a secret.";
  return secret === null
    ? "The application is confidential, and no secret was sent. Check that your program reads its client secret, and send it by HTTP Basic."
    : "The secret is none of the application's live ones. It may be mistyped, deleted or expired.";
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

/** For the developer; never values. */
export interface SentCredentials {
  readonly authorization:
    | "none"
    | "basic"
    | "basic-empty-secret"
    | "basic-malformed"
    | "other-scheme";
  /** Unknown names may be anything, so they are not repeated. */
  readonly fields: readonly string[];
  readonly emptyFields: readonly string[];
}

const protocolFields = [
  "grant_type",
  "client_id",
  "client_secret",
  "code",
  "code_verifier",
  "redirect_uri",
  "refresh_token",
  "scope",
  "token",
  "token_type_hint",
];

/**
 * @throws invalid_client, or invalid_request for two ways of authentication (RFC 6749 section 2.3)
 */
export function readCredentials(headers: Headers, form: Form): Credentials {
  const header = headers.get("authorization");
  const bodyId = form.get("client_id");
  const bodySecret = form.get("client_secret");
  if (header !== null) {
    if (bodySecret !== undefined)
      throw oauthError(
        "invalid_request",
        "Authenticate once: by the Authorization header, without a client_secret.",
      );
    const basic = parseBasicAuth(header);
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

export function describeCredentials(headers: Headers, form: Form): SentCredentials {
  return {
    authorization: describeAuthorization(headers.get("authorization")),
    fields: protocolFields.filter((name) => form.has(name)),
    emptyFields: protocolFields.filter((name) => form.empty.includes(name)),
  };
}

function describeAuthorization(header: string | null): SentCredentials["authorization"] {
  if (header === null) return "none";
  if (!/^basic(?: |$)/i.test(header)) return "other-scheme";
  try {
    return parseBasicAuth(header).secret === "" ? "basic-empty-secret" : "basic";
  } catch {
    return "basic-malformed";
  }
}

/**
 * Unproven. Read even from a bad authentication, so that the developer learns of a secret in the
 * body.
 */
export function claimedClientId(headers: Headers, form: Form): string | undefined {
  const header = headers.get("authorization");
  if (header === null) return form.get("client_id");
  try {
    return parseBasicAuth(header).clientId;
  } catch {
    return form.get("client_id");
  }
}

// RFC 7235 section 2.1: the scheme is case-insensitive, then at least one space.
const basicForm = /^basic +([A-Za-z0-9+/]+={0,2})$/i;
/** Characters. */
const longestHeader = 1_024;

/**
 * RFC 6749 section 2.3.1: both halves are form-encoded first. Ours need no encoding, so clients
 * that omit it work too.
 * @throws invalid_client
 */
export function parseBasicAuth(header: string): { clientId: string; secret: string } {
  const encoded = header.length <= longestHeader ? basicForm.exec(header)?.[1] : undefined;
  const text = encoded === undefined ? undefined : decodeBase64(encoded);
  const colon = text?.indexOf(":") ?? -1;
  if (text === undefined || colon < 0) throw malformed();
  return { clientId: formDecode(text.slice(0, colon)), secret: formDecode(text.slice(colon + 1)) };
}

const malformed = () =>
  oauthError("invalid_client", "The Authorization header is not a valid Basic header.");

/** Buffer accepts a wrong length or alphabet. */
function decodeBase64(text: string): string | undefined {
  const bytes = Buffer.from(text, "base64");
  const unpadded = text.replace(/=+$/, "");
  if (bytes.toString("base64").replace(/=+$/, "") !== unpadded) return undefined;
  if (unpadded !== text && text.length % 4 !== 0) return undefined;
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

function formDecode(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll("+", " "));
  } catch {
    throw malformed();
  }
}
