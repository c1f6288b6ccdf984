import type { Readable } from "node:stream";

/**
 * Undefined for more than `mostBytes`.
 * @param atFirst called before the first byte is kept; it may throw
 */
export async function readLimitedBytes(
  body: ReadableStream<Uint8Array> | null,
  mostBytes: number,
  atFirst?: () => void,
): Promise<Buffer | undefined> {
  if (!body) return Buffer.alloc(0);
  const reader = body.getReader();
  const chunks: Uint8Array[] = [];
  let size = 0;
  // Not awaited: a flooding sender may never close.
  const letGo = () => void reader.cancel().catch(() => undefined);
  for (let chunk = await reader.read(); !chunk.done; chunk = await reader.read()) {
    if (size === 0 && chunk.value.byteLength > 0 && atFirst)
      try {
        atFirst();
      } catch (refusal) {
        letGo();
        throw refusal;
      }
    size += chunk.value.byteLength;
    if (size > mostBytes) {
      letGo();
      return undefined;
    }
    chunks.push(chunk.value);
  }
  return Buffer.concat(chunks);
}

/** Undefined for more than `mostBytes`. Unlike iteration, this leaves our side of a socket open. */
export function collectLimited(stream: Readable, mostBytes: number): Promise<Buffer | undefined> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let size = 0;
    stream.on("data", (chunk: Buffer) => {
      size += chunk.length;
      if (size <= mostBytes) chunks.push(chunk);
      else resolve(undefined);
    });
    stream.once("end", () => resolve(Buffer.concat(chunks)));
    stream
      .once("error", reject)
      .once("close", () => reject(new Error("The stream closed before its end.")));
  });
}

export async function readLimitedText(
  message: Request | Response,
  mostBytes: number,
): Promise<string | undefined> {
  if (Number(message.headers.get("content-length") ?? 0) > mostBytes) return undefined;
  return (await readLimitedBytes(message.body, mostBytes))?.toString("utf8");
}

export const mediaType = (headers: Headers): string =>
  (headers.get("content-type") ?? "").split(";", 1)[0]?.trim().toLowerCase() ?? "";

export const formMediaType = "application/x-www-form-urlencoded";

export function decodeUtf8(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    return undefined;
  }
}
