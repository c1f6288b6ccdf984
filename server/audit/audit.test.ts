import { expect, test } from "vitest";
import { switchActs } from "#db/schema/accounts";
import { readSourceTree } from "#server/testing/source-tree";
import { auditedActs, auditedDetails } from "./audit";

const tree = readSourceTree();
const isTest = /\.(test|e2e)\.tsx?$|^server\/testing\/|^e2e\//;
/** These two files list every act. */
const [list, ownTest] = ["server/audit/audit.ts", "server/audit/audit.test.ts"];
const product = tree.filter(
  ({ path }) => /^(server|db)\//.test(path) && !isTest.test(path) && path !== list,
);
const tests = tree.filter(({ path }) => isTest.test(path) && path !== ownTest);
const acts = Object.keys(auditedActs);

test("the list of acts and its test stand where they are left out by name", () => {
  expect(tree.map(({ path }) => path)).toEqual(expect.arrayContaining([list, ownTest]));
});

test.each(acts)("%s is written by the product and looked for by a test", (act) => {
  const naming = (files: typeof tree) =>
    files.filter(({ text }) => text.includes(`"${act}"`)).map(({ path }) => path);
  expect(
    naming(product),
    `No code writes "${act}". Write it with the act, or take it off the list.`,
  ).not.toEqual([]);
  expect(naming(tests), `No test looks for "${act}" in the audit log.`).not.toEqual([]);
});

test("the detail that a switch writes has words for who reads the log", () => {
  for (const { detail } of Object.values(switchActs)) expect(auditedDetails).toHaveProperty(detail);
});

test("the audit log is appended to: nothing changes a line, and only the sweeper removes old ones", () => {
  const raw = /\b(update|delete from|truncate)\s+(table\s+)?"?audit_log\b/i;
  const broken = tree
    .filter(({ path }) => /^(app|server|db)\//.test(path) && !isTest.test(path))
    .flatMap(({ path, text }) => {
      const plain = text.replaceAll(/\s+/g, "");
      if (plain.includes(".update(auditLog") || raw.test(text))
        return [`${path} changes lines of the audit log.`];
      const removes = plain.includes(".delete(auditLog");
      return removes && path !== "server/audit/store.ts"
        ? [`${path} removes lines of the audit log.`]
        : [];
    });
  expect(broken).toEqual([]);
});
