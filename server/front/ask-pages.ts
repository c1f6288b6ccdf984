import {
  createServer,
  request as httpRequest,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type OutgoingHttpHeaders,
  type RequestOptions,
  type Server,
  type ServerResponse,
} from "node:http";
import { Duplex, PassThrough } from "node:stream";
import { buffer } from "node:stream/consumers";
import { within } from "#server/platform/within";

export type PageHandler = (request: IncomingMessage, response: ServerResponse) => Promise<void>;

export interface PageReply {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
}

/** Requests a page without a visitor's headers. */
export type AskPages = (path: string, headers: OutgoingHttpHeaders) => Promise<PageReply>;

/** Milliseconds. */
const longestRendering = 20_000;

/** Over in-memory connections. */
export function createPageClient(pages: PageHandler): AskPages {
  const server = createServer((request, response) => {
    response.setMaxListeners(20);
    pages(request, response).catch(() => response.destroy());
  });
  return (path, headers) =>
    within(longestRendering, (signal) => askPage(server, { path, headers, signal }));
}

const askPage = (server: Server, options: RequestOptions): Promise<PageReply> =>
  new Promise((resolve, reject) => {
    const sent = httpRequest(
      { ...options, createConnection: () => connectTo(server) },
      (answer) => {
        const { statusCode: status = 0, headers } = answer;
        buffer(answer).then((body) => resolve({ status, headers, body }), reject);
      },
    );
    sent.once("error", reject).end();
  });

/** An HTTP server accepts any stream passed to its `connection` event. */
function connectTo(server: Server): Duplex {
  const [there, back] = [new PassThrough(), new PassThrough()];
  server.emit("connection", Duplex.from({ readable: there, writable: back }));
  return Duplex.from({ readable: back, writable: there });
}
