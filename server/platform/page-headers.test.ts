import { expect, test } from "vitest";
import { endsAtClient, pageHeaders } from "./page-headers";

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
  ["/sign-in", true],
  ["/consent/42", true],
  ["/", false],
  ["/developers", false],
  ["/sign-in-help", false],
])("forms of %s may end at a client: %s", (path, expected) => {
  expect(endsAtClient(path)).toBe(expected);
});
