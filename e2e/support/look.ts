import path from "node:path";
import type { Page } from "playwright/test";
import { expectAccessible } from "./accessible";
import { expectFits } from "./fits";

const phoneAndDesk = [360, 1280];
/** The middle width changes the shape of sections and tables. */
export const threeWidths = [360, 768, 1280];
/** 640 is also 1,280 at 200 % zoom. */
export const everyWidth = [320, 360, 640, 768, 1024, 1280, 1920];
const schemes = ["light", "dark"] as const;
const folder = path.join(import.meta.dirname, "../shots");

/**
 * Asserts that everything fits at every width and that axe finds nothing on phone and desktop,
 * light and dark. SHOTS=1 saves pictures as e2e/shots/<name>-<width>-<scheme>.png.
 */
export async function look(
  page: Page,
  name: string,
  widths: readonly number[] = phoneAndDesk,
): Promise<void> {
  const before = page.viewportSize();
  for (const width of everyWidth) {
    await page.setViewportSize({ width, height: 800 });
    for (const colorScheme of schemes) {
      await page.emulateMedia({ colorScheme });
      await settle(page);
      await expectFits(page);
      if (!widths.includes(width)) continue;
      // A theme changes only colours, so the other rules run in the first one.
      await expectAccessible(page, colorScheme === schemes[0] ? "all" : "colours");
      if (process.env.SHOTS) await takePicture(page, `${name}-${width}-${colorScheme}`);
    }
  }
  await page.emulateMedia({ colorScheme: null });
  if (before) await page.setViewportSize(before);
}

/** Waits for fonts and for the end of colour transitions. */
async function settle(page: Page): Promise<void> {
  await page.evaluate(async () => {
    await document.fonts.ready;
    await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
    // One that a scroll position drives never finishes.
    const timed = document.getAnimations().filter(({ timeline }) => timeline === document.timeline);
    await Promise.allSettled(timed.map((animation) => animation.finished));
  });
}

async function takePicture(page: Page, name: string): Promise<void> {
  await page.screenshot({ path: path.join(folder, `${name}.png`), fullPage: true });
}
