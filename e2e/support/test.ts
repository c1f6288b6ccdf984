import { type BrowserContext, test as base, type Page } from "playwright/test";
import { type RunningProduct, startProduct } from "#server/testing/product";
import { demoPersonOf } from "#simulator/demo-people";
import { type BusyPortal, makeBusy } from "./busy-portal";
import { callback } from "./register-application";
import { watchViolations } from "./violations";
import { openVisitor } from "./visitor";

interface Fixtures {
  /** A browser with its own cookies. */
  newcomer: () => Promise<Page>;
}

/** Per worker, made on demand. All in one place, so that one worker serves them all. */
interface Shared {
  readonly product: RunningProduct;
  /** A portal in use, with the demo developer's cookies. */
  readonly portal: BusyPortal & {
    readonly developer: Awaited<ReturnType<BrowserContext["storageState"]>>;
  };
  /** The demo developer's access token with all scopes of today's endpoints. */
  readonly token: string;
}

/**
 * `test` with the built server on an empty data directory, shared by a worker's tests. A test fails
 * if one of its pages broke the Content Security Policy or threw.
 */
export const test = base.extend<Fixtures, Shared>({
  product: [
    async ({ playwright: _playwright }, use) => {
      const admins = {
        ADMIN_USER_IDS: String(demoPersonOf("banker").playerId),
        ADMIN_SECOND_FACTOR: "waived",
      };
      const product = await startProduct({
        ...{ ...admins, WEBHOOK_LOOPBACK: "allowed" },
        // All tests sign in as the same few demo players.
        RATE_KEY_QUESTIONS: "1000",
      });
      await use(product);
      await product.stop();
    },
    { scope: "worker", timeout: 700_000 },
  ],
  portal: [
    async ({ browser, product }, use) => {
      const context = await browser.newContext({ baseURL: product.url });
      const busy = await makeBusy(await context.newPage(), product.url);
      await use({ ...busy, developer: await context.storageState() });
      await context.close();
    },
    { scope: "worker", timeout: 700_000 },
  ],
  token: [
    async ({ product }, use) => {
      const visitor = await openVisitor(product.url, demoPersonOf("developer").key);
      const asked = { redirectUri: callback, scopes: ["identity", "faction", "service_key:usage"] };
      const client = await visitor.register({ name: "Machine", ...asked });
      await use((await visitor.authorize(client, asked)).accessToken);
    },
    { scope: "worker" },
  ],
  baseURL: ({ product }, use) => use(product.url),
  page: async ({ page }, use) => {
    const expectNoViolations = await watchViolations(page);
    await use(page);
    expectNoViolations();
  },
  newcomer: async ({ browser }, use) => {
    const pages: Page[] = [];
    const checks: (() => void)[] = [];
    await use(async () => {
      const page = await (await browser.newContext()).newPage();
      pages.push(page);
      checks.push(await watchViolations(page));
      return page;
    });
    for (const check of checks) check();
    // Playwright closes only the context of `page`. An open one would keep polling the product
    // during later tests.
    await Promise.all(pages.map((page) => page.context().close()));
  },
});

export { expect } from "playwright/test";
