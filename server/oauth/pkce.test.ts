import { createHash } from "node:crypto";
import { expect, test } from "vitest";
import { isCodeChallenge, verifierFits } from "./pkce";

// The example of RFC 7636, appendix B.
const verifier = "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk";
const challenge = "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM";

test("the verifier of the RFC's example fits its challenge, and nothing else does", () => {
  expect(verifierFits(verifier, challenge)).toBe(true);
  for (const other of [challenge, `${verifier}x`, verifier.slice(1), verifier.toLowerCase()])
    expect(verifierFits(other, challenge)).toBe(false);
});

test.each([
  "",
  "a".repeat(42),
  "a".repeat(129),
  `${"a".repeat(42)}+`,
  `${"a".repeat(42)}/`,
  `${"a".repeat(42)}=`,
  "ä".repeat(43),
])("TK-24: %j is no verifier of anything, not even of the challenge that is made of it", (text) => {
  expect(verifierFits(text, createHash("sha256").update(text).digest("base64url"))).toBe(false);
});

test.each([
  [challenge, true],
  ["", false],
  [`${challenge}=`, false],
  [challenge.slice(1), false],
  [`${challenge.slice(1)}+`, false],
])("%j as a challenge: %s", (text, sound) => {
  expect(isCodeChallenge(text)).toBe(sound);
});
