import { type Server, STATUS_CODES } from "node:http";
import type { Duplex } from "node:stream";
import { strictTransport } from "#server/platform/page-headers";

/** What the parser gave up on, as far as HTTP has a status for it; anything else is 400. */
const statusByCode: Readonly<Record<string, number>> = {
  HPE_HEADER_OVERFLOW: 431,
  HPE_CHUNK_EXTENSIONS_OVERFLOW: 413,
  ERR_HTTP_REQUEST_TIMEOUT: 408,
};

/**
 * Answers what is no HTTP request, or one that this server will never take (CONNECT, upgrades to another protocol), in the
 * API's error shape, and ends the connection. Over https it says with every answer that nobody should come by http.
 */
export function refuseMalformed(server: Server, https: boolean): Server {
  const more = https ? [`Strict-Transport-Security: ${strictTransport}`] : [];
  server.on("clientError", (error: NodeJS.ErrnoException, socket) => {
    // The peer is gone: there is nobody to tell.
    if (error.code === "ECONNRESET" || !socket.writable) return void socket.destroy();
    const status = statusByCode[error.code ?? ""] ?? 400;
    end(socket, { status, message: "The request is not well-formed HTTP, too large, or too slow.", more });
  });
  server.on("connect", (_request, socket) => end(socket, { status: 405, message: "CONNECT is not supported.", more }));
  return server;
}

function end(socket: Duplex, said: { status: number; message: string; more: readonly string[] }): void {
  const { status, message, more } = said;
  const body = JSON.stringify({ code: 0, name: "GeneralError", message });
  const head = [
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
    "Content-Type: application/json",
    `Content-Length: ${Buffer.byteLength(body)}`,
    "Cache-Control: no-store",
    "X-Content-Type-Options: nosniff",
    "Connection: close",
    ...more,
  ];
  socket.end(`${head.join("\r\n")}\r\n\r\n${body}`);
  // A peer that never closes its side must not keep ours.
  socket.once("finish", () => socket.destroy());
}
