import { describe, expect, test } from "vitest";
import { rankEntries, type SearchEntry } from "#app/_parts/search/rank-entries";
import { searchEntries } from "./search-entries";

const clientId = "0123456789abcdef0123456789abcdef";
const entries = searchEntries([
  { clientId, name: "Muster Roll", kind: "public", scopes: [], redirectUri: "" },
]);
const found = (question: string) => rankEntries(entries, question).map(({ href }) => href);

describe("the search finds first", () => {
  test.each([
    ["4004", "/docs/errors/4004"],
    ["InsufficientPermissions", "/docs/errors/4004"],
    ["insufficient fac", "/docs/errors/4007"],
    ["get specific user", "/docs/api/get-specific-user"],
    ["refresh", "/docs/oauth#refresh"],
    ["faction:banking", "/docs/scopes"],
    ["retaliation.opened", "/docs/events/retaliation.opened"],
    ["muster", "/developers/apps/0123456789abcdef0123456789abcdef"],
    ["0123456789abcdef0123456789abcdef", "/developers/apps/0123456789abcdef0123456789abcdef"],
    ["rate limit", "/docs/limits#rates"],
    ["rate limits", "/docs/limits#rates"],
    ["refresh token", "/docs/oauth#refresh"],
    ["PKCE", "/docs/oauth#flow"],
    ["banker", "/docs/factions#rights"],
    ["first call", "/docs#three-commands"],
    ["VERSIONING", "/docs/versioning"],
    ["changelog", "/docs/changelog"],
    ["doctor", "/developers/doctor"],
    ["playground", "/developers/playground"],
    ["vault", "/faction/banking"],
    ["targets", "/faction/targets"],
    ["stocks", "/stocks"],
    ["passkey", "/account/security"],
    ["4nM0m1Zp0s8wC6b1n3kTqB", "/developers/doctor?ask=4nM0m1Zp0s8wC6b1n3kTqB"],
  ])("for %j the page %s", (question, href) => {
    expect(found(question)[0]).toBe(href);
  });
});

test("each word of the question has to be found, whatever stands between them", () => {
  const entry = (title: string, text = ""): SearchEntry => ({
    kind: "guide",
    title,
    href: `/${title}`,
    text,
  });
  const few = [entry("Alpha", "beta"), entry("Alpha beta"), entry("Beta")];
  expect(rankEntries(few, " beta,  ALPHA ").map(({ title }) => title)).toEqual([
    "Alpha beta",
    "Alpha",
  ]);
  expect(rankEntries(few, "alpha gamma")).toEqual([]);
  expect(rankEntries(few, " … ")).toEqual([]);
});

test("no two entries lead to the same place under the same name", () => {
  const named = entries.map(({ title, href }) => `${title} ${href}`);
  expect(new Set(named).size).toBe(named.length);
});
