import { expect, type Page } from "playwright/test";

/**
 * Asserts that only code and navigation strips scroll sideways, and that neither text nor controls
 * are cut off or exceed their table cell. Intended ellipses are exempt.
 */
export async function expectFits(page: Page): Promise<void> {
  const width = page.viewportSize()?.width;
  expect(await page.evaluate(misfits), `${page.url()} on a screen of ${width}`).toEqual([]);
}

/** Runs in the page. */
function misfits(): string[] {
  const tolerance = 1.5;
  const faults = new Set<string>();
  const root = document.documentElement;
  if (root.scrollWidth > window.innerWidth) faults.add(`the page is ${root.scrollWidth} wide`);

  const styles = new Map<Element, CSSStyleDeclaration>();
  const styleOf = (element: Element) => {
    const known = styles.get(element) ?? getComputedStyle(element);
    styles.set(element, known);
    return known;
  };
  const mayScroll = (element: Element) =>
    element.matches("pre, nav, [role=tablist], textarea, input, select") ||
    element.closest("pre") !== null;

  const judge = (box: DOMRect, from: Element, name: string) => {
    if (box.width <= 1 || box.height <= 1) return;
    for (let around: Element | null = from; around && around !== root; ) {
      const style = styleOf(around);
      const edge = around.getBoundingClientRect();
      const isOut = box.right > edge.right + tolerance || box.left < edge.left - tolerance;
      const overflow = style.overflowX;
      // Visually hidden, for screen readers.
      if (edge.width <= 1 && overflow !== "visible") return;
      if (style.textOverflow === "ellipsis" && overflow !== "visible") return;
      if (mayScroll(around)) return;
      if (isOut && overflow !== "visible")
        faults.add(
          `${name} is ${overflow === "auto" ? "out of sight" : "cut"} in ${around.tagName}`,
        );
      if (isOut && around.matches("td, th")) faults.add(`${name} reaches beyond its cell`);
      around = style.position === "fixed" ? null : around.parentElement;
    }
    if (box.right > window.innerWidth + tolerance || box.left < -tolerance)
      faults.add(`${name} reaches beyond the screen`);
  };

  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  for (let text = texts.nextNode(); text; text = texts.nextNode()) {
    const parent = text.parentElement;
    const words = text.textContent?.trim();
    if (!parent || !words || !parent.checkVisibility()) continue;
    const range = document.createRange();
    range.selectNodeContents(text);
    for (const box of range.getClientRects()) judge(box, parent, `“${words.slice(0, 40)}”`);
  }
  for (const control of document.querySelectorAll(
    "a, button, input, select, textarea, summary, svg",
  ))
    if (control.parentElement && control.checkVisibility())
      judge(
        control.getBoundingClientRect(),
        control.parentElement,
        `${control.tagName} ${control.getAttribute("aria-label") ?? control.textContent?.trim().slice(0, 40)}`,
      );
  return [...faults].slice(0, 10);
}
