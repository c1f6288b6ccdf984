import { expect, test } from "vitest";
import {
  InvalidAuthenticationInformation,
  InvalidAuthenticationType,
  isFailure,
  NoAuthenticationInformation,
} from "#server/failures";
import { readBearer } from "./authenticate";
import { acceptsJson } from "./request-context";

test.each(["Bearer abc.DEF-1_~+/==", "bearer abc.DEF-1_~+/==", "BEARER abc.DEF-1_~+/=="])(
  "%s carries a token (BR-06)",
  (header) => expect(readBearer(header)).toEqual({ token: "abc.DEF-1_~+/==" }),
);

test.each([
  [null, NoAuthenticationInformation],
  ["", NoAuthenticationInformation],
  ["Bearer", NoAuthenticationInformation],
  ["Bearer ", NoAuthenticationInformation],
  ["Bearer  x", InvalidAuthenticationInformation],
  ["Bearer a b", InvalidAuthenticationInformation],
  ["Bearer a, Bearer b", InvalidAuthenticationInformation],
  ["Bearer é", InvalidAuthenticationInformation],
  ["Bearer =a", InvalidAuthenticationInformation],
  ["Token x", InvalidAuthenticationType],
  ["Basic YTpi", InvalidAuthenticationType],
  ["Bearerx", InvalidAuthenticationType],
])("%j is refused (BR-01, BR-07)", (header, kind) => {
  const read = readBearer(header);
  expect("failure" in read && isFailure(read.failure, kind)).toBe(true);
});

test.each([
  null,
  "",
  "*/*",
  "application/json",
  "application/json, application/jwt",
  "application/*",
  "text/html, */*;q=0.1",
  "text/html;q=1, application/json; charset=utf-8; q=0.5",
  "APPLICATION/JSON",
])("%j accepts JSON (ER-04)", (accept) => expect(acceptsJson(accept)).toBe(true));

test.each([
  "text/html",
  "application/xml",
  "application/json;q=0",
  "application/json;q=0.0, */*",
  "image/*",
  "application/jwt",
])("%j excludes it (ER-04)", (accept) => expect(acceptsJson(accept)).toBe(false));
