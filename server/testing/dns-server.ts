import { createSocket } from "node:dgram";
import { Resolver } from "node:dns/promises";
import { once } from "node:events";
import dnsPacket from "dns-packet";
import { afterAll } from "vitest";

/** Addresses of the other family are no answer. "truncated" asks to retry by TCP, which is closed. */
export type DnsAnswer =
  | readonly string[]
  /** A CNAME, with the TXT records there. */
  | { readonly alias: string; readonly texts: readonly string[] }
  | ("no such name" | "failure" | "refusal" | "silence" | "truncated");
/** A TXT answer of several strings has one record for each, cut into pieces of 255 bytes. */
export type DnsQuestion = "A" | "AAAA" | "TXT";

/** UDP on loopback; records its questions. */
export interface DnsServer {
  /** @param asked how often this question was asked before */
  answer(how: (name: string, type: DnsQuestion, asked: number) => DnsAnswer): void;
  /** Since the last `answer`, as `A hooks.test`. */
  questions(): readonly string[];
  resolver(): Resolver;
}

/** RFC 1035 section 4.1.1. */
const responseCodes = { found: 0, truncated: 0, failure: 2, "no such name": 3, refusal: 5 };

export async function dnsServer(): Promise<DnsServer> {
  let how: (name: string, type: DnsQuestion, asked: number) => DnsAnswer = () => "no such name";
  let questions: string[] = [];
  const socket = createSocket("udp4");
  socket.on("message", (query, { port, address }) => {
    const { id = 0, questions: [asked] = [] } = dnsPacket.decode(query);
    const name = asked?.name ?? "";
    const type: DnsQuestion = asked?.type === "AAAA" || asked?.type === "TXT" ? asked.type : "A";
    const question = `${type} ${name}`;
    const answer = how(name, type, questions.filter((each) => each === question).length);
    questions.push(question);
    if (answer === "silence" || !asked) return;
    const code = responseCodes[typeof answer === "string" ? answer : "found"];
    const alias = typeof answer === "object" && "alias" in answer ? answer.alias : undefined;
    const found = typeof answer === "string" ? [] : "alias" in answer ? answer.texts : answer;
    const truncated = answer === "truncated" ? dnsPacket.TRUNCATED_RESPONSE : 0;
    const named = alias ? [{ type: "CNAME" as const, name, data: alias, ttl: 0 }] : [];
    const records =
      type === "TXT"
        ? found.map((text) => ({
            ...{ type, name: alias ?? name, ttl: 0 },
            data: text.match(/.{1,255}/gs) ?? [""],
          }))
        : found
            .filter((data) => data.includes(":") === (type === "AAAA"))
            .map((data) => ({ type, name, data, ttl: 0 }));
    const reply = dnsPacket.encode({
      ...{ type: "response", id, questions: [asked] },
      flags: dnsPacket.RECURSION_DESIRED | dnsPacket.RECURSION_AVAILABLE | truncated | code,
      answers: [...named, ...records],
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
      // Longer than the six seconds of c-ares, so that only the attempt's own limit ends a
      // question.
      const resolver = new Resolver({ timeout: 600_000, tries: 1 });
      resolver.setServers([`127.0.0.1:${port}`]);
      return resolver;
    },
  };
}
