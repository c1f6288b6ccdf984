import { expect, test } from "vitest";
import { parseScopeList, unknownScopeMessage } from "./scope-list";

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

test.each([
  ["identity faction:atacks", "The scope faction:atacks is unknown."],
  ["identity <b>call</b>", "One of the scopes is unknown."],
  ["x".repeat(5_000), "One of the scopes is unknown."],
  [`${"identity ".repeat(1_000)}`, "One of the scopes is unknown."],
])("a refusal names the unknown scope, where it looks like one", (text, sentence) => {
  expect(unknownScopeMessage(text)).toBe(sentence);
});
