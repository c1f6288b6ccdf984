import path from "node:path";
import { expect, test } from "vitest";
import { readSourceTree } from "#server/testing/source-tree";

const tree = readSourceTree().filter((file) => file.path.startsWith("app/") && !/\.test\.tsx?$/.test(file.path));
/** Words of a page alone, in a query that leads back to it. */
const words = /[?&](?:done|error)=([a-z][a-z_-]*)/g;

/** The page that a form target belongs to, with its parts and those of the section. */
function pageTextOf(route: string): string {
  let folder = path.posix.dirname(route);
  while (!tree.some((file) => file.path === `${folder}/page.tsx`)) folder = path.posix.dirname(folder);
  const above = folder.split("/").map((_, at, all) => `${all.slice(0, at + 1).join("/")}/_parts/`);
  const parts = [`${folder}/page.tsx`, ...above.slice(1), "app/_parts/form-notice.tsx"];
  return tree
    .filter((file) => parts.some((part) => file.path.startsWith(part)))
    .map(({ text }) => text)
    .join("\n");
}

test("a page has words for each word that a form of it leads back with", () => {
  const said = tree
    .filter((file) => file.path.endsWith("/route.ts"))
    .flatMap((file) => [...file.text.matchAll(words)].map(([, word = ""]) => ({ route: file.path, word })));
  expect(said.length).toBeGreaterThan(10);
  const unsaid = said.filter(({ route, word }) => !new RegExp(`\\b${word}\\b`).test(pageTextOf(route)));
  expect(unsaid).toEqual([]);
});
