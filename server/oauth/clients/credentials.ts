import { parseBasicAuth } from "../basic-auth";
import type { Form } from "../form-body";
import { oauthError } from "../oauth-error";

/** Who a request to the token endpoint says it comes from. */
export interface Credentials {
  readonly clientId: string;
  /** Null: method `none`. */
  readonly secret: string | null;
}

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
    return basic;
  }
  if (bodySecret !== undefined)
    throw oauthError("invalid_client", "A client_secret in the body is not accepted: use HTTP Basic authentication.");
  if (bodyId === undefined) throw oauthError("invalid_client", "Client authentication is missing.");
  return { clientId: bodyId, secret: null };
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
