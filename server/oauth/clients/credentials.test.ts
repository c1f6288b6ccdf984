import { expect, test } from "vitest";
import { parseForm } from "../form-endpoint";
import { isOAuthError } from "../oauth-error";
import { readBasicAuth, readCredentials } from "./authenticate-client";

const header = (text: string | Uint8Array) => `Basic ${Buffer.from(text).toString("base64")}`;

test.each([
  [header("id:secret"), "id", "secret"],
  [header("id:"), "id", ""],
  [header("id:a:b"), "id", "a:b"],
  [header("a%3Ab:%2Dx%5F%7E"), "a:b", "-x_~"],
  [header("a+b:c%2Bd"), "a b", "c+d"],
  [header("ünï:ß"), "ünï", "ß"],
  // A byte order mark is part of the id.
  [header("\uFEFFid:secret"), "\uFEFFid", "secret"],
  [header("id:secret").replace(/=+$/, ""), "id", "secret"],
  [header("id:secret").replace("Basic ", "bAsIc   "), "id", "secret"],
])("TK-18: %s is read", (text, clientId, secret) => {
  expect(readBasicAuth(text)).toEqual({ clientId, secret });
});

test.each([
  "",
  "Basic",
  "Basic ",
  "Basic a",
  "Bearer aWQ6c2VjcmV0",
  "Basic aWQ6c2VjcmV0 aWQ6c2VjcmV0",
  "Basic aWQ6c2VjcmV0!",
  "Basic aWQ6c2Vj=cmV0",
  "BasicaWQ6c2VjcmV0",
  header("no colon"),
  header("id:%zz"),
  header("%e4:x"),
  header(new Uint8Array([0x69, 0x3a, 0xff])),
  `${header("id:secret!")}=`,
  header(`id:${"x".repeat(2_000)}`),
])("TK-12: %j is refused", (text) => {
  expect(readBasicAuth(text)).toBeUndefined();
  const headers = new Headers({ Authorization: text });
  try {
    readCredentials(headers, parseForm(""));
    expect.unreachable();
  } catch (thrown) {
    expect(isOAuthError(thrown) && thrown.word).toBe("invalid_client");
  }
});
