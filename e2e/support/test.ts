import { test as base } from "playwright/test";
import { type RunningProduct, startProduct } from "#server/testing/product";
import { watchViolations } from "./violations";

/**
 * Playwright's `test` on a product of its own: the built server on an empty data directory, shared by the tests of a
 * worker. Every test fails at its end where its page broke the Content Security Policy or threw.
 */
export const test = base.extend<object, { product: RunningProduct }>({
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
});

export { expect } from "playwright/test";
