import { expect, test } from "vitest";
import { parseScopeList } from "./scope-list";

test.each([
  ["", []],
  ["identity", ["identity"]],
  ["faction:banking identity", ["identity", "faction:banking"]],
  ["identity identity  faction ", ["identity", "faction"]],
])("AZ-22: %j is a set, in the catalogue's order", (text, scopes) => {
  expect(parseScopeList(text)).toEqual(scopes);
});

test.each([
  "admin",
  "identity admin",
  "Identity",
  "identity,faction",
  "faction:*",
  "constructor",
  "identity\tfaction",
])("AZ-20: %j names an unknown scope", (text) => {
  expect(parseScopeList(text)).toBeUndefined();
});
