import { describe, expect, test } from "vitest";
import { createKeyring } from "#server/platform/keyring";
import { csrfTokenFor, isCrossSite, isCsrfToken, isProvenSameOrigin } from "./csrf";

const baseUrl = "https://adjutant.test";

describe("the token", () => {
  const keyring = createKeyring(["first server secret"]);
  const sessionHash = keyring.hmac("session", "session-1").hash;
  const token = csrfTokenFor(keyring, sessionHash);

  test("is good for its own session alone", () => {
    expect(isCsrfToken(keyring, "session-1", token)).toBe(true);
    expect(isCsrfToken(keyring, "session-2", token)).toBe(false);
    expect(isCsrfToken(keyring, null, token)).toBe(false);
  });

  test("stays good over a change of the server secret, and no longer than the secret it was made under", () => {
    expect(
      isCsrfToken(createKeyring(["second secret", "first server secret"]), "session-1", token),
    ).toBe(true);
    expect(isCsrfToken(createKeyring(["third secret", "second secret"]), "session-1", token)).toBe(
      false,
    );
  });

  test.each([
    ["missing", null],
    ["empty", ""],
    ["cut", token.slice(1)],
    ["altered", `A${token.slice(1)}`],
    ["é", "é"],
  ])("%s is refused (§7 row 4: a token that is absent is no token)", (_what, given) => {
    expect(isCsrfToken(keyring, "session-1", given)).toBe(false);
  });
});

describe("where a request came from (PT-13)", () => {
  test.each<[string, Record<string, string>, { crossSite: boolean; proven: boolean }]>([
    [
      "our own page",
      { origin: baseUrl, "sec-fetch-site": "same-origin" },
      { crossSite: false, proven: true },
    ],
    ["our own page in an older browser", { origin: baseUrl }, { crossSite: false, proven: true }],
    [
      "our own page, which hides its origin",
      { "sec-fetch-site": "same-origin" },
      { crossSite: false, proven: true },
    ],
    ["a program", {}, { crossSite: false, proven: false }],
    ["the address bar", { "sec-fetch-site": "none" }, { crossSite: false, proven: false }],
    [
      "another site",
      { origin: "https://other.test", "sec-fetch-site": "cross-site" },
      { crossSite: true, proven: false },
    ],
    [
      "another site in an older browser",
      { origin: "https://other.test" },
      { crossSite: true, proven: false },
    ],
    [
      "another site that hides its origin",
      { "sec-fetch-site": "cross-site" },
      { crossSite: true, proven: false },
    ],
    [
      "a neighbour below the same domain",
      { "sec-fetch-site": "same-site" },
      { crossSite: true, proven: false },
    ],
    [
      "an opaque origin",
      { origin: "null", "sec-fetch-site": "same-origin" },
      { crossSite: true, proven: false },
    ],
    [
      "our host on plain http",
      { origin: "http://adjutant.test" },
      { crossSite: true, proven: false },
    ],
    [
      "our host on another port",
      { origin: "https://adjutant.test:8443" },
      { crossSite: true, proven: false },
    ],
    [
      "a host that begins like ours",
      { origin: "https://adjutant.test.evil.test" },
      { crossSite: true, proven: false },
    ],
    [
      "headers that disagree",
      { origin: baseUrl, "sec-fetch-site": "cross-site" },
      { crossSite: true, proven: false },
    ],
    [
      "a site that is twice there",
      { origin: `${baseUrl}, ${baseUrl}` },
      { crossSite: true, proven: false },
    ],
  ])("%s", (_what, headers, { crossSite, proven }) => {
    expect(isCrossSite(new Headers(headers), baseUrl)).toBe(crossSite);
    expect(isProvenSameOrigin(new Headers(headers), baseUrl)).toBe(proven);
  });
});
