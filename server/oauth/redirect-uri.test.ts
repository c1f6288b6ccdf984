import { describe, expect, test } from "vitest";
import {
  isRedirectUriOf,
  localCallbackUrl,
  whyNotRedirectUri,
  withParameters,
} from "./redirect-uri";

describe("PT-01: what can be registered", () => {
  test.each([
    ["https://client.test/cb"],
    ["https://client.test"],
    ["https://client.test:8443/cb?tenant=a%2Fb&x=1"],
    ["https://xn--bcher-kva.test/"],
    ["https://192.0.2.1/cb"],
    ["https://CLIENT.test:443/cb"],
    ["https://client.test/a@b"],
  ])("%s can", (uri) => {
    expect(whyNotRedirectUri(uri)).toBeUndefined();
  });

  test.each([
    ["", /empty/],
    ["http://client.test/cb", /https/],
    ["http://localhost/cb", /https/],
    ["http://127.0.0.1:3000/cb", /https/],
    ["HTTPS://client.test/cb", /https/],
    ["https://*.client.test/cb", /[Ww]ildcard/],
    ["https://client.test/*", /[Ww]ildcard/],
    ["https://client.test/cb#", /fragment/],
    ["https://client.test/cb#x", /fragment/],
    ["javascript:alert(1)", /https/],
    ["data:text/html,x", /https/],
    ["/cb", /https/],
    ["//client.test/cb", /https/],
    ["client.test/cb", /https/],
    ["https://user@client.test/cb", /user name/],
    ["https://user:pass@client.test/cb", /user name/],
    ["https://@client.test/cb", /user name/],
    ["https://", /valid/],
    ["https:///cb", /valid|https/],
    ["https://client.test/a b", /percent/],
    ["https://client.test/ü", /percent/],
    ["https://client.test\\@evil.test/", /percent/],
    ["https://client.test/\r\nX: 1", /percent/],
    ["https://client.test:99999/", /valid/],
    ["https://client.test/cb?state=1", /cannot have state/],
    ["https://client.test/cb?x=1&%69ss=https://other.test", /cannot have iss/],
    ["https://client.test./cb", /plain name/],
    ["https://my_client.test/cb", /plain name/],
    ["https://-client.test/cb", /plain name/],
    ["https://[2001:db8::1]/cb", /plain name/],
    [`https://client.test/${"x".repeat(5_000)}`, /2000/],
  ])("%j cannot, with a reason", (uri, reason) => {
    expect(whyNotRedirectUri(uri)).toMatch(reason);
  });
});

describe("which redirect URI is an application's", () => {
  const registered = { clientId: "c1", redirectUris: ["https://client.test/cb"] };
  const hosted = "http://localhost:3000/oauth/c1/callback";
  const base = "http://localhost:3000";

  test("the same text, and no other spelling of it", () => {
    const client = registered;
    expect(isRedirectUriOf("https://client.test/cb", client, base)).toBe(true);
    for (const uri of [
      "https://client.test/cb/",
      "https://CLIENT.test/cb",
      "https://client.test:443/cb",
      `${hosted}/`,
    ])
      expect(isRedirectUriOf(uri, client, base)).toBe(false);
  });

  test.each([
    "javascript:alert(1)//",
    "data:text/html,x",
    "http://client.test/cb",
    "http://localhost/cb",
    "https://client.test/cb#x",
    "https://user@client.test/cb",
    "https://*.client.test/cb",
    "/cb",
    "",
  ])("%j is not, though it is stored: it could not be registered", (uri) => {
    expect(isRedirectUriOf(uri, { ...registered, redirectUris: [uri] }, base)).toBe(false);
  });

  test("every application has the hosted callback of its own, also over plain http on loopback", () => {
    const client = registered;
    expect(isRedirectUriOf(hosted, client, base)).toBe(true);
    expect(isRedirectUriOf("http://localhost:3000/oauth/c2/callback", client, base)).toBe(false);
  });
});

test.each([
  ["https://client.test/cb", "https://client.test/cb?code=a%20%26b"],
  ["https://client.test/cb?", "https://client.test/cb?code=a%20%26b"],
  ["https://client.test/cb?x=%2F+y", "https://client.test/cb?x=%2F+y&code=a%20%26b"],
  ["https://client.test/cb?x&", "https://client.test/cb?x&code=a%20%26b"],
])("AZ-06: %s keeps its own query when an answer is appended", (uri, location) => {
  expect(withParameters(uri, [["code", "a &b"]])).toBe(location);
});

const answer = [
  ["code", "adj_ac_x"],
  ["state", "a b&c"],
] as const;

test.each([
  "http://localhost:3000/callback",
  "http://127.0.0.1/cb",
  "http://[::1]:8080",
  "http://localhost:65535/a/b",
])("%s is on this machine", (address) => {
  expect(localCallbackUrl(address, answer)).toBe(`${address}?code=adj_ac_x&state=a%20b%26c`);
});

test.each([
  "https://localhost/cb",
  "http://localhost.evil.test/cb",
  "http://localhost@evil.test/cb",
  "http://evil.test/localhost",
  "http://127.0.0.1.nip.io/cb",
  "http://127.0.0.2/cb",
  "http://localhost:99999/cb",
  "http://localhost:3000/cb?next=https://evil.test",
  "http://localhost:3000/cb#x",
  "http://localhost\\@evil.test/",
  "javascript:alert(1)//http://localhost",
  " http://localhost/cb",
  "http://localhost/cb\n",
  "",
])("nothing is handed on to %j", (address) => {
  expect(localCallbackUrl(address, answer)).toBeNull();
});
