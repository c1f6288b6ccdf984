import { gzipSync } from "node:zlib";
import { beforeEach, describe, expect, test } from "vitest";
import type { DnsQuestion } from "#server/testing/dns-server";
import { endpointNetwork } from "#server/testing/endpoint-network";
import { challengeOf, lookForProof, proofRecordName } from "./domain-proof";

const claimed = { clientId: "c".repeat(32), ownerId: "owner", domain: "clerk.example" };
const challenge = challengeOf(claimed);
const foreign = challengeOf({ ...claimed, ownerId: "former owner" });
const { dns, receiver, outside } = await endpointNetwork(claimed.domain);
const look = () => lookForProof(outside, claimed);

/** The host is here, and its TXT records are these. */
const records = (texts: readonly string[]) => (_name: string, type: DnsQuestion) =>
  type === "TXT" ? texts : ["127.0.0.1"];
const answers = (body: string | Buffer, head = "") => {
  const start = `HTTP/1.1 200 OK\r\n${head}Content-Length: ${Buffer.byteLength(body)}\r\n\r\n`;
  receiver.behave((socket) => socket.end(Buffer.concat([Buffer.from(start), Buffer.from(body)])));
};

beforeEach(() => {
  dns.answer(records([]));
  answers("nothing");
});

describe("a TXT record", () => {
  test("proves the domain below its own name, among others and in pieces", async () => {
    dns.answer(records(["v=spf1 -all", "x".repeat(300), ` ${challenge} `]));
    expect((await look()).dns).toEqual({ state: "found", finding: "found" });
    expect(dns.questions()).toContain(`TXT ${proofRecordName(claimed.domain)}`);
  });

  test.each([
    ["of the former owner", [foreign]],
    ["with more text around it", [`${challenge}x`, `old ${challenge}`]],
    ["without the proof, two hundred of them", Array.from({ length: 200 }, (_, n) => `text ${n}`)],
  ])("%s proves nothing", async (_what, texts) => {
    dns.answer(records(texts));
    expect((await look()).dns).toEqual({ state: "missing", finding: "other-text" });
  });

  test("may be an alias: the zone of the domain says so", async () => {
    const alias = { alias: "proofs.host.test", texts: [challenge] };
    dns.answer((_name, type) => (type === "TXT" ? alias : ["127.0.0.1"]));
    expect((await look()).dns.state).toBe("found");
    dns.answer((_name, type) => (type === "TXT" ? { ...alias, texts: [] } : ["127.0.0.1"]));
    expect((await look()).dns).toEqual({ state: "missing", finding: "no-record" });
  });

  test("at the domain itself proves nothing: others may write there", async () => {
    dns.answer((name, type) =>
      type !== "TXT" ? ["127.0.0.1"] : name === claimed.domain ? [challenge] : "no such name",
    );
    expect((await look()).dns).toEqual({ state: "missing", finding: "no-record" });
  });

  test.each([
    ["no such name", "missing", "no-record"],
    ["failure", "unclear", "no-answer"],
    ["refusal", "unclear", "no-answer"],
    ["silence", "unclear", "no-answer"],
    // The answer by TCP never comes.
    ["truncated", "unclear", "no-answer"],
  ] as const)("with the answer %j is %s", async (answer, state, finding) => {
    dns.answer((_name, type) => (type === "TXT" ? answer : ["127.0.0.1"]));
    expect((await look()).dns).toEqual({ state, finding });
  });
});

describe("a file", () => {
  test("proves the domain by one of its lines, fetched by GET without a body", async () => {
    answers(`# Our tools\r\n${foreign}\r\n${challenge}\r\n`);
    expect((await look()).file).toEqual({ state: "found", finding: "found" });
    const [request] = receiver.requests();
    expect(request?.head).toMatch(/^GET \/\.well-known\/adjutant\.txt HTTP\/1\.1\r\n/);
    expect(request?.head.toLowerCase()).not.toMatch(/content-(type|length)|cookie|authorization/);
  });

  test("of forty lines is read to its end", async () => {
    answers(`${`${foreign}\n`.repeat(40)}${challenge}`);
    expect((await look()).file.state).toBe("found");
  });

  test.each<[string, () => void]>([
    ["holds the proof in a longer word", () => answers(`x${challenge} ${challenge}x`)],
    ["holds it beyond 4 kB", () => answers(`${"x ".repeat(3_000)}${challenge}`)],
    ["is packed", () => answers(gzipSync(challenge), "Content-Encoding: gzip\r\n")],
  ])("that %s proves nothing", async (_what, behave) => {
    behave();
    expect((await look()).file).toEqual({ state: "missing", finding: "other-text" });
  });

  test.each([
    [301, "missing"],
    [404, "missing"],
    [429, "unclear"],
    [503, "unclear"],
  ] as const)("with status %i is %s, whatever its body", async (status, state) => {
    receiver.behave((socket) =>
      socket.end(
        `HTTP/1.1 ${status} X\r\nLocation: https://other.test/\r\nContent-Length: ${challenge.length}\r\n\r\n${challenge}`,
      ),
    );
    expect((await look()).file).toEqual({ state, finding: `status-${status}` });
    expect(receiver.connections()).toBe(1);
  });

  test("is not asked of a host inside, which looks like one of no address, and a host that answers differently the second time is asked once", async () => {
    answers(challenge);
    dns.answer((_name, type) => (type === "TXT" ? [] : ["10.0.0.1"]));
    const inside = (await look()).file;
    expect(receiver.connections()).toBe(0);
    dns.answer(() => "no such name");
    expect((await look()).file).toEqual(inside);
    dns.answer((_name, type, asked) =>
      type === "A" ? (asked === 0 ? ["127.0.0.1"] : ["10.0.0.1"]) : [],
    );
    expect((await look()).file.state).toBe("found");
    expect(receiver.connections()).toBe(1);
  });

  test("of a host without an address is missing, and of one that its nameserver cannot name is unclear", async () => {
    dns.answer(() => "no such name");
    expect((await look()).file).toEqual({ state: "missing", finding: "dns" });
    dns.answer(() => "failure");
    expect((await look()).file).toEqual({ state: "unclear", finding: "dns" });
    dns.answer(() => "silence");
    expect((await look()).file).toEqual({ state: "unclear", finding: "dns" });
  });
});

test("for a loopback address only the file is asked for", async () => {
  const local = { ...claimed, domain: "localhost:4123" };
  const { dns: looked } = await lookForProof(outside, local);
  expect(looked).toEqual({ state: "missing", finding: "no-record" });
  expect(dns.questions()).toEqual([]);
});
