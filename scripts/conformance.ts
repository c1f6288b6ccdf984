import { writeFileSync } from "node:fs";
import path from "node:path";
import { renderConformance } from "./conformance/render";
import { findTests, type Result, readResults } from "./conformance/tests-of-cases";

/** `npm run conformance` writes docs/conformance.md from the test files and the reports of the last `npm test`. */
const root = path.join(import.meta.dirname, "..");

const inWords = ({ passed, failed, skipped }: Result) =>
  [
    failed > 0 ? `${failed} failed` : "",
    passed > 0 ? `${passed} passed` : "",
    skipped > 0 ? `${skipped} skipped` : "",
  ]
    .filter(Boolean)
    .join(", ");

const tests = findTests(root);
const results = new Map([...readResults(root)].map(([id, result]) => [id, inWords(result)]));
writeFileSync(path.join(root, "docs/conformance.md"), renderConformance({ tests, results }));
process.stdout.write(
  `docs/conformance.md: ${tests.size} cases with tests, ${results.size} with results\n`,
);
