import { formType, mediaType, readLimitedText } from "#server/platform/limited-text";
import { oauthError } from "./oauth-error";

/** Bytes. */
export const maxBodyBytes = 16_384;

/** A parameter without a value is absent (RFC 6749 section 3.2). */
export interface Form extends ReadonlyMap<string, string> {
  readonly empty: readonly string[];
}

/** @throws invalid_request for another content type, a large body or a repeated parameter */
export async function readForm(request: Request): Promise<Form> {
  if (mediaType(request.headers) !== formType)
    throw oauthError("invalid_request", `The body must be sent as ${formType}.`);
  // It would be read as plain text.
  if ((request.headers.get("content-encoding") ?? "identity").trim().toLowerCase() !== "identity")
    throw oauthError("invalid_request", "The body must be sent without a Content-Encoding.", {
      status: 415,
    });
  return parseForm(await readText(request));
}

/** @throws invalid_request for a repeated parameter (RFC 6749 section 3.2) or an array */
export function parseForm(text: string): Form {
  const seen = new Set<string>();
  const form = new Map<string, string>();
  for (const [name, value] of new URLSearchParams(text)) {
    if (seen.has(name)) throw oauthError("invalid_request", "A parameter is given more than once.");
    if (name.endsWith("]"))
      throw oauthError("invalid_request", "Parameters cannot be arrays or objects.");
    seen.add(name);
    if (value !== "") form.set(name, value);
  }
  return Object.assign(form, { empty: [...seen].filter((name) => !form.has(name)) });
}

async function readText(request: Request): Promise<string> {
  const length = request.headers.get("content-length");
  if (length !== null) {
    if (Number(length) > maxBodyBytes) throw tooLarge();
    // The server reads no more than that length.
    return request.text().catch(endedEarly);
  }
  const text = await readLimitedText(request, maxBodyBytes).catch(endedEarly);
  if (text === undefined) throw tooLarge();
  return text;
}

/** The client disconnected: not a server failure. */
function endedEarly(): never {
  throw oauthError("invalid_request", "The request's body ended early.");
}

const tooLarge = () =>
  oauthError("invalid_request", "The body is larger than 16 KB.", { status: 413 });
