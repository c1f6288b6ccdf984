import type { Server } from "node:http";
import type { AddressInfo } from "node:net";

/**
 * Listens on a free port.
 * @param later such as `afterAll`; gets a function that closes the server
 */
export async function onLoopback(
  server: Server,
  later?: (close: () => void) => unknown,
): Promise<number> {
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  later?.(() => {
    server.closeAllConnections();
    server.close();
  });
  return (server.address() as AddressInfo).port;
}
