import { asvs } from "./asvs";
import { areas, untested } from "./cases";
import type { NamedTest } from "./tests-of-cases";

interface Found {
  readonly tests: ReadonlyMap<string, readonly NamedTest[]>;
  /** In words, by id. */
  readonly results: ReadonlyMap<string, string>;
}

const notRun = "not run";
const cell = (text: string) =>
  text.replaceAll("|", "\\|").replaceAll("<", "&lt;").replaceAll("\n", " ");

/** The whole of docs/conformance.md. */
export function renderConformance({ tests, results }: Found): string {
  const parts = areas.map(({ title, cases }) => {
    const rows = cases.map(({ id, title }) => {
      const proofs = proofsOf(tests.get(id) ?? [], id);
      return `| ${id} | ${cell(title)} | ${proofs} | ${results.get(id) ?? notRun} |`;
    });
    return `## ${title}\n\n| id | promise | tests | result |\n|---|---|---|---|\n${rows.join("\n")}\n`;
  });
  return `${preface(tests)}\n${parts.join("\n")}\n${renderAsvs()}`;
}

function preface(tests: Found["tests"]): string {
  const all = areas.flatMap(({ cases }) => cases);
  const proven = all.filter(({ id }) => tests.has(id)).length;
  return `# Conformance

What Adjutant promises, and the tests that hold it to that. Written by \`npm run conformance\`: the lists of tests come from the
test files, the results from the last \`npm test\`. A test runs on each store that it concerns, so one title can count
several times. Of ${all.length} cases ${proven} have a test that carries their id.
`;
}

function proofsOf(tests: readonly NamedTest[], id: string): string {
  const why = untested[id];
  if (tests.length === 0) return why ? `none: ${cell(why)}` : "none";
  const titles = new Map<string, string[]>();
  for (const { file, title } of tests) titles.set(file, [...(titles.get(file) ?? []), cell(title)]);
  return [...titles]
    .map(([file, of]) => `\`${file}\`: ${[...new Set(of)].join("; ")}`)
    .join("<br>");
}

function renderAsvs(): string {
  const states = [...new Set(asvs.map(({ state }) => state))];
  const counts = states
    .map((state) => `${asvs.filter((item) => item.state === state).length} ${state}`)
    .join(", ");
  const rows = asvs.map(({ id, level, asks, state, why, where }) => {
    const files = where.map((file) => `\`${file}\``).join("<br>");
    return `| ${id} | ${level} | ${cell(asks)} | **${state}** | ${cell(why)} | ${files} |`;
  });
  return `## OWASP ASVS 5.0, chapter 10: OAuth and OIDC

${asvs.length} items: ${counts}. What an item asks is told in our own words.

| item | level | asks | state | why | where |
|---|---|---|---|---|---|
${rows.join("\n")}
`;
}

/** The results that a rendered document holds, by id, so that it can be rendered again with the same ones. */
export function resultsIn(document: string): ReadonlyMap<string, string> {
  const rows = document.matchAll(/^\| ([A-Z]{2}-\d\d) \| .* \| ([^|]*) \|$/gm);
  return new Map([...rows].map((row) => [row[1] ?? "", row[2] ?? ""]));
}
