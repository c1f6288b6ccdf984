import { writeFileSync } from "node:fs";
import path from "node:path";
import { renderConformance } from "./conformance/render";
import { findTests, readResults } from "./conformance/tests-of-cases";

/**
 * `npm run conformance` writes docs/conformance.md from the test files and prints the last run's
 * results by case.
 */
const root = path.join(import.meta.dirname, "..");
const tests = findTests(root);
const results = readResults(root);
writeFileSync(path.join(root, "docs/conformance.md"), renderConformance(tests));
for (const id of tests.keys()) {
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
