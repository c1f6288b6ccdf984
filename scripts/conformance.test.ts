import { existsSync, readFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, test } from "vitest";
import {
  countOutcomesByCase,
  idsIn,
  outcomesIn,
  readTestsByCase,
  testsIn,
  untestedReasonsIn,
  withTests,
} from "./conformance";

const root = path.join(import.meta.dirname, "..");
const tests = readTestsByCase(root);
const written = readFileSync(path.join(root, "docs/conformance.md"), "utf8");
const ids = idsIn(written);
const items = [...written.matchAll(/^\| (10\.\d+\.\d+) \|.*\| ([^|]*) \|$/gm)];

describe("docs/conformance.md", () => {
  test("lists the cases and tests that there are", () => {
    const now = withTests(written, tests);
    const changed = now.split("\n").filter((line) => !written.includes(line));
    expect(changed, "Run `npm run conformance` and commit what it writes.").toEqual([]);
    expect(now).toBe(written);
  });

  test("every case has a test, or a reason why not", () => {
    expect(ids.length).toBeGreaterThan(200);
    const unproved = [...untestedReasonsIn(written)].filter(([, reason]) => reason === "");
    expect(unproved, "Put the id into the title of the test that proves it.").toEqual([]);
  });

  test("no test carries the id of a case that is not listed", () => {
    expect([...tests.keys()].filter((id) => !ids.includes(id))).toEqual([]);
  });

  test("no id stands twice", () => {
    expect(new Set(ids).size).toBe(ids.length);
    expect(items).toHaveLength(36);
    expect(new Set(items.map(([, id]) => id)).size).toBe(items.length);
  });

  test("the files that it names are there", () => {
    const named = items.flatMap(([, , where = ""]) => where.match(/(?<=`)[^`<]+(?=`)/g) ?? []);
    expect(named.length).toBeGreaterThan(items.length);
    expect(named.filter((file) => !existsSync(path.join(root, file)))).toEqual([]);
  });
});

test("a title is found wherever it is written, and a comment is none", () => {
  // Split, so that this file does not count as a test of the case.
  const id = ["AZ", "01"].join("-");
  const text = [
    `test("one (${id})", …`,
    `  ["row ${id}", 400],`,
    `// ${id} in passing`,
    `test(\`says \\"no\\" (${id})\`, …`,
  ];
  expect(testsIn("a.test.ts", text.join("\n")).map(({ test: { title } }) => title)).toEqual([
    `one (${id})`,
    `row ${id}`,
    `says "no" (${id})`,
  ]);
});

test("reports of both runners are folded by id; what is neither passed nor skipped has failed", () => {
  const [one, other] = [["AZ", "01"].join("-"), ["AZ", "02"].join("-")];
  const vitest = {
    testResults: [{ assertionResults: [{ fullName: `x ${one} ${other}`, status: "passed" }] }],
  };
  const spec = (title: string, status: string) => ({ title, tests: [{ status }] });
  const playwright = {
    suites: [
      {
        title: "a.e2e.ts",
        suites: [{ title: one, specs: [spec("does", "unexpected"), spec("may", "skipped")] }],
      },
    ],
  };
  const results = countOutcomesByCase(
    [vitest, playwright].flatMap((report) => outcomesIn(JSON.stringify(report))),
  );
  expect(results.get(one)).toEqual({ passed: 1, failed: 1, skipped: 1 });
  expect(results.get(other)).toEqual({ passed: 1, failed: 0, skipped: 0 });
});
