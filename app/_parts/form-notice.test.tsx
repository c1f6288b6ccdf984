import { renderToStaticMarkup } from "react-dom/server";
import { expect, test } from "vitest";
import { failureKinds } from "#server/failures";
import { FormNotice } from "./form-notice";

const said = async (query: Record<string, string | string[]>) =>
  renderToStaticMarkup(
    await FormNotice({
      searchParams: Promise.resolve(query),
      done: { saved: "It is saved." },
      wrong: { gone: "It is gone." },
      refused: "No request was made",
    }),
  );

const characters: Readonly<Record<string, string>> = { "#x27": "'", lt: "<", gt: ">" };

test("a page says what its form did, in its own words", async () => {
  expect(await said({ done: "saved" })).toContain("It is saved.");
  expect(await said({ error: "gone" })).toContain("It is gone.");
  expect(await said({ error: "outdated" })).toContain("somebody else changed this");
});

test.each(failureKinds.map(({ code, message }) => [code, message]))(
  "the failure %i is said in a sentence of the catalogue",
  async (code) => {
    const sentences = failureKinds.filter((kind) => kind.code === code).map(({ message }) => message);
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
