import { type BrowserContext, test as base, type Page } from "playwright/test";
import { type RunningProduct, startProduct } from "#server/testing/product";
import { demoPerson } from "#simulator/demo-people";
import { type BusyPortal, makeBusy } from "./busy-portal";
import { callback } from "./register-application";
import { watchViolations } from "./violations";
import { openVisitor } from "./visitor";

interface Fixtures {
  /** Opens another person's browser, with cookies of its own. */
  newcomer: () => Promise<Page>;
}

/** What the tests of a worker share. Made when the first test asks for it; all in one place, so that one worker serves them all. */
interface Shared {
  readonly product: RunningProduct;
  /** Makes the portal one that is in use, and has the demo developer's cookies in it. */
  readonly portal: BusyPortal & {
    readonly developer: Awaited<ReturnType<BrowserContext["storageState"]>>;
  };
  /** A live access token of the demo developer's, with every permission that today's endpoints want. */
  readonly token: string;
}

/**
 * Playwright's `test` on a product of its own: the built server on an empty data directory, shared by the tests of a
 * worker. Every test fails at its end where one of its pages broke the Content Security Policy or threw.
 */
export const test = base.extend<Fixtures, Shared>({
  product: [
    async ({ playwright: _playwright }, use) => {
      const admins = {
        ADMIN_USER_IDS: String(demoPerson("banker").playerId),
        ADMIN_SECOND_FACTOR: "waived",
      };
      const product = await startProduct({ ...admins, WEBHOOK_LOOPBACK: "allowed" });
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
      const visitor = await openVisitor(product.url, demoPerson("developer").key);
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
    // Playwright closes the context of `page` alone. One that stays open goes on asking the product for news, in all the tests
    // that follow.
    await Promise.all(pages.map((page) => page.context().close()));
  },
});

export { expect } from "playwright/test";
