import { expect, test } from "vitest";
import {
  InvalidAuthenticationInformation,
  InvalidAuthenticationType,
  isFailure,
  NoAuthenticationInformation,
} from "#server/failures";
import { readBearer } from "./request-context";

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
