import { rmSync } from "node:fs";
import { createServer } from "node:https";
import type { AddressInfo } from "node:net";
import { makeAuthority } from "#server/testing/certificates";

/** A client on loopback over TLS with a callback that answers 302 to another address. */
export interface SendingOn {
  readonly site: string;
  /** Queries that the callback received. */
  readonly asked: URLSearchParams[];
  close(): Promise<void>;
}

/** @param next target of the callback's redirect; "" stays on its own page */
export async function openSendingOn(next: (port: number) => string): Promise<SendingOn> {
  const authority = await makeAuthority();
  const names = [
    { type: "dns", value: "localhost" },
    { type: "ip", value: "127.0.0.1" },
  ] as const;
  const { key, certificate } = await authority.issue(names);
  const asked: URLSearchParams[] = [];
  const server = createServer({ key, cert: certificate }, (request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? "/", "https://localhost");
    const { port } = server.address() as AddressInfo;
    if (pathname === "/cb") {
      asked.push(searchParams);
      const location = next(port);
      if (location) return response.writeHead(302, { location }).end();
    }
    response.setHeader("content-type", "text/html");
    response.end(
      `<!doctype html><title>${pathname}</title><h1>${pathname}</h1><script>opener?.postMessage(location.search, "*")</script>`,
    );
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    site: `https://localhost:${port}`,
    asked,
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
      rmSync(authority.folder, { recursive: true, force: true });
    },
  };
}
