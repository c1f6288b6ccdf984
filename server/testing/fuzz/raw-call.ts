import { connect } from "node:net";
import type { Dice } from "./dice";
import type { DrawnCall } from "./draw-call";

/** Bytes that no client library would send. */
const bent: readonly ((head: string, dice: Dice) => string)[] = [
  (head) => head.replace("HTTP/1.1", "HTTP/1.0"),
  (head) => head.replace("HTTP/1.1", "HTTP/2.0"),
  (head) => head.replace(" /", "  /"),
  (head) => head.replace(" /", " http://evil.example/"),
  (head) => head.replace(" /", " //evil.example/"),
  (head) => head.replace("\r\n", "\n"),
  (head) => `${head}x-long: ${"a".repeat(20_000)}\r\n`,
  (head) => `${head}host: evil.example\r\n`,
  (head) => `${head}content-length: 3\r\ncontent-length: 4\r\n`,
  (head) => `${head}content-length: 5\r\ntransfer-encoding: chunked\r\n`,
  (head) => `${head}transfer-encoding: chunked, identity\r\n`,
  (head) => `${head} folded: yes\r\n`,
  (head) => `${head}bad header\r\n`,
  (head) => `${head}x-nul: a\0b\r\n`,
  (head) => `${head}${"x: y\r\n".repeat(3_000)}`,
  (head) => `${head}upgrade: websocket\r\nconnection: upgrade\r\n`,
  (head) => `${head}authorization: Bearer other\r\n`,
  (head, dice) => {
    const at = dice.roll(head.length);
    return head.slice(0, at) + String.fromCharCode(dice.roll(256)) + head.slice(at + 1);
  },
  (head, dice) => head.slice(0, dice.roll(head.length)),
];

/** One call in three is no valid HTTP. */
export function bytesOf({ method, path, headers, body, as }: DrawnCall, dice: Dice): Buffer {
  const sent = {
    host: "localhost",
    ...(as && { authorization: `Bearer ${as}` }),
    connection: "close",
    ...headers,
  };
  const length = body === undefined ? "" : `content-length: ${Buffer.byteLength(body)}\r\n`;
  const lines = Object.entries(sent).map(([name, value]) => `${name}: ${value}\r\n`);
  const whole = `${method} ${dice.happens(0.1) ? decoded(path) : path} HTTP/1.1\r\n${lines.join("")}${length}`;
  const head = dice.happens(0.35) ? dice.pick(bent)(whole, dice) : whole;
  return Buffer.concat([
    Buffer.from(`${head}\r\n`, dice.happens(0.5) ? "latin1" : "utf8"),
    Buffer.from(body ?? ""),
  ]);
}

const decoded = (path: string): string => {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
};

/** Milliseconds for an incomplete answer. */
const patience = 1_500;

export function sayRaw(port: number, bytes: Buffer): Promise<string> {
  return new Promise((resolve) => {
    const chunks: Buffer[] = [];
    const socket = connect(port, "127.0.0.1");
    const end = () => {
      socket.destroy();
      resolve(Buffer.concat(chunks).toString("utf8"));
    };
    socket.setTimeout(patience, end);
    socket.on("data", (chunk) => chunks.push(chunk)).on("error", end);
    socket.on("close", end).on("connect", () => socket.write(bytes));
  });
}
