import { GeneralError, InvalidContentType, PayloadTooLarge } from "#server/failures";
import type { Peer } from "./peer";

/** Bodies of the API are a handful of fields. */
export const largestBody = 64 * 1_024;

const plain = /^(?:identity)?$/i;
const json = /^application\/json(?:\s*;.*)?$/i;

/**
 * The text of a request's body; empty where there is none. The type is checked before the size, the size before reading.
 * @throws InvalidContentType, PayloadTooLarge, or GeneralError where it is not UTF-8 or ends early
 */
export async function readBody(request: Request, peer: Peer): Promise<string> {
  const get = request.method === "GET" || request.method === "HEAD";
  if (get && peer.body === undefined && !peer.oversized) return "";
  if (!get && !announced(request)) return "";
  if (!json.test(request.headers.get("content-type") ?? "")) throw InvalidContentType.because();
  // RFC 9110 section 15.5.16: what nobody undoes is refused by its name, or it would look like broken text.
  if (!plain.test(request.headers.get("content-encoding") ?? ""))
    throw InvalidContentType.because({ message: "The body must be sent as it is, without a content coding." });
  if (peer.oversized || Number(request.headers.get("content-length") ?? 0) > largestBody)
    throw PayloadTooLarge.because();
  if (get) return peer.body ? decoded(peer.body) : "";
  return request.body ? decoded(await gather(request.body)) : "";
}

/** Whether a body comes. Asking the request itself is the last resort: on the front it sets a stream up. */
function announced(request: Request): boolean {
  const length = request.headers.get("content-length");
  if (length !== null) return length !== "0";
  return request.headers.has("transfer-encoding") || request.body !== null;
}

async function gather(body: ReadableStream<Uint8Array>): Promise<Buffer> {
  const reader = body.getReader();
  const chunks: Uint8Array[] = [];
  let size = 0;
  for (;;) {
    const { done, value } = await reader.read().catch((cause: unknown) => {
      throw GeneralError.because({ message: "The request's body ended early.", cause });
    });
    if (done) return Buffer.concat(chunks);
    size += value.byteLength;
    if (size > largestBody) {
      reader.cancel().catch(() => {});
      throw PayloadTooLarge.because();
    }
    chunks.push(value);
  }
}

function decoded(bytes: Buffer): string {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    throw GeneralError.because({ message: "The request's body is not UTF-8." });
  }
}
