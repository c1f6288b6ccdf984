import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import folders from "../source-folders.json" with { type: "json" };
import { areas } from "./cases";

/** A test that carries the id of a case in its title. */
export interface NamedTest {
  readonly file: string;
  /** As written: a row of a table, or a template with its placeholders. */
  readonly title: string;
}

const prefixes = [...new Set(areas.flatMap(({ cases }) => cases.map(({ id }) => id.slice(0, 2))))];
const idPattern = new RegExp(`\\b(?:${prefixes.join("|")})-\\d\\d\\b`, "g");
const searched = [...folders.product, ...folders.tools];
const isTest = (name: string) => /\.(test\.tsx?|e2e\.ts)$/.test(name);
const comment = /^\s*(\/\/|\/?\*)/;
const literal = /"((?:[^"\\]|\\.)*)"|`((?:[^`\\]|\\.)*)`/g;

/** The ids of cases that a text names. */
export const idsIn = (text: string): string[] => text.match(idPattern) ?? [];

/** The tests of a file by the ids in their titles: every piece of text that names one, but for comments. */
export function testsIn(file: string, text: string): { readonly id: string; readonly test: NamedTest }[] {
  const lines = text.split("\n").filter((line) => !comment.test(line));
  const titles = lines.flatMap((line) => [...line.matchAll(literal)].map((match) => match[1] ?? match[2] ?? ""));
  return titles.flatMap((title) => idsIn(title).map((id) => ({ id, test: { file, title: unescaped(title) } })));
}

/** All tests of the project by the ids that they carry, in order of file and place. */
export function findTests(root: string): ReadonlyMap<string, readonly NamedTest[]> {
  const found = new Map<string, NamedTest[]>();
  for (const file of searched.flatMap((folder) => testFiles(root, folder)).sort()) {
    const text = readFileSync(path.join(root, file), "utf8");
    for (const { id, test } of testsIn(file, text)) found.set(id, [...(found.get(id) ?? []), test]);
  }
  return found;
}

function testFiles(root: string, folder: string): string[] {
  return readdirSync(path.join(root, folder), { withFileTypes: true }).flatMap((entry) => {
    const inside = `${folder}/${entry.name}`;
    if (entry.isDirectory()) return testFiles(root, inside);
    return isTest(entry.name) ? [inside] : [];
  });
}

const unescaped = (text: string) => text.replaceAll(/\\(["'`\\])/g, "$1");
