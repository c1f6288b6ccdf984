import { createSocket } from "node:dgram";
import { Resolver } from "node:dns/promises";
import { once } from "node:events";
import { SocketAddress } from "node:net";
import { afterAll } from "vitest";

/** What a nameserver says to a question; addresses of the other family are no answer to it. */
export type DnsAnswer = readonly string[] | "no such name" | "failure" | "silence";

/** A nameserver on loopback that speaks UDP, and remembers what it was asked. */
export interface DnsServer {
  /** How names are answered from now on. @param asked how often this very question was asked before */
  answer(how: (name: string, type: "A" | "AAAA", asked: number) => DnsAnswer): void;
  /** The questions since the last `answer`, as `A hooks.test`. */
  questions(): readonly string[];
  /** A resolver that asks nobody else. */
  resolver(): Resolver;
}

const [typeA, typeAaaa] = [1, 28];
const headerBytes = 12;

/** Opens one for the test file. Closed after the file's last test. */
export async function dnsServer(): Promise<DnsServer> {
  let how: (name: string, type: "A" | "AAAA", asked: number) => DnsAnswer = () => "no such name";
  let questions: string[] = [];
  const socket = createSocket("udp4");
  socket.on("message", (query, { port, address }) => {
    const { name, type, end } = readQuestion(query);
    const question = `${type} ${name}`;
    const answer = how(name, type, questions.filter((each) => each === question).length);
    questions.push(question);
    if (answer !== "silence") socket.send(writeAnswer(query, end, type, answer), port, address);
  });
  socket.bind(0, "127.0.0.1");
  await once(socket, "listening");
  const { port } = socket.address();
  afterAll(() => socket.close());
  return {
    answer: (next) => {
      how = next;
      questions = [];
    },
    questions: () => questions,
    resolver: () => {
      // As late as it can be (c-ares allows six seconds): what ends a question is to be the attempt's own limit.
      const resolver = new Resolver({ timeout: 600_000, tries: 1 });
      resolver.setServers([`127.0.0.1:${port}`]);
      return resolver;
    },
  };
}

/** RFC 1035 section 4.1.2: labels with their lengths, a zero, type and class. */
function readQuestion(query: Buffer): { name: string; type: "A" | "AAAA"; end: number } {
  const labels: string[] = [];
  let at = headerBytes;
  for (let length = query.readUInt8(at); length > 0; length = query.readUInt8(at)) {
    labels.push(query.toString("latin1", at + 1, at + 1 + length));
    at += length + 1;
  }
  const type = query.readUInt16BE(at + 1) === typeAaaa ? "AAAA" : "A";
  return { name: labels.join("."), type, end: at + 5 };
}

function writeAnswer(
  query: Buffer,
  end: number,
  type: "A" | "AAAA",
  answer: Exclude<DnsAnswer, "silence">,
): Buffer {
  const addresses = Array.isArray(answer)
    ? answer.filter((each) => each.includes(":") === (type === "AAAA"))
    : [];
  const code = answer === "no such name" ? 3 : answer === "failure" ? 2 : 0;
  const header = Buffer.alloc(headerBytes);
  query.copy(header, 0, 0, 2);
  // An answer, with recursion.
  header.writeUInt16BE(0x8180 | code, 2);
  header.writeUInt16BE(1, 4);
  header.writeUInt16BE(addresses.length, 6);
  const records = addresses.map((address) => {
    const data = bytesOf(address);
    const record = Buffer.alloc(headerBytes);
    // The name is that of the question, at byte 12; class IN, no time to live.
    record.writeUInt16BE(0xc000 | headerBytes, 0);
    record.writeUInt16BE(type === "AAAA" ? typeAaaa : typeA, 2);
    record.writeUInt16BE(1, 4);
    record.writeUInt16BE(data.length, 10);
    return Buffer.concat([record, data]);
  });
  return Buffer.concat([header, query.subarray(headerBytes, end), ...records]);
}

function bytesOf(address: string): Buffer {
  if (!address.includes(":")) return Buffer.from(address.split(".").map(Number));
  // Without an embedded IPv4 address, which the wire does not know.
  const plain = new SocketAddress({ address, family: "ipv6" }).address;
  const groups = (text: string) => (text === "" ? [] : text.split(":").flatMap(groupsOf));
  const [front = "", back = ""] = plain.split("::");
  const [before, after] = [groups(front), groups(back)];
  const all = plain.includes("::")
    ? [...before, ...Array(8 - before.length - after.length).fill(0), ...after]
    : before;
  return Buffer.from(all.flatMap((group: number) => [group >> 8, group & 0xff]));
}

function groupsOf(text: string): number[] {
  if (!text.includes(".")) return [Number.parseInt(text, 16)];
  const [a = 0, b = 0, c = 0, d = 0] = text.split(".").map(Number);
  return [(a << 8) | b, (c << 8) | d];
}
