import {
  createServer,
  request as httpRequest,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type OutgoingHttpHeaders,
  type ServerResponse,
} from "node:http";
import { Duplex, PassThrough } from "node:stream";

/** Hands a request to the pages. */
export type PageHandler = (request: IncomingMessage, response: ServerResponse) => Promise<void>;

export interface PageReply {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
}

/** Asks for a page in nobody's name: the request has the headers that are given, and no others. */
export type AskPages = (path: string, headers: OutgoingHttpHeaders) => Promise<PageReply>;

/** Milliseconds. */
const longestRendering = 20_000;

/** Asks the pages over connections that exist in this process's memory alone. */
export function createPageClient(pages: PageHandler): AskPages {
  const server = createServer((request, response) => {
    response.setMaxListeners(20);
    pages(request, response).catch(() => response.destroy());
  });
  return (path, headers) =>
    new Promise((resolve, reject) => {
      const signal = AbortSignal.timeout(longestRendering);
      const sent = httpRequest({ path, headers, signal, createConnection: () => connectTo(server) }, (answer) => {
        const parts: Buffer[] = [];
        answer.on("data", (part: Buffer) => parts.push(part)).once("error", reject);
        answer.once("end", () =>
          resolve({ status: answer.statusCode ?? 0, headers: answer.headers, body: Buffer.concat(parts) }),
        );
      });
      sent.once("error", reject).end();
    });
}

/** An HTTP server accepts any stream as a connection, once `connection` is emitted with it. */
function connectTo(server: ReturnType<typeof createServer>): Duplex {
  const [there, back] = [new PassThrough(), new PassThrough()];
  server.emit("connection", Duplex.from({ readable: there, writable: back }));
  return Duplex.from({ readable: back, writable: there });
}
