import { GeneralError, InvalidContentType, PayloadTooLarge } from "#server/failures";
import type { Peer } from "./peer";

/** Bodies of the API are a handful of fields. */
export const largestBody = 64 * 1_024;

const plain = /^(?:identity)?$/i;
const json = /^application\/json(?:\s*;.*)?$/i;

/**
 * The text of a request's body; empty where there is none. The type is checked before the size, the size before reading; a
 * body without an announced length is known to be one by its first byte.
 * @throws InvalidContentType, PayloadTooLarge, or GeneralError where it is not UTF-8 or ends early
 */
export async function readBody(request: Request, peer: Peer): Promise<string> {
  const { headers } = request;
  if (request.method === "GET" || request.method === "HEAD") {
    if (!peer.oversized && !peer.body?.length) return "";
    refuseUnreadable(headers);
    if (peer.oversized) throw PayloadTooLarge.because();
    return peer.body ? decoded(peer.body) : "";
  }
  const length = headers.get("content-length");
  if (Number(length ?? 0) > 0) refuseUnreadable(headers);
  if (Number(length ?? 0) > largestBody) throw PayloadTooLarge.because();
  if (length !== null && Number(length) === 0) return "";
  return request.body ? decoded(await gather(request.body, () => refuseUnreadable(headers))) : "";
}

/** @throws InvalidContentType where a body with these headers is not plain JSON */
function refuseUnreadable(headers: Headers): void {
  if (!json.test(headers.get("content-type") ?? "")) throw InvalidContentType.because();
  // RFC 9110 section 15.5.16: what nobody undoes is refused by its name, or it would look like broken text.
  if (!plain.test(headers.get("content-encoding") ?? ""))
    throw InvalidContentType.because({ message: "The body must be sent as it is, without a content coding." });
}

async function gather(body: ReadableStream<Uint8Array>, beforeFirst: () => void): Promise<Buffer> {
  const reader = body.getReader();
  const chunks: Uint8Array[] = [];
  let size = 0;
  for (;;) {
    const { done, value } = await reader.read().catch((cause: unknown) => {
      throw GeneralError.because({ message: "The request's body ended early.", cause });
    });
    if (done) return Buffer.concat(chunks);
    try {
      if (size === 0 && value.byteLength > 0) beforeFirst();
      size += value.byteLength;
      if (size > largestBody) throw PayloadTooLarge.because();
    } catch (refusal) {
      reader.cancel().catch(() => {});
      throw refusal;
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
