/**
 * A request's or an answer's body as text, or undefined when it is larger than `mostBytes`. No more than that is ever held: an announced
 * length is judged unread, an unannounced one while it is read.
 */
export async function readLimitedText(message: Request | Response, mostBytes: number): Promise<string | undefined> {
  if (Number(message.headers.get("content-length") ?? 0) > mostBytes) return undefined;
  const reader = message.body?.getReader();
  if (!reader) return "";
  const chunks: Uint8Array[] = [];
  let size = 0;
  for (let chunk = await reader.read(); !chunk.done; chunk = await reader.read()) {
    size += chunk.value.byteLength;
    if (size > mostBytes) {
      // Not awaited: a peer that floods us may also never let go.
      reader.cancel().catch(() => undefined);
      return undefined;
    }
    chunks.push(chunk.value);
  }
  return Buffer.concat(chunks).toString("utf8");
}
