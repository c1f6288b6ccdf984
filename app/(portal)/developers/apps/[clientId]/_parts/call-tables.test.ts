import { expect, test } from "vitest";
import { describeOAuthAttempt, requestInWords } from "./call-tables";

test("a developer reads how a refused request was authenticated, and with which parameters", () => {
  const fields = ["grant_type", "code"];
  expect(requestInWords({ authorization: "basic-empty-secret", fields, emptyFields: [] })).toBe(
    "Sent: a Basic header with an empty secret; in the body grant_type, code.",
  );
  expect(
    requestInWords({ authorization: "none", fields: [], emptyFields: ["client_secret"] }),
  ).toBe("Sent: no Authorization header; no known parameter; empty: client_secret.");
  expect(requestInWords({ authorization: null, fields: null, emptyFields: null })).toBeUndefined();
});

test.each([
  [
    "token_request.refused",
    "token",
    "invalid_grant",
    "Token request refused",
    "/oauth/token · invalid_grant",
  ],
  [
    "token_request.refused",
    "revoke",
    "invalid_client",
    "Revocation request refused",
    "/oauth/revoke · invalid_client",
  ],
  [
    "token_request.refused",
    "introspect",
    null,
    "Introspection request refused",
    "/oauth/introspect",
  ],
  [
    "authorization.refused",
    null,
    "error_page",
    "Authorization request refused",
    "/oauth/authorize · error page",
  ],
] as const)(
  "%s of %s with %s is called by what was asked for",
  (act, endpoint, error, title, where) => {
    expect(describeOAuthAttempt({ act, endpoint, error })).toEqual({ title, where });
  },
);
