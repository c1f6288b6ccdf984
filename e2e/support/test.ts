import { test as base, type Page } from "playwright/test";
import { type RunningProduct, startProduct } from "#server/testing/product";
import { watchViolations } from "./violations";

interface Fixtures {
  /** Opens another person's browser, with cookies of its own. */
  newcomer: () => Promise<Page>;
}

/**
 * Playwright's `test` on a product of its own: the built server on an empty data directory, shared by the tests of a
 * worker. Every test fails at its end where one of its pages broke the Content Security Policy or threw.
 */
export const test = base.extend<Fixtures, { product: RunningProduct }>({
  product: [
    async ({ playwright: _playwright }, use) => {
      const product = await startProduct();
      await use(product);
      await product.stop();
    },
    { scope: "worker", timeout: 200_000 },
  ],
  baseURL: ({ product }, use) => use(product.url),
  page: async ({ page }, use) => {
    const expectNoViolations = await watchViolations(page);
    await use(page);
    expectNoViolations();
  },
  // Playwright gives such a context the options of the test, and closes it at the test's end.
  newcomer: async ({ browser }, use) => {
    const checks: (() => void)[] = [];
    await use(async () => {
      const page = await (await browser.newContext()).newPage();
      checks.push(await watchViolations(page));
      return page;
    });
    for (const check of checks) check();
  },
});

export { expect } from "playwright/test";
