import path from "node:path";
import { renderToStaticMarkup } from "react-dom/server";
import { expect, test } from "vitest";
import { failureKinds } from "#server/failures";
import { readSourceTree } from "#server/testing/source-tree";
import { FormNotice } from "./form-notice";

const said = async (query: Record<string, string | string[]>) =>
  renderToStaticMarkup(
    await FormNotice({
      searchParams: Promise.resolve(query),
      done: { saved: "It is saved." },
      wrong: { gone: "It is gone." },
      refused: "No request was made",
      remedies: { 1201: "Add a key" },
    }),
  );

const characters: Readonly<Record<string, string>> = { "#x27": "'", lt: "<", gt: ">" };

test("a refusal that a key would help has a link to one", async () => {
  expect(await said({ error: "1201" })).toContain("Add a key");
  expect(await said({ error: "1200" })).not.toContain("Add a key");
});

test("a page says what its form did, in its own words", async () => {
  expect(await said({ done: "saved" })).toContain("It is saved.");
  expect(await said({ error: "gone" })).toContain("It is gone.");
  expect(await said({ error: "outdated" })).toContain("somebody else changed this");
});

test.each(failureKinds.map(({ code, message }) => [code, message]))(
  "the failure %i is said in a sentence of the catalogue",
  async (code) => {
    const sentences = failureKinds
      .filter((kind) => kind.code === code)
      .map(({ message }) => message);
    const html = (await said({ error: String(code) })).replaceAll(
      /&(#x27|lt|gt);/g,
      (_, name) => characters[name] ?? "",
    );
    expect(html).toContain("No request was made");
    expect(sentences.filter((sentence) => html.includes(sentence))).toHaveLength(1);
  },
);

test("an address cannot make it say anything else", async () => {
  const words = [
    "Your key was stolen: call 555",
    "<b>",
    "constructor",
    "__proto__",
    "toString",
    "4e3",
    " 4000",
    "04000",
    "saved",
    "",
  ];
  for (const error of words) expect(await said({ error })).toBe("");
  for (const done of words.slice(0, -2)) expect(await said({ done })).toBe("");
  expect(await said({ error: ["gone", "gone"] })).toBe("");
});

const tree = readSourceTree().filter(
  (file) => file.path.startsWith("app/") && !/\.test\.tsx?$/.test(file.path),
);
/** Words in a query that leads back to the page. */
const wordsInQuery = /[?&](?:done|error)=([a-z][a-z_-]*)/g;

/** Source of the form's page, with its parts and its section's. */
function pageTextOf(route: string): string {
  let folder = path.posix.dirname(route);
  while (!tree.some((file) => file.path === `${folder}/page.tsx`))
    folder = path.posix.dirname(folder);
  const above = folder.split("/").map((_, at, all) => `${all.slice(0, at + 1).join("/")}/_parts/`);
  const parts = [`${folder}/page.tsx`, ...above.slice(1), "app/_parts/form-notice.tsx"];
  return tree
    .filter((file) => parts.some((part) => file.path.startsWith(part)))
    .map(({ text }) => text)
    .join("\n");
}

test("a page has words for each word that a form of it leads back with", () => {
  const led = tree
    .filter((file) => file.path.endsWith("/route.ts"))
    .flatMap((file) =>
      [...file.text.matchAll(wordsInQuery)].map(([, word = ""]) => ({ route: file.path, word })),
    );
  expect(led.length).toBeGreaterThan(10);
  const unsaid = led.filter(
    ({ route, word }) => !new RegExp(`\\b${word}\\b`).test(pageTextOf(route)),
  );
  expect(unsaid).toEqual([]);
});
