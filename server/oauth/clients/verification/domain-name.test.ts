import { describe, expect, test } from "vitest";
import { challengeOf, isOnDomain, proofFileUrl, proofRecordName, readDomain } from "./domain-proof";

const settings = { baseUrl: "https://adjutant.example", webhookLoopback: "refused" } as const;
const read = (text: string) => readDomain(text, settings);

describe("a domain", () => {
  test.each([
    ["clerk.example", "clerk.example"],
    ["  Clerk.EXAMPLE. ", "clerk.example"],
    ["clerk.example/", "clerk.example"],
    ["tools.clerk.co.uk", "tools.clerk.co.uk"],
    ["bücher.example", "xn--bcher-kva.example"],
    // Cyrillic letters that look like Latin ones are not shown as such.
    ["сlerk.example", "xn--lerk-k6d.example"],
    ["ｃｌｅｒｋ。example", "clerk.example"],
    ["xn--bcher-kva.example", "xn--bcher-kva.example"],
  ])("%j is %s", (typed, domain) => {
    expect(read(typed)).toEqual({ domain });
  });

  test.each([
    [""],
    ["https://clerk.example"],
    ["clerk.example/path"],
    ["clerk.example?x"],
    ["clerk.example#x"],
    ["me@clerk.example"],
    ["clerk.example:8443"],
    ["clerk.example:443"],
    ["clerk"],
    ["co.."],
    [".example"],
    ["clerk..example"],
    ["_adjutant.clerk.example"],
    ["*.clerk.example"],
    ["clerk example.test"],
    ["clerk\n.example"],
    ["clerk.example\0"],
    ["localhost"],
    ["localhost:4000"],
    ["app.localhost"],
    ["printer.local"],
    ["vault.internal"],
    ["1.0.0.10.in-addr.arpa"],
    ["abcdefghij234567.onion"],
    ["127.0.0.1"],
    ["0x7f.1"],
    ["2130706433"],
    ["１２７.0.0.1"],
    ["[::1]"],
    ["169.254.169.254"],
    ["adjutant.example"],
    ["ADJUTANT.example."],
    [`${"a".repeat(64)}.example`],
    [`${"a.".repeat(120)}example`],
    ["xn--\u0661.example"],
  ])("%j is refused, with a sentence", (typed) => {
    expect(read(typed)).toEqual({ why: expect.stringMatching(/^\S.*[.]$/) });
  });

  test("may be a loopback address with its port for development, where the setting allows it", () => {
    const local = { baseUrl: "http://localhost:3000", webhookLoopback: "allowed" } as const;
    expect(readDomain("localhost:4123", local)).toEqual({ domain: "localhost:4123" });
    expect(proofFileUrl("localhost:4123")).toBe("http://localhost:4123/.well-known/adjutant.txt");
    expect(readDomain("clerk.example:4123", local)).toHaveProperty("why");
    expect(readDomain("10.0.0.1", local)).toHaveProperty("why");
  });
});

test("the proof is looked for below the domain, and over https alone", () => {
  expect(proofRecordName("clerk.example")).toBe("_adjutant.clerk.example");
  expect(proofFileUrl("clerk.example")).toBe("https://clerk.example/.well-known/adjutant.txt");
});

test("each application, owner and domain has a proof of its own, which is always the same", () => {
  const one = { clientId: "c".repeat(32), ownerId: "owner", domain: "clerk.example" };
  expect(challengeOf(one)).toMatch(/^adjutant-domain=[\w-]{43}$/);
  const others = [
    one,
    { ...one, clientId: "d".repeat(32) },
    { ...one, ownerId: "other" },
    { ...one, domain: "other.example" },
  ];
  expect(new Set(others.map(challengeOf)).size).toBe(4);
  expect(challengeOf({ ...one })).toBe(challengeOf(one));
});

test("a page is on the domain if its host is the domain or below it", () => {
  expect(isOnDomain("clerk.example", "clerk.example")).toBe(true);
  expect(isOnDomain("www.clerk.example", "clerk.example")).toBe(true);
  expect(isOnDomain("notclerk.example", "clerk.example")).toBe(false);
  expect(isOnDomain("clerk.example.evil.test", "clerk.example")).toBe(false);
  expect(isOnDomain(null, "clerk.example")).toBe(false);
  expect(isOnDomain("clerk.example", null)).toBe(false);
});
