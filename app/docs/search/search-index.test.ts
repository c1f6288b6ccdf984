import { describe, expect, test } from "vitest";
import type { ApplicationChoice } from "#server/oauth/clients/own-applications";
import { parseEnvironment } from "#server/platform/env";
import { createDocsSearch } from "./search-index";

const clientId = "0123456789abcdef0123456789abcdef";
const own: ApplicationChoice[] = [
  { clientId, name: "Muster Roll", kind: "public", scopes: [], redirectUri: "" },
];
const search = createDocsSearch(parseEnvironment({}));
const found = (question: string) => search(question, own).map(({ href }) => href);

describe("the search finds first", () => {
  test.each([
    ["4004", "/docs/errors/4004"],
    ["InsufficientPermissions", "/docs/errors/4004"],
    ["insufficient fac", "/docs/errors/4007"],
    ["get specific user", "/docs/api/get-specific-user"],
    ["refresh", "/docs/oauth#refresh"],
    ["faction:banking", "/docs/scopes#all"],
    ["retaliation.opened", "/docs/events/retaliation.opened"],
    ["muster", "/developers/apps/0123456789abcdef0123456789abcdef"],
    ["0123456789abcdef0123456789abcdef", "/developers/apps/0123456789abcdef0123456789abcdef"],
    ["rate limit", "/docs/limits#rates"],
    ["rate limits", "/docs/limits#rates"],
    ["refresh token", "/docs/oauth#refresh"],
    ["PKCE", "/docs/oauth"],
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
    ["X-RateLimit-Reset", "/docs/api#headers"],
    ["Retry-After", "/docs/api#headers"],
    ["webhook-signature", "/docs/webhooks#receive"],
    ["Last-Event-ID", "/docs/api/list-events"],
    ["invalid_grant", "/docs/oauth#token-errors"],
    ["client_secret in the body", "/docs/oauth#basic"],
    ["window.opener", "/docs/oauth#return"],
    ["key_budget", "/docs/errors/4101"],
    ["factiontid", "/docs/api/get-user"],
    ["refesh", "/docs/oauth#refresh"],
    ["golang oauth2", "/docs/oauth#basic"],
    ["how do I verify a webhook signature", "/docs/webhooks#receive"],
  ])("for %j the page %s", (question, href) => {
    expect(found(question)[0]).toBe(href);
  });

  test.each(["byte order mark", "415 Content-Encoding", "webhook-delivery abort-message"])(
    "for %j the changelog too",
    (question) => {
      expect(search(question, [])).toContainEqual(
        expect.objectContaining({ kind: "change", href: "/docs/changelog#unreleased" }),
      );
    },
  );
});

test("a passage has the words of the question, and is short", () => {
  const [first] = search("Net::OAuth2 Perl", []);
  expect(first?.text).toContain("Perl");
  for (const { text } of search("token", [])) expect(text.length).toBeLessThan(200);
});

test("without a page that has all words, pages with some of them are found; without any, none", () => {
  expect(found("refresh zzzz")).toContain("/docs/oauth#refresh");
  expect(found("zzzz")).toEqual([]);
  expect(found(" … ")).toEqual([]);
});
