import { describe, expect, test } from "vitest";
import { ApplicationChanges, ApplicationInput } from "./contract";

const sound = {
  kind: "confidential",
  name: "Vault helper",
  description: "Pays the vault.",
  emblemSign: "vault",
  emblemColour: "green",
  redirectUris: ["https://client.test/cb"],
  scopes: ["identity", "faction"],
  optionalScopes: ["faction"],
  clientUri: "https://client.test/",
  tosUri: "https://client.test/terms",
  privacyUri: "https://client.test/privacy",
  privacy: {
    data: "Name.",
    use: "Shown.",
    retention: "A day.",
    deletion: "By mail.",
    sharing: "Nobody.",
  },
};

/** The form's sentences by field. */
function faults(differing: object): Record<string, string> {
  const parsed = ApplicationInput.safeParse({ ...sound, ...differing });
  if (parsed.success) return {};
  return Object.fromEntries(
    parsed.error.issues.map((issue) => [issue.path.join("."), issue.message]),
  );
}

test("a complete registration is accepted as it is", () => {
  expect(ApplicationInput.parse(sound)).toEqual(sound);
});

test("an emblem is one of the signs and colours that we ship, and a description one line", () => {
  expect(faults({ emblemSign: "https://evil.test/x.svg", emblemColour: "#fff" })).toEqual({
    emblemSign: "Choose one of the signs.",
    emblemColour: "Choose one of the colours.",
  });
  expect(faults({ description: "two\nlines" })).toHaveProperty("description");
  expect(faults({ description: "x".repeat(121) })).toHaveProperty("description");
});

test("names are trimmed; tags, quotes and any script are text", () => {
  const name = `<b>"Ünï" مرحبا`;
  expect(ApplicationInput.parse({ ...sound, name: `  ${name} ` }).name).toBe(name);
});

describe("PT-01 PT-02 PT-20: each fault is told at its field, in a sentence", () => {
  const addresses = [
    "javascript:alert(1)",
    "data:text/html,x",
    "vbscript:x",
    "file:///etc/passwd",
    "http://client.test",
  ];
  test.each([
    ["kind", { kind: "secret" }],
    ["optionalScopes", { optionalScopes: ["service_key:usage"] }],
    ["optionalScopes.0", { optionalScopes: ["everything"] }],
    ["name", { name: "" }],
    ["name", { name: "   " }],
    ["name", { name: "x".repeat(61) }],
    ["name", { name: "two\nlines" }],
    ["name", { name: "a\0b" }],
    ["name", { name: "half \ud800" }],
    ["name", { name: "\u202Eevil" }],
    ["name", { name: "Bank \u2705" }],
    ["name", { name: "Adjut\u0430nt" }],
    ["privacy.use", { privacy: { ...sound.privacy, use: "\u202Eevil" } }],
    ["name", { name: "\u200B\u200B" }],
    ["name", { name: "\u3164\u2800 \uFFA0" }],
    ["name", { name: "two\u2028lines" }],
    ["tosUri", { tosUri: "https://client.test/\ud800" }],
    ["privacy.use", { privacy: { ...sound.privacy, use: "half \ud800" } }],
    ["name", { name: 7 }],
    [
      "redirectUris",
      { redirectUris: Array.from({ length: 11 }, (_, index) => `https://client.test/${index}`) },
    ],
    [
      "redirectUris",
      { redirectUris: Array.from({ length: 1_000 }, (_, index) => `https://client.test/${index}`) },
    ],
    ["redirectUris.0", { redirectUris: ["http://localhost/cb"] }],
    ["scopes.0", { scopes: ["admin"] }],
    ...["clientUri", "tosUri", "privacyUri"].flatMap((field) =>
      ["client.test", "https://", "https://user:pass@client.test/", ...addresses].map(
        (address): [string, object] => [field, { [field]: address }],
      ),
    ),
    ["privacy.data", { privacy: { ...sound.privacy, data: 7 } }],
    ["privacy.sharing", { privacy: { ...sound.privacy, sharing: "x".repeat(2_001) } }],
    ["privacy.use", { privacy: { ...sound.privacy, use: "a\0b" } }],
  ] as [string, object][])("%s: %j", (field, differing) => {
    const said = faults(differing);
    expect(Object.keys(said)).toEqual([field]);
    expect(said[field]).toMatch(/^[A-Z].*\.$/);
  });
});

test("a redirect URI that is given twice is kept once; contact and protection may stay empty", () => {
  const parsed = ApplicationInput.parse({
    ...sound,
    redirectUris: ["https://client.test/cb", " https://client.test/cb "],
    privacy: { ...sound.privacy, contact: " ", protection: "Encrypted.\nTwice." },
  });
  expect(parsed.redirectUris).toEqual(["https://client.test/cb"]);
  expect(parsed.privacy).toEqual({ ...sound.privacy, protection: "Encrypted.\nTwice." });
});

test("kind and name are enough: the rest is said before other players are asked", () => {
  expect(ApplicationInput.parse({ kind: "confidential", name: "Vault helper" })).toEqual({
    ...{
      kind: "confidential",
      name: "Vault helper",
      redirectUris: [],
      scopes: [],
      optionalScopes: [],
    },
    ...{ clientUri: "", tosUri: "", privacyUri: "", privacy: {} },
    ...{ description: "", emblemSign: null, emblemColour: null },
  });
});

test("no scope is optional unless it is said, and a change is held against the same rule", () => {
  expect(ApplicationInput.parse({ ...sound, optionalScopes: undefined }).optionalScopes).toEqual(
    [],
  );
  expect(
    ApplicationChanges.safeParse({ ...sound, optionalScopes: ["service_key:usage"] }).success,
  ).toBe(false);
});
