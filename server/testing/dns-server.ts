import { createSocket } from "node:dgram";
import { Resolver } from "node:dns/promises";
import { once } from "node:events";
import dnsPacket from "dns-packet";
import { afterAll } from "vitest";

/** What a nameserver says to a question; addresses of the other family are no answer to it. */
export type DnsAnswer = readonly string[] | "no such name" | "failure" | "silence";

/** A nameserver on loopback that speaks UDP, and remembers what it was asked. */
export interface DnsServer {
  /** How names are answered from now on. @param asked how often this very question was asked before */
  answer(how: (name: string, type: "A" | "AAAA", asked: number) => DnsAnswer): void;
  /** The questions since the last `answer`, as `A hooks.test`. */
  questions(): readonly string[];
  /** A resolver that asks only this server. */
  resolver(): Resolver;
}

/** RFC 1035 section 4.1.1. */
const responseCodes = { found: 0, failure: 2, "no such name": 3 };

/** Opens one for the test file. Closed after the file's last test. */
export async function dnsServer(): Promise<DnsServer> {
  let how: (name: string, type: "A" | "AAAA", asked: number) => DnsAnswer = () => "no such name";
  let questions: string[] = [];
  const socket = createSocket("udp4");
  socket.on("message", (query, { port, address }) => {
    const { id = 0, questions: [asked] = [] } = dnsPacket.decode(query);
    const name = asked?.name ?? "";
    const type = asked?.type === "AAAA" ? "AAAA" : "A";
    const question = `${type} ${name}`;
    const answer = how(name, type, questions.filter((each) => each === question).length);
    questions.push(question);
    if (answer === "silence" || !asked) return;
    const code = responseCodes[typeof answer === "string" ? answer : "found"];
    const addresses = typeof answer === "string" ? [] : answer;
    const reply = dnsPacket.encode({
      ...{ type: "response", id, questions: [asked] },
      flags: dnsPacket.RECURSION_DESIRED | dnsPacket.RECURSION_AVAILABLE | code,
      answers: addresses
        .filter((each) => each.includes(":") === (type === "AAAA"))
        .map((data) => ({ type, name, data, ttl: 0 })),
    });
    socket.send(reply, port, address);
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
