import { connect } from "node:net";
import type { Readable } from "node:stream";

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

/** Resolves when a connection, or an answer on one, is gone, be it by a reset, which `once` takes for a failure. */
export async function untilClosed(stream: Readable): Promise<void> {
  if (!stream.closed) await new Promise((resolve) => stream.once("close", resolve));
}
