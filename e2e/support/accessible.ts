import axe from "axe-core";
import { expect, type Page } from "playwright/test";

const rules = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"];
const colourRules = ["color-contrast", "link-in-text-block"];

/** Asserts that axe reports nothing, or nothing about colours, on the page or within a selector. */
export async function expectAccessible(
  page: Page,
  judged: "all" | "colours" = "all",
  within = "html",
): Promise<void> {
  // The title comes with the last of the page's stream: a page without one never passes.
  await expect(page, `the title of ${page.url()}`).toHaveTitle(/./);
  // Evaluated over the debugging protocol, to which the Content Security Policy does not apply.
  if (!(await page.evaluate(() => "axe" in globalThis))) await page.evaluate(axe.source);
  const runOnly = judged === "all" ? rules : { type: "rule" as const, values: colourRules };
  const { violations } = await page.evaluate(
    ([only, place]) =>
      (Reflect.get(globalThis, "axe") as typeof axe).run(place, {
        runOnly: only,
        resultTypes: ["violations"],
        // Preloading media and stylesheets takes a quarter of the time, and no page has media.
        preload: false,
      }),
    [runOnly, within] as const,
  );
  const found = violations.flatMap(({ id, help, nodes }) =>
    nodes.map(
      (node) => `${id}: ${help}, at ${node.target.join(" ")}\n${node.failureSummary ?? ""}`,
    ),
  );
  expect(found, `what axe finds on ${page.url()}`).toEqual([]);
}
