import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import folders from "./source-folders.json" with { type: "json" };

/** A test with the id of a case in its title. */
export interface NamedTest {
  readonly file: string;
  readonly title: string;
}

const idPattern = /\b[A-Z]{2}-\d\d\b/g;
const searched = [...folders.product, ...folders.tools];
const isTest = (name: string) => /\.(test\.tsx?|e2e\.ts)$/.test(name);
const comment = /^\s*(\/\/|\/?\*)/;
const literal = /"((?:[^"\\]|\\.)*)"|`((?:[^`\\]|\\.)*)`/g;

export function readTestsByCase(root: string): ReadonlyMap<string, readonly NamedTest[]> {
  const found = new Map<string, NamedTest[]>();
  for (const file of searched.flatMap((folder) => testFiles(root, folder)).sort()) {
    const text = readFileSync(path.join(root, file), "utf8");
    for (const { id, test } of testsIn(file, text)) found.set(id, [...(found.get(id) ?? []), test]);
  }
  return found;
}

/** Searches all strings, but no comments. */
export function testsIn(
  file: string,
  text: string,
): { readonly id: string; readonly test: NamedTest }[] {
  const lines = text.split("\n").filter((line) => !comment.test(line));
  const titles = lines.flatMap((line) =>
    [...line.matchAll(literal)].map((match) => match[1] ?? match[2] ?? ""),
  );
  return titles.flatMap((title) =>
    idsOf(title).map((id) => ({ id, test: { file, title: unescaped(title) } })),
  );
}

const idsOf = (text: string): string[] => text.match(idPattern) ?? [];

function testFiles(root: string, folder: string): string[] {
  return readdirSync(path.join(root, folder), { withFileTypes: true }).flatMap((entry) => {
    const inside = `${folder}/${entry.name}`;
    if (entry.isDirectory()) return testFiles(root, inside);
    return isTest(entry.name) ? [inside] : [];
  });
}

const unescaped = (text: string) => text.replaceAll(/\\(["'`\\])/g, "$1");

/** `npm test` writes these reports. */
const reportFolder = ".cache/test-reports";

export interface OutcomeCounts {
  readonly passed: number;
  readonly failed: number;
  readonly skipped: number;
}

export function readOutcomesByCase(root: string): ReadonlyMap<string, OutcomeCounts> {
  const folder = path.join(root, reportFolder);
  const files = existsSync(folder)
    ? readdirSync(folder).filter((name) => name.endsWith(".json"))
    : [];
  return countOutcomesByCase(
    files.flatMap((name) => outcomesIn(readFileSync(path.join(folder, name), "utf8"))),
  );
}

export function countOutcomesByCase(
  outcomes: readonly Outcome[],
): ReadonlyMap<string, OutcomeCounts> {
  const results = new Map<string, OutcomeCounts>();
  for (const { name, status } of outcomes)
    for (const id of new Set(idsOf(name))) {
      const before = results.get(id) ?? { passed: 0, failed: 0, skipped: 0 };
      results.set(id, { ...before, [status]: before[status] + 1 });
    }
  return results;
}

interface Outcome {
  readonly name: string;
  readonly status: keyof OutcomeCounts;
}

export function outcomesIn(text: string): Outcome[] {
  const { testResults = [], suites = [] }: Report = JSON.parse(text);
  return [
    ...testResults.flatMap(({ assertionResults }) =>
      assertionResults.map(({ fullName, status }) => outcome(fullName, status)),
    ),
    ...suites.flatMap((suite) => outcomesOf(suite, "")),
  ];
}

/** vitest has `testResults`, Playwright `suites`. */
interface Report {
  readonly testResults?: readonly {
    readonly assertionResults: readonly { readonly fullName: string; readonly status: string }[];
  }[];
  readonly suites?: readonly PlaywrightSuite[];
}

interface PlaywrightSuite {
  readonly title: string;
  readonly specs?: readonly {
    readonly title: string;
    readonly tests: readonly { readonly status: string }[];
  }[];
  readonly suites?: readonly PlaywrightSuite[];
}

function outcomesOf({ title, specs = [], suites = [] }: PlaywrightSuite, above: string): Outcome[] {
  const within = `${above} ${title}`;
  return [
    ...specs.flatMap((spec) =>
      spec.tests.map(({ status }) => outcome(`${within} ${spec.title}`, status)),
    ),
    ...suites.flatMap((suite) => outcomesOf(suite, within)),
  ];
}

const statuses: Readonly<Record<string, keyof OutcomeCounts>> = {
  passed: "passed",
  expected: "passed",
  skipped: "skipped",
  pending: "skipped",
  todo: "skipped",
};

const outcome = (name: string, status: string): Outcome => ({
  name,
  status: statuses[status] ?? "failed",
});

export type TestsByCase = ReadonlyMap<string, readonly NamedTest[]>;

/** Id and promise are written by hand, the tests by the script. */
const caseRow = /^(\| ([A-Z]{2}-\d\d) \| [^|]+ \|) (.*) \|$/gm;
const counts = /Of \d+ cases \d+ have a test/;

export const idsIn = (document: string): string[] =>
  [...document.matchAll(caseRow)].map(([, , id = ""]) => id);

/** Maps the ids of cases without a test to the document's reasons. */
export const untestedReasonsIn = (document: string): ReadonlyMap<string, string> =>
  new Map(
    [...document.matchAll(caseRow)].flatMap(([, , id = "", proofs = ""]) =>
      proofs.startsWith("none") ? [[id, proofs.slice("none: ".length)]] : [],
    ),
  );

export function withTests(document: string, tests: TestsByCase): string {
  const ids = idsIn(document);
  const proven = ids.filter((id) => tests.has(id)).length;
  return document
    .replace(counts, `Of ${ids.length} cases ${proven} have a test`)
    .replace(caseRow, (_row, promise: string, id: string, before: string) => {
      const reason = before.startsWith("none") ? before : "none";
      return `${promise} ${proofsOf(tests.get(id) ?? []) || reason} |`;
    });
}

const cell = (text: string) =>
  text.replaceAll("|", "\\|").replaceAll("<", "&lt;").replaceAll("\n", " ");

function proofsOf(tests: readonly NamedTest[]): string {
  const titles = new Map<string, string[]>();
  for (const { file, title } of tests) titles.set(file, [...(titles.get(file) ?? []), cell(title)]);
  return [...titles]
    .map(([file, of]) => `\`${file}\`: ${[...new Set(of)].join("; ")}`)
    .join("<br>");
}

/** `npm run conformance` writes each case's tests into docs/conformance.md, and prints results. */
if (process.argv[1] === import.meta.filename) {
  const root = path.join(import.meta.dirname, "..");
  const file = path.join(root, "docs/conformance.md");
  const tests = readTestsByCase(root);
  const results = readOutcomesByCase(root);
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
}
