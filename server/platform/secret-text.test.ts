import { randomBytes } from "node:crypto";
import { expect, test } from "vitest";
import { hasSecretForm, mintSecret } from "./secret-text";

const bytes = (count: number) => new Uint8Array(randomBytes(count));

test("a minted secret is recognised as its own kind and no other", () => {
  const token = mintSecret("access", bytes);
  expect(token).toMatch(/^adj_at_[0-9A-Za-z]{49}$/);
  expect(hasSecretForm("access", token)).toBe(true);
  expect(hasSecretForm("refresh", token)).toBe(false);
});

test("one changed, missing or added character is noticed without a look into the database", () => {
  const token = mintSecret("code", bytes);
  const changed = token.slice(0, 20) + (token[20] === "a" ? "b" : "a") + token.slice(21);
  for (const text of [changed, token.slice(0, -1), `${token}0`, "", "adj_ac_"])
    expect(hasSecretForm("code", text)).toBe(false);
});

test("all 256 bits are carried, smallest and largest alike", () => {
  const low = mintSecret("access", (count) => new Uint8Array(count));
  const high = mintSecret("access", (count) => new Uint8Array(count).fill(255));
  expect(hasSecretForm("access", low)).toBe(true);
  expect(hasSecretForm("access", high)).toBe(true);
  expect(low).not.toBe(high);
});
