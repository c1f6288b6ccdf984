import { expect, test } from "vitest";
import { createKeyring } from "./keyring";

const first = "a first server secret with enough characters in it 0123456789";
const second = "another server secret with enough characters in it 9876543210";

test("an HMAC depends on purpose and secret and never contains the value", () => {
  const keyring = createKeyring([first]);
  const { hash } = keyring.hmac("token", "value");
  expect(hash).not.toBe(keyring.hmac("session", "value").hash);
  expect(hash).not.toBe(createKeyring([second]).hmac("token", "value").hash);
  expect(hash).toMatch(/^[\w-]{43}$/);
});

test("after a change of the server secret both hashes are candidates, the current one first", () => {
  const { hash } = createKeyring([first]).hmac("token", "value");
  const now = createKeyring([second, first]).hmacs("token", "value");
  expect(now).toHaveLength(2);
  expect(now[1]).toBe(hash);
});

test("a sealed value opens with its binding alone, and after a change of the secret", () => {
  const sealed = createKeyring([first]).seal("game-key", "plain", "row 1");
  expect(createKeyring([second, first]).open("game-key", sealed, "row 1")).toBe("plain");
  expect(() => createKeyring([first]).open("game-key", sealed, "row 2")).toThrow();
  expect(() => createKeyring([first]).open("csrf", sealed, "row 1")).toThrow();
  expect(() => createKeyring([second]).open("game-key", sealed, "row 1")).toThrow(/not at hand/);
});

test("sealing the same value twice gives different texts (SC-02)", () => {
  const keyring = createKeyring([first]);
  expect(keyring.seal("game-key", "plain", "row")).not.toBe(
    keyring.seal("game-key", "plain", "row"),
  );
});
