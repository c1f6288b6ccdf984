import path from "node:path";
import { expect, type Page } from "playwright/test";
import { expectAccessible } from "./accessible";

const phoneAndDesk = [360, 1280];
/** With a width between, at which sections and tables change their shape. */
export const threeWidths = [360, 768, 1280];
const schemes = ["light", "dark"] as const;
const folder = path.join(import.meta.dirname, "../shots");

/**
 * Looks at the page at a phone's and a desk's width, light and dark: it never scrolls sideways, and axe finds nothing. With
 * SHOTS=1 it leaves pictures in e2e/shots/<name>-<width>-<scheme>.png.
 */
export async function look(
  page: Page,
  name: string,
  widths: readonly number[] = phoneAndDesk,
): Promise<void> {
  const before = page.viewportSize();
  for (const width of widths) {
    await page.setViewportSize({ width, height: 800 });
    const content = await page.evaluate(() => document.documentElement.scrollWidth);
    expect(content, `${page.url()} is ${content} wide on a screen of ${width}`).toBeLessThanOrEqual(
      width,
    );
    for (const colorScheme of schemes) {
      await page.emulateMedia({ colorScheme });
      await settle(page);
      // A theme changes colours alone: the other rules have judged the same page in the first one.
      await expectAccessible(page, colorScheme === schemes[0] ? "all" : "colours");
      if (process.env.SHOTS) await takePicture(page, `${name}-${width}-${colorScheme}`);
    }
  }
  await page.emulateMedia({ colorScheme: null });
  if (before) await page.setViewportSize(before);
}

/** Waits until the page is drawn as it stays: fonts there, colours not on their way from one theme to the other. */
async function settle(page: Page): Promise<void> {
  await page.evaluate(async () => {
    await document.fonts.ready;
    await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
    await Promise.allSettled(document.getAnimations().map((animation) => animation.finished));
  });
}

async function takePicture(page: Page, name: string): Promise<void> {
  await page.screenshot({ path: path.join(folder, `${name}.png`), fullPage: true });
}
