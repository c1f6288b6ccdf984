import { expect, test } from "vitest";
import type { TypedApplication } from "#app/(portal)/developers/_parts/typed-application";
import { isEdited } from "./unsaved-settings";

const base: TypedApplication & { version: number } = {
  kind: "confidential",
  name: "Vault Keeper",
  description: "",
  emblemSign: null,
  emblemColour: null,
  redirectUris: ["https://a.test/cb", "https://b.test/cb"],
  scopes: ["identity", "faction"],
  optionalScopes: [],
  clientUri: "https://a.test",
  tosUri: "",
  privacyUri: "",
  privacy: { data: "Names." },
  version: 3,
};

test("nothing is edited until a field differs; the order of a list and an absent text are none", () => {
  const { version: _, ...typed } = base;
  expect(isEdited(base, { ...typed, scopes: ["faction", "identity"] })).toBe(false);
  expect(isEdited(base, { ...typed, privacy: { data: "Names.", use: "" } })).toBe(false);
  expect(isEdited(base, { ...typed, privacy: { data: "Names.", sharing: "Nobody." } })).toBe(true);
  expect(isEdited(base, { ...typed, scopes: ["identity"] })).toBe(true);
  expect(isEdited(base, { ...typed, emblemSign: "vault" })).toBe(true);
});
