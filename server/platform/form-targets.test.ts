import { readdirSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import {
  allowedMethods,
  formTargets,
  isFormTarget,
  parseFormOrigin,
  parseFormOrigins,
  returnTargets,
  withFormOrigin,
} from "./form-targets";

const app = path.join(import.meta.dirname, "../../app");

test("every route file of the portal is the target of a form or of a way back, and every target has one", () => {
  const routes = readdirSync(app, { recursive: true, encoding: "utf8" })
    .filter(
      (file) =>
        path.basename(file) === "route.ts" &&
        !/^(api|oauth|health|chat|cron|faction\/events)\/|\.json\/route/.test(file),
    )
    .map((file) =>
      `/${path.dirname(file)}`.replaceAll(/\/\([^)]+\)/g, "").replaceAll(/\[[^\]]+\]/g, "*"),
    );
  expect(routes.sort()).toEqual([...formTargets, ...returnTargets].sort());
});

test.each([
  ["/sign-in/key", ["POST"]],
  ["/consent/7b1f/decision", ["POST"]],
  ["/sign-in/chat", ["POST"]],
  ["/sign-in/chat/callback", ["GET"]],
  ["/sign-in", ["GET", "HEAD"]],
  ["/consent/7b1f", ["GET", "HEAD"]],
  ["/consent/7b1f/x/decision", ["GET", "HEAD"]],
  ["/sign-out/", ["GET", "HEAD"]],
  ["/", ["GET", "HEAD"]],
])("%s can be asked with %j", (target, methods) => {
  expect(allowedMethods(target)).toEqual(methods);
  expect(isFormTarget(target)).toBe(methods.includes("POST"));
});

test.each([
  "https://client.test",
  "https://client.test:8443",
  "https://a-b.c1.example",
  "https://192.0.2.7",
  "http://localhost:3000",
  "http://127.0.0.1:9000",
  "http://[::1]:9000",
  "https://localhost",
])("%s is a place where a form may end", (origin) => {
  expect(parseFormOrigin(origin)).toBe(origin);
});

test.each([
  "",
  "null",
  "client.test",
  "http://client.test",
  "https://client.test/",
  "https://client.test/path",
  "https://client.test:443",
  "https://CLIENT.test",
  "https://user@client.test",
  "https://*.client.test",
  "https://*",
  "https:",
  "https://client.test; script-src *",
  "https://client.test 'unsafe-inline'",
  "https://client.test,https://b.test",
  "https://client.test\r\nX: y",
  "https://client_test.example",
  "https://xn--bücher.test",
  "https://[2001:db8::1]",
  "http://127.0.0.1.evil.test",
  "http://localhost.evil.test",
  "javascript:alert(1)",
  "data:text/html,x",
  "ftp://client.test",
  `https://${"a".repeat(260)}.test`,
])("%j is not", (origin) => {
  expect(parseFormOrigin(origin)).toBeUndefined();
});

test("whatever a cookie holds, only allowed origins come out", () => {
  expect(
    parseFormOrigins("https://a.test|*|https://b.test; x|https://a.test|http://c.test"),
  ).toEqual(["https://a.test"]);
  expect(parseFormOrigins(undefined)).toEqual([]);
});

test("a request that is saved adds its origin and keeps those of the other tabs", () => {
  expect(withFormOrigin(undefined, "https://a.test/callback?x=1")).toBe("https://a.test");
  expect(withFormOrigin("https://a.test", "https://b.test/cb")).toBe(
    "https://b.test|https://a.test",
  );
  expect(withFormOrigin("https://b.test|https://a.test", "https://a.test/cb")).toBe(
    "https://a.test|https://b.test",
  );
});

test("the cookie stays small: the oldest origin is dropped", () => {
  let value = "";
  for (const name of "abcdefgh") value = withFormOrigin(value, `https://${name}.test/`);
  expect(value.split("|")).toEqual([
    "https://h.test",
    "https://g.test",
    "https://f.test",
    "https://e.test",
    "https://d.test",
    "https://c.test",
  ]);
});
