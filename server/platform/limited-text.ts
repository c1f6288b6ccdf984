import type { Readable } from "node:stream";

/**
 * The bytes of a body, or undefined where there are more than `mostBytes`. No more than that is ever held.
 * @param atFirst called before the first byte is kept; what it throws ends the reading
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
  // Not awaited: a sender that floods us may never close either.
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

/**
 * The bytes of a Node stream until the other side has said all, or undefined where there are more than `mostBytes`: the rest is let
 * through unread. The stream stays as it is, where iterating over a socket would close our side of it, too.
 * @throws where it closes before its end
 */
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

/** A request's or an answer's body as text, or undefined where it is larger than `mostBytes`: an announced length is judged unread. */
export async function readLimitedText(
  message: Request | Response,
  mostBytes: number,
): Promise<string | undefined> {
  if (Number(message.headers.get("content-length") ?? 0) > mostBytes) return undefined;
  return (await readLimitedBytes(message.body, mostBytes))?.toString("utf8");
}

/** Bytes as text; undefined where they are not UTF-8. */
export function utf8(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    return undefined;
  }
}
