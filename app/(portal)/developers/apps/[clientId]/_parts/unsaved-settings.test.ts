import { expect, test } from "vitest";
import type { TypedApplication } from "#app/(portal)/developers/_parts/typed-application";
import { isEdited, mergeEdits } from "./unsaved-settings";

const base: TypedApplication = {
  kind: "confidential",
  name: "Vault Keeper",
  redirectUris: ["https://a.test/cb", "https://b.test/cb"],
  scopes: ["identity", "faction"],
  optionalScopes: [],
  clientUri: "https://a.test",
  tosUri: "",
  privacyUri: "",
  privacy: {
    data: "Names.",
    use: "",
    retention: "",
    deletion: "",
    sharing: "",
    contact: "",
    protection: "",
  },
};

test("what was saved elsewhere comes in, what was typed here stays", () => {
  const typed = { ...base, name: "Vault Helper" };
  const saved = {
    ...base,
    clientUri: "https://new.test",
    privacy: { ...base.privacy, use: "Shown." },
  };
  const { merged, changes } = mergeEdits(base, typed, saved);
  expect(merged).toEqual({ ...saved, name: "Vault Helper" });
  expect(changes).toEqual([
    { label: "Home page", now: "https://new.test", keptHere: false },
    { label: "Privacy: use", now: "Shown.", keptHere: false },
  ]);
});

test("a text that was changed on both sides stays as typed, and is said to", () => {
  const { merged, changes } = mergeEdits(
    base,
    { ...base, name: "Mine" },
    { ...base, name: "Theirs" },
  );
  expect(merged.name).toBe("Mine");
  expect(changes).toEqual([{ label: "Name", now: "Theirs", keptHere: true }]);
});

test("a redirect URI or a scope that was removed elsewhere does not come back with what was added here", () => {
  const typed: TypedApplication = {
    ...base,
    redirectUris: [...base.redirectUris, "https://c.test/cb"],
    scopes: ["identity", "faction", "service_key:usage"],
  };
  const saved: TypedApplication = {
    ...base,
    redirectUris: ["https://a.test/cb", "https://d.test/cb"],
    scopes: ["identity"],
  };
  const { merged, changes } = mergeEdits(base, typed, saved);
  expect(merged.redirectUris).toEqual([
    "https://a.test/cb",
    "https://d.test/cb",
    "https://c.test/cb",
  ]);
  expect(merged.scopes).toEqual(["identity", "service_key:usage"]);
  expect(changes.map(({ label }) => label)).toEqual(["Redirect URIs", "Scopes"]);
});

test("what was removed here stays removed, and the same change on both sides is no conflict", () => {
  const { merged, changes } = mergeEdits(
    base,
    { ...base, redirectUris: ["https://a.test/cb"], name: "Same" },
    { ...base, name: "Same" },
  );
  expect(merged.redirectUris).toEqual(["https://a.test/cb"]);
  expect(changes).toEqual([{ label: "Name", now: "Same", keptHere: false }]);
});

test("nothing is edited until a field differs; the order of scopes is none", () => {
  expect(isEdited(base, { ...base, scopes: ["faction", "identity"] })).toBe(false);
  expect(isEdited(base, { ...base, privacy: { ...base.privacy, sharing: "Nobody." } })).toBe(true);
  expect(isEdited(base, { ...base, scopes: ["identity"] })).toBe(true);
});
