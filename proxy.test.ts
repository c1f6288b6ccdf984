import { unstable_doesMiddlewareMatch as passesProxy } from "next/experimental/testing/server";
import { NextRequest } from "next/server";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { config, proxy } from "./proxy";
import { isPage } from "./server/front/secure-page";
import { isMachinePath } from "./server/machine-path";

// The test runner has a BASE_URL of its own in the environment.
beforeAll(() => void vi.stubEnv("BASE_URL", "http://localhost:3000"));
afterAll(() => void vi.unstubAllEnvs());

const answerTo = (path: string, cookie = "", sent: Record<string, string> = {}) =>
  proxy(
    new NextRequest(`http://localhost:3000${path}`, {
      headers: { cookie, "x-request-id": "forged", "x-nonce": "forged", ...sent },
    }),
  );

test.each([
  "/",
  "/sign-in",
  "/consent/1",
  "/oauth/abc/callback",
  "/developers/apps/1",
  "/docs/api",
  "/healthy",
  "/apis",
  "/health",
  "/_next/nothing",
])("%s is a page, and passes here unless the front let it through", (url) => {
  expect(passesProxy({ config, nextConfig: {}, url })).toBe(true);
  expect(isPage(url)).toBe(true);
  expect(
    passesProxy({ config, nextConfig: {}, url, headers: { "x-adjutant-request": "of the front" } }),
  ).toBe(false);
});

test.each([
  "/api",
  "/api/v1/user",
  "/api/openapi.json",
  "/api/trpc/applications.names",
  "/oauth/authorize",
  "/oauth/token",
  "/oauth/revoke",
  "/oauth/introspect",
  "/oauth/metadata",
  "/chat/interactions",
  "/cron/jobs",
  "/faction/events",
  "/.well-known/oauth-authorization-server",
  "/health/live",
  "/_next/static/chunks/a.js",
  "/icon.svg",
])("%s is for machines and costs no proxy", (url) => {
  expect(passesProxy({ config, nextConfig: {}, url })).toBe(false);
  expect(isMachinePath(url) || !isPage(url)).toBe(true);
});

test.each([
  "/.well-known/openid-configuration",
  "/.well-known/oauth-authorization-server/x",
  "/.well-known/oauth-protected-resource",
  "/.WELL-KNOWN/openid-configuration",
  "/API/v1/user",
  "/Api",
  "/api%2fv1/user",
  "/%61pi/v1/user",
  "/%2561pi/v1/user",
  "/api%252Fv1",
  "/oauth/token/",
  "/OAuth/Token",
  "/HEALTH/live",
])("%s is a program's, and leads to the API's own 404", (url) => {
  expect(passesProxy({ config, nextConfig: {}, url })).toBe(true);
  expect(answerTo(url).headers.get("x-middleware-rewrite")).toBe(
    "http://localhost:3000/api/no-such-endpoint",
  );
});

test.each(["/apis", "/ap%69s", "/%zz", "/well-known/x", "/docs/api/v1", "/oauth/api", "/healthy"])(
  "%s is no program's",
  (url) => expect(isMachinePath(url)).toBe(false),
);

test("the nonce is new for every page and stands in the policy of request and answer", () => {
  const policies = [answerTo("/"), answerTo("/")].map((answer) => {
    expect(answer.headers.get("x-middleware-request-content-security-policy")).toBe(
      answer.headers.get("content-security-policy"),
    );
    return answer.headers.get("content-security-policy");
  });
  expect(policies[0]).toMatch(/'nonce-[A-Za-z0-9+/]{22}=='/);
  expect(policies[0]).not.toBe(policies[1]);
});

test("a request id and a nonce that come from outside are overwritten", () => {
  const { headers } = answerTo("/");
  expect(headers.get("x-request-id")).toMatch(/^[0-9A-Za-z]{22}$/);
  expect(headers.get("x-middleware-request-x-request-id")).toBe(headers.get("x-request-id"));
  expect(headers.get("x-middleware-request-x-nonce")).not.toBe("forged");
});

test.each([
  [
    "/developers/doctor?ask=https%3A%2F%2Fa.test%2F%3Fb%3D1%26c",
    "/developers/doctor?ask=https%3A%2F%2Fa.test%2F%3Fb%3D1%26c",
  ],
  ["//evil.test/a?b", "//evil.test/a?b"],
  [`/players?q=${"a".repeat(3_000)}`, "/players"],
  ["/players?q=a&_rsc=1x2y3", "/players?q=a"],
])("%s is told to the page as its own address, whatever the client sent", (path, address) => {
  const answer = answerTo(path, "", { "x-adjutant-page": "https://evil.test" });
  expect(answer.headers.get("x-middleware-request-x-adjutant-page")).toBe(address);
});

test("AZ-49, AZ-50: sign-in and consent may end at any client, other pages at our own address", () => {
  const policyOf = (path: string) => answerTo(path).headers.get("content-security-policy");
  for (const path of ["/sign-in", "/consent/1"])
    expect(policyOf(path)).not.toContain("form-action");
  expect(policyOf("/developers")).toMatch(/form-action 'self' http:\/\/localhost:3000$/);
});

test("AZ-50: the account's forms may lead to the chat that it is linked to, others may not", () => {
  const chat = {
    CHAT_CLIENT_ID: "adjutant",
    CHAT_CLIENT_SECRET: "of the chat",
    CHAT_AUTHORIZE_URL: "https://chat.test/authorize?scope=identify",
    CHAT_TOKEN_URL: "https://token.test/",
    CHAT_USER_URL: "https://user.test/",
  };
  for (const [name, value] of Object.entries(chat)) vi.stubEnv(name, value);
  const policyOf = (path: string) => answerTo(path).headers.get("content-security-policy");
  expect(policyOf("/account")).toMatch(
    /form-action 'self' http:\/\/localhost:3000 https:\/\/chat\.test$/,
  );
  for (const path of ["/", "/account/apps", "/developers"])
    expect(policyOf(path)).not.toContain("chat.test");
  for (const name of Object.keys(chat)) vi.stubEnv(name, "");
  expect(policyOf("/account")).not.toContain("chat.test");
});

test.each([
  ["POST", "/sign-in", "GET, HEAD"],
  ["HEAD", "/sign-in/chat/callback", "GET"],
  ["POST", "/sign-in/chat/callback", "GET"],
  ["GET", "/sign-in/chat", "POST"],
  ["PUT", "/", "GET, HEAD"],
  ["DELETE", "/consent/1", "GET, HEAD"],
  ["GET", "/sign-in/key", "POST"],
  ["HEAD", "/sign-out", "POST"],
])("%s %s is refused with the methods that are allowed", (method, path, allow) => {
  const answer = proxy(new NextRequest(`http://localhost:3000${path}`, { method }));
  expect(answer.status).toBe(405);
  expect(answer.headers.get("allow")).toBe(allow);
});

test("a form target takes a form", () => {
  expect(proxy(new NextRequest("http://localhost:3000/sign-out", { method: "POST" })).status).toBe(
    200,
  );
});
