import { request as httpRequest, type IncomingMessage } from "node:http";
import type { Socket } from "node:net";
import { version } from "#server/platform/env";
import { secondMs } from "#server/platform/time";
import { networkCode } from "#server/platform/upstream";
import { createDeadline } from "#server/platform/within";
import type { Attempt, AttemptAnswer, AttemptFailure, Phases } from "./attempt";
import {
  abortFailureOf,
  type ConnectionFailure,
  connectionFailure,
  createPublicNetwork,
  type Network,
  openSocket,
  resolvePublic,
  resolveTxtRecords,
} from "./connection";
import { type EndpointUrlSettings, readEndpointUrl } from "./endpoint-url";

/** Milliseconds. */
export const attemptLimits = {
  total: 15 * secondMs,
  dns: 2 * secondMs,
  /** TCP and TLS together. */
  connect: 5 * secondMs,
  /** Counted from the status. */
  body: 2 * secondMs,
};
export type AttemptLimits = Readonly<typeof attemptLimits>;

interface OutgoingOptions {
  readonly settings: EndpointUrlSettings;
  readonly network?: Network;
  readonly limits?: AttemptLimits;
  /** Monotonic milliseconds. */
  readonly elapsed?: () => number;
}

interface OutgoingRequest {
  /** The stored URL, which is checked again. */
  readonly url: string;
  /** Without a body, the request is a GET. */
  readonly body?: string;
  /**
   * Called right before the request is written. The call may abort the signal, and its errors are
   * rethrown.
   */
  readonly headers: () =>
    | Readonly<Record<string, string>>
    | Promise<Readonly<Record<string, string>>>;
  readonly signal?: AbortSignal;
}

export type OutboundClient = ReturnType<typeof createOutboundClient>;

/** Sends to hosts that developers choose. A receiver cannot make an attempt throw. */
export function createOutboundClient(options: OutgoingOptions) {
  const {
    settings,
    network = createPublicNetwork(),
    limits = attemptLimits,
    elapsed = () => performance.now(),
  } = options;
  const userAgent = `adjutant/${version} (+${settings.baseUrl})`;

  const send = async (outgoing: OutgoingRequest): Promise<Attempt> => {
    const { url: text, body, headers, signal: ended } = outgoing;
    const watch = startWatch(elapsed);
    const failed = (failure: ConnectionFailure): Attempt => ({
      ...(ended?.aborted ? connectionFailure("aborted") : failure),
      phases: watch.phases(),
    });
    if (ended?.aborted) return failed(connectionFailure("aborted"));
    const read = readEndpointUrl(text, settings);
    if ("why" in read) return failed(connectionFailure("refused-url"));
    const url = new URL(read.url);
    const all = createDeadline(limits.total, "timeout", ended);
    try {
      const addresses =
        localAddresses(url) ??
        (await limited(limits.dns, "dns", all.signal, (signal) =>
          resolvePublic(url.hostname, network, signal),
        ));
      if ("failure" in addresses) return failed(addresses);
      watch.finished("dns");
      const socket = await limited(limits.connect, "connect", all.signal, (signal) =>
        openSocket({
          url,
          addresses,
          network,
          signal,
          limitMs: limits.connect,
          onConnect: () => watch.finished("connect"),
        }),
      );
      if ("failure" in socket) return failed(socket);
      if (url.protocol === "https:") watch.finished("tls");
      const answer = await exchange(socket, {
        url,
        body,
        headers: async () => ({
          "user-agent": userAgent,
          ...(body === undefined ? asPlainText : { "content-type": "application/json" }),
          ...(await headers()),
        }),
        signal: all.signal,
        bodyMs: limits.body,
        onFirstByte: () => watch.finished("firstByte"),
      });
      return "failure" in answer ? failed(answer) : { ...answer, phases: watch.phases() };
    } finally {
      all.end();
    }
  };
  return {
    send,
    /** Returns each TXT record in one piece; none for an unknown name. */
    readTexts: (name: string) =>
      limited(limits.dns, "dns", undefined, (signal) => resolveTxtRecords(name, network, signal)),
  };
}

/** A compressed body is not read. */
const asPlainText = { accept: "text/plain", "accept-encoding": "identity" };

async function limited<T>(
  milliseconds: number,
  reason: AttemptFailure,
  parent: AbortSignal | undefined,
  step: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const { signal, end } = createDeadline(milliseconds, reason, parent);
  return step(signal).finally(end);
}

/** Only loopback URLs may be `http:`, and they need no DNS. */
function localAddresses({ protocol, hostname }: URL): readonly string[] | undefined {
  if (protocol !== "http:") return undefined;
  return hostname === "localhost" ? ["127.0.0.1", "::1"] : [hostname.replace(/^\[|\]$/g, "")];
}

function startWatch(elapsed: () => number) {
  const start = elapsed();
  let last = start;
  const taken: { -readonly [Phase in Exclude<keyof Phases, "total">]: Phases[Phase] } = {
    dns: null,
    connect: null,
    tls: null,
    firstByte: null,
  };
  return {
    finished: (phase: keyof typeof taken) => {
      const now = elapsed();
      taken[phase] = Math.round(now - last);
      last = now;
    },
    phases: (): Phases => ({ ...taken, total: Math.round(elapsed() - start) }),
  };
}

interface Exchange {
  readonly url: URL;
  readonly headers: () => Promise<Readonly<Record<string, string>>>;
  readonly body: string | undefined;
  readonly signal: AbortSignal;
  readonly bodyMs: number;
  readonly onFirstByte: () => void;
}

const largestHeaders = 16 * 1_024;
const largestBody = 4 * 1_024;
/** The HTTP parser does not limit interim answers and empty lines before the status. */
const mostBytes = 64 * 1_024;
const longestExcerpt = 512;
const longestHeaderValue = 100;

/** Uses the checked socket once, without redirects, retries, decompression or a proxy. */
async function exchange(
  socket: Socket,
  call: Exchange,
): Promise<Omit<AttemptAnswer, "phases"> | ConnectionFailure> {
  try {
    const headers = await call.headers();
    if (call.signal.aborted) return abortFailureOf(call.signal);
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
): Promise<IncomingMessage | ConnectionFailure> {
  return new Promise((resolve) => {
    let received = 0;
    const settle = (result: IncomingMessage | ConnectionFailure) => {
      signal.removeEventListener("abort", onAbort);
      resolve(result);
      if ("failure" in result) request.destroy();
    };
    const onAbort = () => settle(abortFailureOf(signal));
    const count = (chunk: Buffer) => {
      if (received === 0) onFirstByte();
      received += chunk.length;
      if (received <= mostBytes) return;
      settle(connectionFailure("too-large"));
      socket.destroy();
    };
    // Without an agent no connection is shared, and no proxy of the environment is used.
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
    request.once("upgrade", () => settle(connectionFailure("invalid-answer")));
    request.on("error", (error) => settle(failureOf(error)));
    request.once("close", () => settle(connectionFailure("connection-lost")));
    signal.addEventListener("abort", onAbort, { once: true });
    request.end(body);
  });
}

function failureOf(error: unknown): ConnectionFailure {
  const code = networkCode(error);
  if (code === "ERR_SSL_TLSV13_ALERT_CERTIFICATE_REQUIRED")
    return connectionFailure("certificate-wanted", error);
  if (code === "HPE_HEADER_OVERFLOW") return connectionFailure("too-large", error);
  return connectionFailure(code.startsWith("HPE_") ? "invalid-answer" : "connection-lost", error);
}

/** A lost or late body counts as ended. */
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

/** More is kept of a GET's answer, because a GET is sent for its body. */
const excerptOf = ({ body }: Exchange): number =>
  body === undefined ? largestBody : longestExcerpt;

/** Removes control characters, direction overrides and invalid bytes. */
function printable(body: Buffer, longest: number): string {
  const text = body
    .toString("utf8")
    .replace(/\s+/g, " ")
    .replace(/[\p{C}\uFFFD]/gu, "");
  return Array.from(text.trim()).slice(0, longest).join("");
}
