import { Agent, request as httpRequest, type IncomingHttpHeaders, type OutgoingHttpHeaders } from "node:http";
import { pipeline } from "node:stream";
import type { PageHandler } from "./ask-pages";

/** They concern one connection (RFC 9110 section 7.6.1), and there are two of them. */
const ofConnection: ReadonlySet<string> = new Set([
  ...["connection", "keep-alive", "proxy-connection", "te", "trailer", "transfer-encoding", "upgrade"],
]);

const passed = (headers: IncomingHttpHeaders): OutgoingHttpHeaders =>
  Object.fromEntries(Object.entries(headers).filter(([name]) => !ofConnection.has(name)));

/**
 * Hands requests to another process over a Unix socket, and its answers back.
 * @param socket where it listens; undefined while nobody does
 * @param refuse answers in place of a process that cannot be reached or ends before it has answered
 */
export function passOn(
  socket: () => string | undefined,
  refuse: (...call: Parameters<PageHandler>) => void,
): PageHandler {
  const agent = new Agent({ keepAlive: true });
  return (request, response) =>
    new Promise((resolve) => {
      const socketPath = socket();
      const fail = () => {
        if (response.headersSent) response.destroy();
        else if (!response.closed) refuse(request, response);
        resolve();
      };
      if (socketPath === undefined) return fail();
      const { method, url: path, headers } = request;
      const sent = httpRequest({ socketPath, agent, method, path, headers: passed(headers) }, (answer) => {
        response.writeHead(answer.statusCode ?? 502, passed(answer.headers));
        pipeline(answer, response, () => resolve());
      });
      sent.once("error", fail);
      // Its reader left: nobody wants the rest.
      response.once("close", () => sent.destroy());
      request.pipe(sent);
    });
}
