import { connect } from "node:net";
import type { Readable } from "node:stream";

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

/** Resolves also after a reset, which `once` would treat as a failure. */
export async function untilClosed(stream: Readable): Promise<void> {
  if (!stream.closed) await new Promise((resolve) => stream.once("close", resolve));
}
