import type { IncomingMessage } from "node:http";

/** The body of a GET, which a web-standard Request cannot carry. */
export type GetBody = { readonly body?: Buffer; readonly oversized?: boolean };

/** Reads the body of a GET; undefined where there is none to read, so that the usual case costs nothing. */
export function readGetBody(request: IncomingMessage, mostBytes: number): Promise<GetBody> | undefined {
  const { headers, method } = request;
  if (method !== "GET" && method !== "HEAD") return undefined;
  const length = headers["content-length"];
  if (headers["transfer-encoding"] === undefined && (length === undefined || length === "0")) return undefined;
  if (Number(length ?? 0) > mostBytes) return Promise.resolve({ oversized: true });
  return gather(request, mostBytes);
}

function gather(request: IncomingMessage, mostBytes: number): Promise<GetBody> {
  return new Promise((resolve) => {
    const chunks: Buffer[] = [];
    let size = 0;
    request.on("data", (chunk: Buffer) => {
      size += chunk.length;
      if (size <= mostBytes) chunks.push(chunk);
      // The rest is let through unread; a connection that floods us is ended with the answer.
      else resolve({ oversized: true });
    });
    request.once("end", () => resolve({ body: Buffer.concat(chunks) }));
    request.once("close", () => resolve({}));
  });
}
