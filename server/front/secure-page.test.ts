import { expect, test } from "vitest";
import { contentSecurityPolicy, pageHeaders } from "./secure-page";

const headersOf = (path: string, https = false) =>
  pageHeaders({ path, inline: { nonce: "n" }, formAction: [], https, development: false });

test("a page cannot be framed, sniffed or opened into", () => {
  const headers = headersOf("/");
  expect(headers["X-Frame-Options"]).toBe("DENY");
  expect(headers["Content-Security-Policy"]).toContain("frame-ancestors 'none'");
  expect(headers["X-Content-Type-Options"]).toBe("nosniff");
  expect(headers["Cross-Origin-Opener-Policy"]).toBe("same-origin");
});

test.each(["/consent/1", "/sign-in", "/oauth/abc/callback"])(
  "%s tells no other site where one was, and still sends its origin to us",
  (path) => {
    expect(headersOf(path)["Referrer-Policy"]).toBe("same-origin");
  },
);

test.each(["/consent/1/decision", "/sign-in/key", "/sign-out", "/sign-in/chat/callback"])(
  "%s tells nobody where one was",
  (path) => {
    expect(headersOf(path)["Referrer-Policy"]).toBe("no-referrer");
  },
);

test.each(["/", "/docs", "/consents"])("%s tells other sites its origin at most", (path) => {
  expect(headersOf(path)["Referrer-Policy"]).toBe("strict-origin-when-cross-origin");
});

test("browsers are told to stay on https where the product is served over https, and only there", () => {
  expect(headersOf("/", true)["Strict-Transport-Security"]).toBe("max-age=63072000");
  expect(headersOf("/")).not.toHaveProperty("Strict-Transport-Security");
});

test.each([
  ["/consent/1", true],
  ["/consent/1/decision", true],
  ["/oauth/abc/callback", true],
  ["/sign-in", true],
  ["/sign-in/second-step", true],
  ["/sign-in/key", true],
  ["/sign-in/chat/callback", true],
  ["/confirm", true],
  ["/account", false],
  ["/sign-in-help", false],
  ["/", false],
])("%s may end at any client and keeps the window that opened it: %s", (path, expected) => {
  const headers = headersOf(path);
  expect(directive(headers["Content-Security-Policy"] ?? "", "form-action")).toEqual(
    expected ? undefined : ["'self'"],
  );
  expect(headers["Cross-Origin-Opener-Policy"]).toBe(expected ? undefined : "same-origin");
});

const directive = (policy: string, name: string) =>
  policy
    .split("; ")
    .find((part) => part === name || part.startsWith(`${name} `))
    ?.split(" ")
    .slice(1);

test("scripts run by nonce alone", () => {
  const policy = contentSecurityPolicy({ inline: { nonce: "bm9uY2U=" }, https: true });
  expect(directive(policy, "script-src")).toEqual([
    "'self'",
    "'nonce-bm9uY2U='",
    "'strict-dynamic'",
  ]);
  expect(policy).not.toContain("unsafe-inline");
  expect(policy).not.toContain("unsafe-eval");
});

test.each([
  ["default-src", ["'self'"]],
  ["style-src", ["'self'", "'nonce-n'"]],
  ["img-src", ["'self'", "data:"]],
  ["font-src", ["'self'"]],
  ["connect-src", ["'self'"]],
  ["frame-src", ["'none'"]],
  ["object-src", ["'none'"]],
  ["base-uri", ["'none'"]],
  ["frame-ancestors", ["'none'"]],
  ["form-action", ["'self'"]],
])("%s is %j", (name, sources) => {
  expect(directive(contentSecurityPolicy({ inline: { nonce: "n" }, https: false }), name)).toEqual(
    sources,
  );
});

test("a form may end at the origins that were named, each once, and nowhere else", () => {
  const formAction = ["https://client.test", "https://client.test", "http://127.0.0.1:9000"];
  const policy = contentSecurityPolicy({ inline: { nonce: "n" }, https: false, formAction });
  expect(directive(policy, "form-action")).toEqual([
    "'self'",
    "https://client.test",
    "http://127.0.0.1:9000",
  ]);
});

test("plain http is upgraded where the product is served over https, and only there", () => {
  expect(contentSecurityPolicy({ inline: { nonce: "n" }, https: true })).toMatch(
    /; upgrade-insecure-requests$/,
  );
  expect(contentSecurityPolicy({ inline: { nonce: "n" }, https: false })).not.toContain(
    "upgrade-insecure-requests",
  );
});

test("only the development server may evaluate code and add styles", () => {
  expect(contentSecurityPolicy({ inline: { nonce: "n" }, https: true })).not.toContain("unsafe");
  expect(
    contentSecurityPolicy({ inline: { nonce: "n" }, https: false, development: true }),
  ).toContain("'unsafe-eval'");
});
