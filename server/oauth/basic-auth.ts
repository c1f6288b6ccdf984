import { oauthError } from "./oauth-error";

// RFC 7235 section 2.1: the scheme is case-insensitive, then at least one space.
const basicForm = /^basic +([A-Za-z0-9+/]+={0,2})$/i;
/** Far above anything that we issue. */
const longestHeader = 1_024;

/**
 * Reads `Authorization: Basic` as RFC 6749 section 2.3.1 has it: both halves form-encoded before they were joined and encoded.
 * Our ids and secrets need no encoding, so clients that leave that step out are understood as well.
 * @throws invalid_client when the header is not that
 */
export function parseBasicAuth(header: string): { clientId: string; secret: string } {
  const encoded = header.length <= longestHeader ? basicForm.exec(header)?.[1] : undefined;
  const text = encoded === undefined ? undefined : decodeBase64(encoded);
  const colon = text?.indexOf(":") ?? -1;
  if (text === undefined || colon < 0) throw malformed();
  return { clientId: formDecode(text.slice(0, colon)), secret: formDecode(text.slice(colon + 1)) };
}

const malformed = () => oauthError("invalid_client", "The Authorization header is not a valid Basic header.");

/** Strict, unlike Buffer: text with a character too many or too few is no encoding of anything. */
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
