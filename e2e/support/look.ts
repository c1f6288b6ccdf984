import path from "node:path";
import { expect, type Page } from "playwright/test";

const widths = [360, 1280];
const schemes = ["light", "dark"] as const;
const folder = path.join(import.meta.dirname, "../shots");

/**
 * Takes pictures of the page at a phone's and a desk's width, light and dark, into e2e/shots/<name>-<width>-<scheme>.png,
 * and asserts that it never scrolls sideways.
 */
export async function look(page: Page, name: string): Promise<void> {
  const before = page.viewportSize();
  for (const width of widths) {
    await page.setViewportSize({ width, height: 800 });
    for (const colorScheme of schemes) {
      await page.emulateMedia({ colorScheme });
      await page.evaluate(() => document.fonts.ready);
      await page.screenshot({ path: path.join(folder, `${name}-${width}-${colorScheme}.png`), fullPage: true });
    }
    const content = await page.evaluate(() => document.documentElement.scrollWidth);
    expect(content, `${page.url()} is ${content} wide on a screen of ${width}`).toBeLessThanOrEqual(width);
  }
  await page.emulateMedia({ colorScheme: null });
  if (before) await page.setViewportSize(before);
}
