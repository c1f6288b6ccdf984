import { type IncomingHttpHeaders, request } from "node:http";

export interface Sent {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  /** Chunked, without a content length. */
  readonly chunked?: boolean;
}

export interface Received {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
}

/**
 * Sends a request that browsers and `fetch` would not: a foreign Host, a GET with a body, a whole
 * URL as the target. Does not follow redirects.
 * @param target the request line's target
 */
export function send(baseUrl: string, target: string, sent: Sent = {}): Promise<Received> {
  const { method = "GET", headers = {}, body, chunked = false } = sent;
  const { port } = new URL(baseUrl);
  const length =
    body === undefined || chunked ? {} : { "content-length": String(Buffer.byteLength(body)) };
  const options = {
    host: "127.0.0.1",
    port,
    method,
    path: target,
    headers: { ...length, ...headers },
    agent: false,
  };
  return new Promise((resolve, reject) => {
    const outgoing = request(options, (answer) => {
      let text = "";
      answer.setEncoding("utf8");
      answer.on("data", (chunk: string) => {
        text += chunk;
      });
      answer.once("end", () =>
        resolve({ status: answer.statusCode ?? 0, headers: answer.headers, text }),
      );
    });
    outgoing.once("error", reject);
    // A body may be refused before it was sent; then the answer counts and write errors do not.
    outgoing.on("response", () => outgoing.removeAllListeners("error").on("error", () => {}));
    if (chunked) outgoing.setHeader("transfer-encoding", "chunked");
    outgoing.end(body);
  });
}
