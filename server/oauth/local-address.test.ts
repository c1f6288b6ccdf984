import { expect, test } from "vitest";
import { handOnTo } from "./redirect-uri";

const answer = [
  ["code", "adj_ac_x"],
  ["state", "a b&c"],
] as const;

test.each(["http://localhost:3000/callback", "http://127.0.0.1/cb", "http://[::1]:8080", "http://localhost:65535/a/b"])(
  "%s is on this machine",
  (address) => {
    expect(handOnTo(address, answer)).toBe(`${address}?code=adj_ac_x&state=a%20b%26c`);
  },
);

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
  expect(handOnTo(address, answer)).toBeNull();
});
