import { parseBasicAuth } from "../basic-auth";
import type { Form } from "../form-body";
import { oauthError } from "../oauth-error";

/** Who a request to the token endpoint says it comes from. */
export interface Credentials {
  readonly clientId: string;
  /** Null: method `none`. */
  readonly secret: string | null;
}

/** How a request authenticated and which parameters it had, never their values. Its developer reads it. */
export interface SentCredentials {
  readonly authorization: "none" | "basic" | "basic-empty-secret" | "basic-malformed" | "other-scheme";
  /** Parameters of the protocol that had a value. Names that it does not know may be anything, so they are not repeated. */
  readonly fields: readonly string[];
  /** Those that came without one. */
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
 * Reads the client authentication of a request: `client_secret_basic`, or `none` with `client_id` in the body.
 * @throws invalid_client, or invalid_request where a client authenticates in two ways (RFC 6749 section 2.3)
 */
export function readCredentials(headers: Headers, form: Form): Credentials {
  const header = headers.get("authorization");
  const bodyId = form.get("client_id");
  const bodySecret = form.get("client_secret");
  if (header !== null) {
    if (bodySecret !== undefined)
      throw oauthError("invalid_request", "Authenticate once: by the Authorization header, without a client_secret.");
    const basic = parseBasicAuth(header);
    if (bodyId !== undefined && bodyId !== basic.clientId)
      throw oauthError("invalid_request", "The client_id in the body is not the one in the Authorization header.");
    // Widely used libraries send an empty secret for public clients; RFC 6749 section 2.3.1 lets an empty one be left out.
    return { clientId: basic.clientId, secret: basic.secret || null };
  }
  if (bodySecret !== undefined)
    throw oauthError("invalid_client", "A client_secret in the body is not accepted: use HTTP Basic authentication.");
  if (bodyId === undefined) throw oauthError("invalid_client", "Client authentication is missing.");
  return { clientId: bodyId, secret: null };
}

/** What the request was authenticated with, for its developer. */
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
 * Whose request it says it is, however badly it authenticates: so that the developer reads of a secret in the body, too.
 * @returns an id that nothing proves
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
