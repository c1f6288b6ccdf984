import { expect, test } from "vitest";
import { parsePlainOrigin } from "./plain-origin";

test.each([
  "https://client.test",
  "https://client.test:8443",
  "https://a-b.c1.example",
  "https://192.0.2.7",
  "http://localhost:3000",
  "http://127.0.0.1:9000",
  "http://[::1]:9000",
  "https://localhost",
])("%s is a plain origin", (origin) => {
  expect(parsePlainOrigin(origin)).toBe(origin);
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
  expect(parsePlainOrigin(origin)).toBeUndefined();
});
