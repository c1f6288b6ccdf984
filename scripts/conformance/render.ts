import { asvs } from "./asvs";
import { areas, untested } from "./cases";
import type { NamedTest } from "./tests-of-cases";

type Tests = ReadonlyMap<string, readonly NamedTest[]>;

const cell = (text: string) =>
  text.replaceAll("|", "\\|").replaceAll("<", "&lt;").replaceAll("\n", " ");

export function renderConformance(tests: Tests): string {
  const parts = areas.map(({ title, cases }) => {
    const rows = cases.map(({ id, title }) => {
      const proofs = proofsOf(tests.get(id) ?? [], id);
      return `| ${id} | ${cell(title)} | ${proofs} |`;
    });
    return `## ${title}\n\n| id | promise | tests |\n|---|---|---|\n${rows.join("\n")}\n`;
  });
  return `${preface(tests)}\n${parts.join("\n")}\n${renderAsvs()}`;
}

function preface(tests: Tests): string {
  const all = areas.flatMap(({ cases }) => cases);
  const proven = all.filter(({ id }) => tests.has(id)).length;
  return `# Conformance

What Adjutant promises, and the tests that hold it to that. Written by \`npm run conformance\`, which prints the results of the
last run of the tests. Of ${all.length} cases ${proven} have a test that carries their id.
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
