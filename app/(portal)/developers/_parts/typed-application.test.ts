import { expect, test } from "vitest";
import { ApplicationInput } from "#server/oauth/clients/contract";
import { fieldErrors } from "#server/trpc/refusal";
import {
  type ApplicationFormValues,
  fieldFaultsOf,
  isEdited,
  readApplicationForm,
} from "./application-form-values";

const application = {
  kind: "confidential",
  name: "Vault Keeper",
  description: "Pays the vault.",
  emblemSign: "vault",
  emblemColour: "green",
  redirectUris: ["https://a.example/callback", "https://b.example/callback"],
  scopes: ["identity", "faction"],
  optionalScopes: ["faction"],
  clientUri: "https://a.example",
  tosUri: "https://a.example/terms",
  privacyUri: "https://a.example/privacy",
  privacy: {
    data: "Names.",
    use: "Show them.",
    retention: "A day.",
    deletion: "Ask.",
    sharing: "Nobody.",
  },
};

function filledIn(
  changes: Partial<Record<keyof typeof application, string | string[]>> = {},
): FormData {
  const { privacy, redirectUris, ...rest } = application;
  const statements = Object.entries(privacy).map(([name, text]) => [`privacy.${name}`, text]);
  const fields = {
    redirectUris: redirectUris.join("\r\n"),
    ...rest,
    ...Object.fromEntries(statements),
    ...changes,
  };
  const form = new FormData();
  for (const [name, value] of Object.entries<string | string[]>(fields))
    for (const each of [value].flat()) form.append(name, each);
  return form;
}

const faultsIn = (form: FormData) =>
  fieldFaultsOf(fieldErrors(ApplicationInput.safeParse(readApplicationForm(form)).error) ?? []);

test("an application survives the way into a form and back", () => {
  expect(ApplicationInput.parse(readApplicationForm(filledIn()))).toEqual(application);
});

test("empty lines between redirect URIs are no redirect URIs", () => {
  const form = filledIn({ redirectUris: "\n https://a.example/callback \n\n" });
  expect(ApplicationInput.parse(readApplicationForm(form)).redirectUris).toEqual([
    "https://a.example/callback",
  ]);
});

test("an empty form has a fault at every field that must be filled", () => {
  expect(Object.keys(faultsIn(new FormData())).sort()).toEqual(["kind", "name"]);
});

test("a fault of one redirect URI says which line it is", () => {
  expect(
    faultsIn(filledIn({ redirectUris: "https://a.example/callback\nhttp://b.example" })),
  ).toEqual({
    redirectUris: "Line 2: A redirect URI must be an absolute address that starts with https://.",
  });
});

test("a scope that is no longer asked for is not optional either", () => {
  const form = filledIn({ scopes: ["identity"] });
  expect(ApplicationInput.parse(readApplicationForm(form))).toMatchObject({
    scopes: ["identity"],
    optionalScopes: [],
  });
});

test("fields that the server refused are shown at the fields", () => {
  expect(fieldFaultsOf([{ field: "name", message: "A name is needed." }])).toEqual({
    name: "A name is needed.",
  });
});

const base: ApplicationFormValues & { version: number } = {
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
