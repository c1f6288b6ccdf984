import { describe, expect, test } from "vitest";
import type { ScopeName } from "#server/scopes";
import { consentPromptOf, declinedScopes, findIdentityChange, isOutdated } from "./consent-prompt";

type Asker = Parameters<typeof consentPromptOf>[1];

const client = (
  scopes: ScopeName[],
  optionalScopes: ScopeName[],
  kind: Asker["kind"] = "confidential",
): Asker => ({
  kind,
  ...{ name: "Ledger", ownerId: "owner", redirectUris: ["https://client.test/cb"] },
  scopes,
  optionalScopes,
});
const held = (...scopes: ScopeName[]) => ({
  ...{ scopes, applicationName: "Ledger", redirectHosts: ["client.test"] },
  applicationOwner: "owner",
});
const request = (
  scopes: ScopeName[],
  prompt: Parameters<typeof consentPromptOf>[0]["prompt"] = null,
) => ({
  scopes,
  prompt,
  redirectUri: "https://client.test/cb",
});
const here = { baseUrl: "https://adjutant.example" };
const ledger = client(["identity", "faction:banking"], ["faction:banking"]);

describe("what is asked", () => {
  test("is what no earlier consent covers; a scope covers its parts", () => {
    const crimes = client(["identity", "faction"], []);
    expect(
      consentPromptOf(request(["identity", "faction:crimes"]), crimes, held("faction"), here),
    ).toEqual({
      allowed: ["faction:crimes"],
      asked: ["identity"],
      optional: [],
    });
  });

  test.each(["consent", "login consent"] as const)("is all of it with prompt=%s", (prompt) => {
    const question = consentPromptOf(request(["identity"], prompt), ledger, held("identity"), here);
    expect(question).toEqual({ allowed: [], asked: ["identity"], optional: [] });
  });

  test.each([
    ["the hosted callback", "https://adjutant.example/oauth/c1/callback", ["identity"]],
    [
      "another application's hosted callback",
      "https://adjutant.example/oauth/c2/callback",
      ["identity"],
    ],
    ["plain http", "http://localhost:3000/oauth/c1/callback", ["identity"]],
    ["an https address of its own", "https://client.test/cb", []],
  ])(
    "is all of it for a public client by a page of ours, whatever was allowed before: %s",
    (_, redirectUri, asked) => {
      const open = client(["identity"], [], "public");
      expect(
        consentPromptOf({ ...request(["identity"]), redirectUri }, open, held("identity"), here)
          .asked,
      ).toEqual(asked);
    },
  );
});

describe("an application that changed since the approval", () => {
  const changes = { name: "Other" } as const;
  test.each([
    [
      "another name",
      changes,
      { formerName: "Ledger", newHosts: [], newOwner: false },
      ["identity"],
    ],
    [
      "another owner",
      { ownerId: "other" },
      { formerName: null, newHosts: [], newOwner: true },
      ["identity"],
    ],
    [
      "a new redirect host",
      { redirectUris: ["https://client.test/cb", "https://evil.test/cb"] },
      { formerName: null, newHosts: ["evil.test"], newOwner: false },
      ["identity"],
    ],
    ["another path of its host", { redirectUris: ["https://client.test/b"] }, null, []],
    ["a host less", { redirectUris: [] }, null, []],
  ])("%s", (_, change, changed, asked) => {
    const now = { ...ledger, ...change };
    expect(findIdentityChange(held("identity"), now)).toEqual(changed);
    expect(consentPromptOf(request(["identity"]), now, held("identity"), here).asked).toEqual(
      asked,
    );
  });
});

describe("what may be left out", () => {
  const optionalOf = (asked: ScopeName[], asker: Asker) =>
    consentPromptOf(request(asked), asker, undefined, here).optional;

  test("is what the application marks as optional", () => {
    expect(optionalOf(["identity", "faction:banking"], ledger)).toEqual(["faction:banking"]);
  });

  test("is a part of an optional whole, unless the part is needed by its own name", () => {
    expect(optionalOf(["faction:crimes"], client(["faction"], ["faction"]))).toEqual([
      "faction:crimes",
    ]);
    expect(
      optionalOf(["faction:crimes"], client(["faction", "faction:crimes"], ["faction"])),
    ).toEqual([]);
    expect(optionalOf(["faction:crimes"], client(["faction"], []))).toEqual([]);
  });

  test("is nothing that a needed scope brings along anyway", () => {
    const asker = client(["faction", "faction:crimes"], ["faction:crimes"]);
    expect(optionalOf(["faction", "faction:crimes"], asker)).toEqual([]);
    expect(optionalOf(["faction:crimes"], asker)).toEqual(["faction:crimes"]);
  });
});

describe("AZ-40: an answer", () => {
  const question = consentPromptOf(
    request(["identity", "faction:banking"]),
    ledger,
    undefined,
    here,
  );

  test("never adds a scope, and never takes away a needed one", () => {
    expect(declinedScopes(question, [])).toEqual(["faction:banking"]);
    expect(declinedScopes(question, ["faction:banking"])).toEqual([]);
    expect(declinedScopes(question, ["faction", "service_key:usage", "nonsense"])).toEqual([
      "faction:banking",
    ]);
  });

  test("to a page that showed another question is outdated", () => {
    const shown = { allowed: [], optional: ["faction:banking"] };
    expect(isOutdated(shown, question)).toBe(false);
    expect(isOutdated({ ...shown, allowed: ["identity"] }, question)).toBe(true);
    const needed = consentPromptOf(
      request(["faction:banking"]),
      client(["faction:banking"], []),
      undefined,
      here,
    );
    expect(isOutdated(shown, needed)).toBe(true);
  });
});
