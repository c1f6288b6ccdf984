import { once } from "node:events";
import { type AddressInfo, createServer, type Server, type Socket } from "node:net";
import { createServer as createTlsServer } from "node:tls";
import { afterAll } from "vitest";

export interface ReceivedRequest {
  /** Request line and headers. */
  readonly head: string;
  readonly body: string;
}

/** Answers with arbitrary bytes on loopback, and records requests. */
export interface RawReceiver {
  readonly port: number;
  behave(how: (socket: Socket, request: ReceivedRequest) => void): void;
  requests(): readonly ReceivedRequest[];
  connections(): number;
  idle(): Promise<void>;
}

/**
 * Closed after the file's last test.
 * @param certificate for TLS
 */
export async function rawReceiver({
  certificate,
  host = "127.0.0.1",
}: {
  certificate?: { key: string; certificate: string };
  host?: string;
} = {}): Promise<RawReceiver> {
  let how: (socket: Socket, request: ReceivedRequest) => void = (socket) => socket.end(plainAnswer);
  let requests: ReceivedRequest[] = [];
  let connections = 0;
  const open = new Set<Socket>();
  const onConnection = (socket: Socket) => {
    open.add(socket);
    connections++;
    // Senders cut the connection in these tests.
    socket.on("error", () => {});
    socket.once("close", () => open.delete(socket));
    readRequest(socket, (request) => {
      requests.push(request);
      how(socket, request);
    });
  };
  const server: Server = certificate
    ? createTlsServer({ key: certificate.key, cert: certificate.certificate }, onConnection)
    : createServer(onConnection);
  server.on("tlsClientError", () => {});
  server.listen(0, host);
  await once(server, "listening");
  afterAll(async () => {
    for (const socket of open) socket.destroy();
    server.close();
    await once(server, "close");
  });
  return {
    port: (server.address() as AddressInfo).port,
    behave: (next) => {
      how = next;
      requests = [];
      connections = 0;
    },
    requests: () => requests,
    connections: () => connections,
    idle: async () => {
      // A reset emits an error before the close.
      for (const socket of open) await new Promise((resolve) => socket.once("close", resolve));
    },
  };
}

export const plainAnswer = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok";

function readRequest(socket: Socket, onRequest: (request: ReceivedRequest) => void): void {
  let received = Buffer.alloc(0);
  const onData = (chunk: Buffer) => {
    received = Buffer.concat([received, chunk]);
    const end = received.indexOf("\r\n\r\n");
    if (end < 0) return;
    const head = received.toString("latin1", 0, end);
    const length = Number(/^content-length: (\d+)$/im.exec(head)?.[1] ?? 0);
    const body = received.subarray(end + 4);
    if (body.length < length) return;
    socket.off("data", onData).resume();
    onRequest({ head, body: body.toString("utf8") });
  };
  socket.on("data", onData);
}
