import { connect, type Socket } from "node:net";

/** Sends bytes as they are. @returns all that comes back until the server ends the connection */
export function sendRaw(port: number, text: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, "127.0.0.1", () => socket.write(text));
    let answer = "";
    socket.on("data", (chunk) => {
      answer += chunk.toString();
    });
    socket.once("close", () => resolve(answer));
    socket.once("error", reject);
  });
}

/** Resolves when a connection is gone, be it by a reset, which `once` takes for a failure. */
export async function untilClosed(socket: Socket): Promise<void> {
  if (!socket.closed) await new Promise((resolve) => socket.once("close", resolve));
}
