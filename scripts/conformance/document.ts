import type { NamedTest } from "./tests-of-cases";

export type Tests = ReadonlyMap<string, readonly NamedTest[]>;

/** A row of a table of cases: id and promise are written by hand, the tests by the script. */
const caseRow = /^(\| ([A-Z]{2}-\d\d) \| [^|]+ \|) (.*) \|$/gm;
const counts = /Of \d+ cases \d+ have a test/;

export const idsIn = (document: string): string[] =>
  [...document.matchAll(caseRow)].map(([, , id = ""]) => id);

/** Cases without a test, and the reasons that the document gives. */
export const untestedIn = (document: string): ReadonlyMap<string, string> =>
  new Map(
    [...document.matchAll(caseRow)].flatMap(([, , id = "", proofs = ""]) =>
      proofs.startsWith("none") ? [[id, proofs.slice("none: ".length)]] : [],
    ),
  );

/** The rest of the document, which is written by hand, stays. */
export function withTests(document: string, tests: Tests): string {
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
