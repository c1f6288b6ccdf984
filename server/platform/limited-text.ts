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

/** A request's or an answer's body as text, or undefined where it is larger than `mostBytes`: an announced length is judged unread. */
export async function readLimitedText(message: Request | Response, mostBytes: number): Promise<string | undefined> {
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
