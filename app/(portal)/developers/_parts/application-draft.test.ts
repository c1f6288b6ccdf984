import { expect, test } from "vitest";
import { ApplicationInput } from "#server/oauth/clients/contract";
import { draftOf, emptyDraft, faultsOf, inputOf, issuesOf } from "./application-draft";

const application: ApplicationInput = {
  kind: "confidential",
  name: "Vault Keeper",
  redirectUris: ["https://a.example/callback", "https://b.example/callback"],
  scopes: ["identity", "faction"],
  optionalScopes: ["faction"],
  clientUri: "https://a.example",
  tosUri: "https://a.example/terms",
  privacyUri: "https://a.example/privacy",
  privacy: { data: "Names.", use: "Show them.", retention: "A day.", deletion: "Ask.", sharing: "Nobody." },
};

test("an application survives the way into a form and back", () => {
  expect(ApplicationInput.parse(inputOf(draftOf(application)))).toEqual(application);
});

test("empty lines between redirect URIs are no redirect URIs", () => {
  const draft = { ...draftOf(application), redirectUris: "\n https://a.example/callback \n\n" };
  expect(ApplicationInput.parse(inputOf(draft)).redirectUris).toEqual(["https://a.example/callback"]);
});

test("an empty form has a fault at every field that must be filled", () => {
  const parsed = ApplicationInput.safeParse(inputOf(emptyDraft));
  const faults = faultsOf(parsed.success ? [] : issuesOf(parsed.error));
  const needed = ["kind", "name", "clientUri", "tosUri", "privacyUri"];
  const statements = ["data", "use", "retention", "deletion", "sharing"].map((name) => `privacy.${name}`);
  expect(Object.keys(faults).sort()).toEqual([...needed, ...statements].sort());
});

test("a fault of one redirect URI says which line it is", () => {
  const draft = { ...draftOf(application), redirectUris: "https://a.example/callback\nhttp://b.example" };
  const parsed = ApplicationInput.safeParse(inputOf(draft));
  expect(faultsOf(parsed.success ? [] : issuesOf(parsed.error))).toEqual({
    redirectUris: "Line 2: A redirect URI must be an absolute address that starts with https://.",
  });
});

test("a server-side application without a redirect URI is told so, whatever else is missing", () => {
  const parsed = ApplicationInput.safeParse(inputOf({ ...emptyDraft, kind: "confidential" }));
  expect(faultsOf(parsed.success ? [] : issuesOf(parsed.error))).toHaveProperty("redirectUris");
});

test("a scope that is no longer asked for is not optional either", () => {
  const draft = { ...draftOf(application), scopes: ["identity" as const] };
  expect(ApplicationInput.parse(inputOf(draft))).toMatchObject({ scopes: ["identity"], optionalScopes: [] });
});
