import { once } from "node:events";
import { createServer, type IncomingHttpHeaders, type ServerResponse } from "node:http";
import { Webhook } from "standardwebhooks";
import { onLoopback } from "./on-loopback";

export interface HookRequest {
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly id: string;
  readonly text: string;
  // biome-ignore lint/suspicious/noExplicitAny: tests read bodies of every type
  readonly body: any;
}

type Handler = (request: HookRequest, response: ServerResponse) => void;

/** Plain http on loopback, as on a developer's machine. */
export interface HookReceiver {
  readonly url: string;
  /** Since the last `behave`, in order. */
  requests(): readonly HookRequest[];
  events(): readonly HookRequest[];
  behave(how: Handler): void;
  received(count: number): Promise<void>;
}

/**
 * True if one signature is valid. The library's time check is skipped, because a test's clock
 * differs.
 */
export function isSigned(
  secret: string,
  { text, headers }: Pick<HookRequest, "text" | "headers">,
): boolean {
  const at = new Date(Number(headers["webhook-timestamp"]) * 1_000);
  const right = new Webhook(secret).sign(String(headers["webhook-id"]), at, text);
  return String(headers["webhook-signature"]).split(" ").includes(right);
}

/** Answers a signed verification with its code, a wrong signature with 401. */
export const goodReceiver =
  (secret: () => string): Handler =>
  ({ text, headers, body }, response) => {
    if (!isSigned(secret(), { text, headers })) return response.writeHead(401).end();
    return response.end(body.type === "endpoint.verify" ? body.data.code : "ok");
  };

export async function openHookReceiver(): Promise<HookReceiver & { close(): Promise<void> }> {
  let how: Handler = (_request, response) => response.end("ok");
  let requests: HookRequest[] = [];
  const waiting = new Set<() => void>();
  const server = createServer((request, response) => {
    // Another program on this machine may ask a port that it once knew.
    if (request.method !== "POST") return void response.writeHead(405).end();
    const chunks: Buffer[] = [];
    request.on("data", (chunk) => chunks.push(chunk));
    request.on("error", () => {});
    request.on("end", () => {
      const text = Buffer.concat(chunks).toString("utf8");
      const { headers, url: path = "" } = request;
      const received = {
        path,
        headers,
        id: String(headers["webhook-id"]),
        text,
        body: JSON.parse(text),
      };
      requests.push(received);
      how(received, response);
      for (const look of waiting) look();
    });
  });
  const port = await onLoopback(server);
  const events = () => requests.filter(({ body }) => body.type !== "endpoint.verify");
  return {
    url: `http://127.0.0.1:${port}/hook`,
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
    requests: () => requests,
    events,
    behave: (next) => {
      how = next;
      requests = [];
    },
    received: (count) =>
      new Promise((resolve) => {
        const look = () => {
          if (events().length < count) return;
          waiting.delete(look);
          resolve();
        };
        waiting.add(look);
        look();
      }),
  };
}
