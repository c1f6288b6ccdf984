import { expect, test } from "vitest";
import { emptyDraft } from "./application-draft";
import { mergeDrafts } from "./merge-drafts";

const base = {
  ...emptyDraft,
  kind: "confidential" as const,
  name: "Vault Keeper",
  redirectUris: "https://a.test/cb\nhttps://b.test/cb",
  scopes: ["identity", "faction"] as const,
  clientUri: "https://a.test",
  privacy: { ...emptyDraft.privacy, data: "Names." },
};

test("what was saved elsewhere comes in, what was typed here stays", () => {
  const typed = { ...base, name: "Vault Helper" };
  const saved = { ...base, clientUri: "https://new.test", privacy: { ...base.privacy, use: "Shown." } };
  const { draft, changes } = mergeDrafts(base, typed, saved);
  expect(draft).toEqual({ ...saved, name: "Vault Helper" });
  expect(changes).toEqual([
    { label: "Home page", now: "https://new.test", keptHere: false },
    { label: "Privacy: use", now: "Shown.", keptHere: false },
  ]);
});

test("a text that was changed on both sides stays as typed, and is said to", () => {
  const { draft, changes } = mergeDrafts(base, { ...base, name: "Mine" }, { ...base, name: "Theirs" });
  expect(draft.name).toBe("Mine");
  expect(changes).toEqual([{ label: "Name", now: "Theirs", keptHere: true }]);
});

test("a redirect URI or a scope that was removed elsewhere does not come back with what was added here", () => {
  const typed = {
    ...base,
    redirectUris: `${base.redirectUris}\nhttps://c.test/cb`,
    scopes: ["identity", "faction", "service_key:usage"] as const,
  };
  const saved = { ...base, redirectUris: "https://a.test/cb\nhttps://d.test/cb", scopes: ["identity"] as const };
  const { draft, changes } = mergeDrafts(base, typed, saved);
  expect(draft.redirectUris).toBe("https://a.test/cb\nhttps://d.test/cb\nhttps://c.test/cb");
  expect(draft.scopes).toEqual(["identity", "service_key:usage"]);
  expect(changes.map(({ label }) => label)).toEqual(["Redirect URIs", "Scopes"]);
});

test("what was removed here stays removed, and the same change on both sides is no conflict", () => {
  const { draft, changes } = mergeDrafts(
    base,
    { ...base, redirectUris: "https://a.test/cb", name: "Same" },
    { ...base, name: "Same" },
  );
  expect(draft.redirectUris).toBe("https://a.test/cb");
  expect(changes).toEqual([{ label: "Name", now: "Same", keptHere: false }]);
});
