import { describe, expect, test } from "vitest";
import { readSourceTree } from "#server/testing/source-tree";
import { auditedActs, changedFields } from "./audit";

const tree = readSourceTree();
const isTest = /\.(test|e2e)\.tsx?$|^server\/testing\/|^e2e\//;
/** These two files list every act. */
const [list, ownTest] = ["server/audit/audit.ts", "server/audit/audit.test.ts"];
const product = tree.filter(
  ({ path }) => /^(server|db)\//.test(path) && !isTest.test(path) && path !== list,
);
const tests = tree.filter(({ path }) => isTest.test(path) && path !== ownTest);

test("the list of acts and its test stand where they are left out by name", () => {
  expect(tree.map(({ path }) => path)).toEqual(expect.arrayContaining([list, ownTest]));
});

test.each(auditedActs)("%s is written by the product and looked for by a test", (act) => {
  const naming = (files: typeof tree) =>
    files.filter(({ text }) => text.includes(`"${act}"`)).map(({ path }) => path);
  expect(
    naming(product),
    `No code writes "${act}". Write it with the act, or take it off the list.`,
  ).not.toEqual([]);
  expect(naming(tests), `No test looks for "${act}" in the audit log.`).not.toEqual([]);
});

describe("what changed", () => {
  const before = { name: "Old", scopes: ["identity"], secretHash: "x", tosUri: "" };

  test("is the noun's fields that differ, from what to what", () => {
    const after = { ...before, name: "New", scopes: ["identity", "faction"] };
    expect(changedFields("application.updated", { before, after })).toEqual({
      name: { from: "Old", to: "New" },
      scopes: { from: ["identity"], to: ["identity", "faction"] },
    });
    expect(changedFields("application.updated", { before, after: before })).toEqual({});
  });

  test("is all of a row that was made or removed, and never a field that the noun does not name", () => {
    const all = { name: "Old", scopes: ["identity"], tosUri: "" };
    expect(changedFields("application.created", { after: before })).toEqual(all);
    expect(changedFields("application.deleted", { before })).toEqual(all);
    expect(changedFields("passkey.added", { after: before })).toEqual({});
  });

  test("keeps all digits of a chat id", () => {
    const rows = { before: { server: null }, after: { server: 1_234_567_890_123_456_789n } };
    expect(changedFields("faction_chat.named", rows)).toEqual({
      server: { from: null, to: "1234567890123456789" },
    });
  });
});
