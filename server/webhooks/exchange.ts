import { request as httpRequest, type IncomingMessage } from "node:http";
import type { Socket } from "node:net";
import { networkCode } from "#server/platform/upstream";
import { createDeadline } from "#server/platform/within";
import type { AttemptAnswer } from "./attempt";
import { type Stopped, stopped, stoppedBy } from "./connection";

export interface Exchange {
  readonly url: URL;
  readonly headers: () => Promise<Readonly<Record<string, string>>>;
  /** Without one, the request is a GET. */
  readonly body: string | undefined;
  readonly signal: AbortSignal;
  /** Starts at the status. */
  readonly bodyMs: number;
  readonly onFirstByte: () => void;
}

const largestHeaders = 16 * 1_024;
const largestBody = 4 * 1_024;
/** The only limit of interim answers and empty lines before the status. */
const mostBytes = 64 * 1_024;
const longestExcerpt = 512;
const longestHeaderValue = 100;

/** Uses the checked socket, once. No redirect, retry, decompression or proxy. */
export async function exchange(
  socket: Socket,
  call: Exchange,
): Promise<Omit<AttemptAnswer, "phases"> | Stopped> {
  try {
    const headers = await call.headers();
    if (call.signal.aborted) return stoppedBy(call.signal);
    const response = await readHead(socket, headers, call);
    if ("failure" in response) return response;
    const body = await readBeginning(response, call);
    const header = (name: string) =>
      [response.headers[name] ?? []].flat()[0]?.slice(0, longestHeaderValue) ?? null;
    const encoding = header("content-encoding") ?? "identity";
    return {
      status: response.statusCode ?? 0,
      retryAfter: header("retry-after"),
      delivery: header("webhook-delivery"),
      excerpt: encoding === "identity" ? printable(body, excerptOf(call)) : "",
    };
  } finally {
    socket.destroy();
  }
}

function readHead(
  socket: Socket,
  headers: Readonly<Record<string, string>>,
  { url, body, signal, onFirstByte }: Exchange,
): Promise<IncomingMessage | Stopped> {
  return new Promise((resolve) => {
    let received = 0;
    const settle = (result: IncomingMessage | Stopped) => {
      signal.removeEventListener("abort", onAbort);
      resolve(result);
      if ("failure" in result) request.destroy();
    };
    const onAbort = () => settle(stoppedBy(signal));
    const count = (chunk: Buffer) => {
      if (received === 0) onFirstByte();
      received += chunk.length;
      if (received <= mostBytes) return;
      settle(stopped("too-large"));
      socket.destroy();
    };
    // No agent: no connection is kept or shared, and no proxy of the environment is used.
    const request = httpRequest({
      createConnection: () => socket,
      method: body === undefined ? "GET" : "POST",
      path: url.pathname + url.search,
      setHost: false,
      headers: {
        ...headers,
        host: url.host,
        ...(body !== undefined && { "content-length": Buffer.byteLength(body) }),
        connection: "close",
      },
      maxHeaderSize: largestHeaders,
      insecureHTTPParser: false,
    });
    request.once("socket", () => socket.on("data", count));
    request.once("response", settle);
    request.once("upgrade", () => settle(stopped("invalid-answer")));
    request.on("error", (error) => settle(failureOf(error)));
    request.once("close", () => settle(stopped("connection-lost")));
    signal.addEventListener("abort", onAbort, { once: true });
    request.end(body);
  });
}

function failureOf(error: unknown): Stopped {
  const code = networkCode(error);
  if (code === "ERR_SSL_TLSV13_ALERT_CERTIFICATE_REQUIRED")
    return stopped("certificate-wanted", error);
  if (code === "HPE_HEADER_OVERFLOW") return stopped("too-large", error);
  return stopped(code.startsWith("HPE_") ? "invalid-answer" : "connection-lost", error);
}

/** End, loss and delay of the body are treated alike. */
async function readBeginning(
  response: IncomingMessage,
  { signal, bodyMs }: Exchange,
): Promise<Buffer> {
  const limit = createDeadline(bodyMs, "timeout", signal);
  const stop = () => response.destroy();
  if (limit.signal.aborted) stop();
  limit.signal.addEventListener("abort", stop, { once: true });
  const chunks: Buffer[] = [];
  let size = 0;
  try {
    for await (const chunk of response) {
      chunks.push(chunk.subarray(0, largestBody - size));
      size += chunk.length;
      if (size >= largestBody) break;
    }
  } catch {
  } finally {
    limit.end();
  }
  return Buffer.concat(chunks);
}

/** Of an answer to a GET, the body itself is wanted. */
const excerptOf = ({ body }: Exchange): number =>
  body === undefined ? largestBody : longestExcerpt;

/** Drops control characters, direction overrides and invalid bytes. White space becomes one space. */
function printable(body: Buffer, longest: number): string {
  const text = body
    .toString("utf8")
    .replace(/\s+/g, " ")
    .replace(/[\p{C}\uFFFD]/gu, "");
  return Array.from(text.trim()).slice(0, longest).join("");
}
