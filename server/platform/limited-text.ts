/**
 * A request's body as text, or undefined when it is larger than `mostBytes`. No more than that is ever held: an announced
 * length is judged unread, an unannounced one while it is read.
 */
export async function readLimitedText(request: Request, mostBytes: number): Promise<string | undefined> {
  if (Number(request.headers.get("content-length") ?? 0) > mostBytes) return undefined;
  const reader = request.body?.getReader();
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
