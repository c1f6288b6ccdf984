import { readFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { settingList } from "#server/platform/environment-variables";
import { withSettingsTable } from "./settings";

test("the table of settings in README.md is as they are declared", () => {
  const readme = readFileSync(path.join(import.meta.dirname, "../README.md"), "utf8");
  expect(withSettingsTable(readme), "Run `npm run settings`.").toBe(readme);
});

test("each variable is declared once", () => {
  const variables = settingList.map(({ variable }) => variable);
  expect(new Set(variables).size).toBe(variables.length);
});
