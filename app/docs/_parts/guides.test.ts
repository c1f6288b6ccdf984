import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { renderToStaticMarkup } from "react-dom/server";
import { describe, expect, test } from "vitest";
import { eventTypes } from "#server/event-types";
import { failureKinds } from "#server/failures";
import { parseEnvironment } from "#server/platform/env";
import { routes } from "#server/routes";
import { referencePath } from "./describe-endpoint";
import { guideMarkdown, guideNames, guidePath, readGuide } from "./guides";
import { GuideContent, renderInline } from "./markdown";

const docs = path.join(import.meta.dirname, "..");
const facts = { settings: parseEnvironment({}) };

describe.each(guideNames.map((name) => [guidePath(name), name] as const))(
  "the guide %s",
  (_, name) => {
    const { title, lead, sections } = readGuide(name, facts);
    const shown = sections
      .map((section) => `<h2>${section.title}</h2>${renderToStaticMarkup(GuideContent(section))}`)
      .join("");

    test("has a title, a lead and sections with ids of their own", () => {
      expect([title, renderToStaticMarkup(renderInline(lead))]).not.toContain("");
      const ids = sections.flatMap(({ id, folded }) => [id, ...folded.map((part) => part.id)]);
      expect(ids).not.toEqual([]);
      expect(new Set(ids).size).toBe(ids.length);
    });

    test("shows every word of its Markdown, and none of its marks", () => {
      const markdown = guideMarkdown(name, facts);
      expect(markdown).not.toMatch(/\{\{|\}\}|\{#/);
      const text = shown
        .replaceAll(/<(svg|pre)[\s\S]*?<\/\1>/g, "")
        .replaceAll(/<[^>]+>/g, " ")
        .replaceAll(/&(lt|gt|amp|quot|#x27);/g, (_, sign: string) => signs[sign] ?? "");
      expect(text).not.toMatch(/\*\*|\]\(|^#{1,3} /m);
      const wordsOf = (of: string) => new Set(of.match(/[\p{L}\p{N}]+/gu));
      const there = wordsOf(`${title} ${renderToStaticMarkup(renderInline(lead))} ${text}`);
      const missing = [...wordsOf(plain(markdown))].filter((word) => !there.has(word));
      expect(missing).toEqual([]);
    });

    test("links to sections and pages that are there", () => {
      const links = [...shown.matchAll(/href="(\/docs[^"]*|#[^"]*)"/g)].map(
        ([, href = ""]) => href,
      );
      expect(
        links.filter((href) => !known().has(href.startsWith("#") ? guidePath(name) + href : href)),
      ).toEqual([]);
    });
  },
);

const guideFile = (name: string) => readFileSync(path.join(docs, "guides", `${name}.md`), "utf8");
const signs: Readonly<Record<string, string>> = {
  lt: "<",
  gt: ">",
  amp: "&",
  quot: '"',
  "#x27": "'",
};
/** Without code, numbers of items and addresses of links, which a page shows in other ways. */
const plain = (markdown: string) =>
  markdown
    .replaceAll(/^ *```[\s\S]*?^ *```$/gm, "")
    .replaceAll(/^\d+\. /gm, "")
    .replaceAll(/\]\([^)]*\)/g, "]");

const files = ["/docs/changelog.atom", ...guideNames.map((name) => `${guidePath(name)}.md`)];
const known = () =>
  new Set([
    ...files,
    ...routes.map(referencePath),
    ...failureKinds.map(({ code }) => `/docs/errors/${code}`),
    ...eventTypes.map(({ type }) => `/docs/events/${type}`),
    ...guideNames.flatMap((name) => [
      guidePath(name),
      ...readGuide(name, facts).sections.map(({ id }) => `${guidePath(name)}#${id}`),
    ]),
  ]);

test("lifetimes, limits and sizes in the guides are read from settings and constants, not typed", () => {
  const typed = /\b\d[\d,]* ?(seconds?|minutes?|hours?|days?|KB|a minute)\b/;
  for (const name of ["oauth", "limits"])
    expect([name, typed.exec(guideFile(name))]).toEqual([name, null]);
});

test("other settings change what the guides say", () => {
  const settings = parseEnvironment({ REFRESH_REUSE_SECONDS: "45", RATE_CLIENT: "1234" });
  const guide = guideMarkdown("oauth", { settings });
  expect(guide).toContain("within 45 seconds");
  expect(guide).toContain("1,234 a minute");
});

const recipes = path.join(docs, "../../docs/recipes");

test("the guide shows every recipe that there is", () => {
  const shown = [...guideFile("oauth").matchAll(/\{\{sample recipes\/(.+)\}\}/g)].map(
    ([, file]) => file,
  );
  expect(shown.sort()).toEqual(readdirSync(recipes).sort());
});

test("a Python recipe can be imported by the name it is saved under, and hides none of the modules that it imports", () => {
  const python = readdirSync(recipes).filter((file) => file.endsWith(".py"));
  expect(python).not.toEqual([]);
  for (const file of python) {
    const module = file.replace(/\.py$/, "");
    const text = readFileSync(path.join(recipes, file), "utf8");
    const imported = [...text.matchAll(/^(?:from|import) (\w+)/gm)].map(([, name]) => name);
    expect(module).toMatch(/^[a-z_]+$/);
    expect(imported).not.toContain(module);
  }
});
