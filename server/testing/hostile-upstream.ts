import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll } from "vitest";

export type Behaviour = (request: IncomingMessage, response: ServerResponse) => void;

export interface HostileUpstream {
  readonly url: string;
  behave(how: Behaviour): void;
  /** Since the last `behave`. */
  seen(): number;
  /** Ends all connections, and accepts none until `open`. */
  shut(): Promise<void>;
  open(): Promise<void>;
}

export async function hostileUpstream(): Promise<HostileUpstream> {
  let how: Behaviour = (_request, response) => response.end();
  let seen = 0;
  const server = createServer((request, response) => {
    seen++;
    // A caller that gives up is no fault of the upstream.
    response.on("error", () => {});
    how(request, response);
  });
  const listen = async (port: number) => {
    server.listen(port, "127.0.0.1");
    await once(server, "listening");
    return (server.address() as AddressInfo).port;
  };
  const shut = async () => {
    if (!server.listening) return;
    const closed = once(server, "close");
    server.close();
    server.closeAllConnections();
    await closed;
  };
  const port = await listen(0);
  afterAll(shut);
  return {
    url: `http://127.0.0.1:${port}`,
    behave: (next) => {
      how = next;
      seen = 0;
    },
    seen: () => seen,
    shut,
    open: async () => {
      if (!server.listening) await listen(port);
    },
  };
}
