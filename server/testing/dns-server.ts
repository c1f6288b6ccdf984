import { createSocket } from "node:dgram";
import { Resolver } from "node:dns/promises";
import { once } from "node:events";
import dnsPacket from "dns-packet";
import { afterAll } from "vitest";

/** Addresses of the other family are no answer. */
export type DnsAnswer = readonly string[] | "no such name" | "failure" | "silence";

/** UDP on loopback; records its questions. */
export interface DnsServer {
  /** @param asked how often this question was asked before */
  answer(how: (name: string, type: "A" | "AAAA", asked: number) => DnsAnswer): void;
  /** Since the last `answer`, as `A hooks.test`. */
  questions(): readonly string[];
  resolver(): Resolver;
}

/** RFC 1035 section 4.1.1. */
const responseCodes = { found: 0, failure: 2, "no such name": 3 };

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
      // Very late (c-ares allows six seconds), so that only the attempt's own limit ends a
      // question.
      const resolver = new Resolver({ timeout: 600_000, tries: 1 });
      resolver.setServers([`127.0.0.1:${port}`]);
      return resolver;
    },
  };
}
