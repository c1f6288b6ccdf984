import { readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { findTests, idsIn, readResults, withTests } from "./conformance/cases";

/** `npm run conformance` writes each case's tests into docs/conformance.md, and prints results. */
const root = path.join(import.meta.dirname, "..");
const file = path.join(root, "docs/conformance.md");
const tests = findTests(root);
const results = readResults(root);
const document = withTests(readFileSync(file, "utf8"), tests);
writeFileSync(file, document);
for (const id of idsIn(document)) {
  const result = results.get(id);
  process.stdout.write(
    result
      ? `${id}: ${result.passed} passed, ${result.failed} failed, ${result.skipped} skipped\n`
      : `${id}: not run\n`,
  );
}
process.stdout.write(
  `docs/conformance.md: ${tests.size} cases with tests, ${results.size} with results\n`,
);
