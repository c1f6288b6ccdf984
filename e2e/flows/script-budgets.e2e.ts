import type { Page } from "playwright/test";
import { demoPeople } from "#simulator/demo-people";
import { asked, type BusyPortal } from "../support/busy-portal";
import { openIndependentClient } from "../support/independent-client";
import { beSignedIn } from "../support/sign-in";
import { expect, test } from "../support/test";

/** Kilobytes of script, as they are sent. */
const budgets = { read: 135, interactive: 175 };

/** What the scripts that the document names weigh on the way; chunks of pages that are only prefetched do not count. */
async function scriptOf(page: Page): Promise<number> {
  const html = (await page.context().request.get(page.url())).text();
  const named = new Set([...(await html).matchAll(/<script[^>]* src="([^"]+\.js[^"]*)"/g)].map(([, src]) => src));
  await page.waitForLoadState("load");
  const bytes = await page.evaluate(
    (sources) =>
      performance
        .getEntriesByType("resource")
        .filter(({ name }) => sources.includes(name.slice(location.origin.length)))
        .reduce((sum, entry) => sum + (entry as PerformanceResourceTiming).encodedBodySize, 0),
    [...named],
  );
  expect(bytes, `${page.url()} names no script`).toBeGreaterThan(0);
  return bytes / 1_000;
}

async function expectWithin(page: Page, budget: keyof typeof budgets): Promise<void> {
  const kilobytes = await scriptOf(page);
  test.info().annotations.push({ type: "kB", description: `${new URL(page.url()).pathname} ${kilobytes.toFixed(1)}` });
  expect(kilobytes, `script of ${page.url()}, in kB`).toBeLessThanOrEqual(budgets[budget]);
}

test("a page for anybody loads 135 kB of script or less", async ({ page }) => {
  for (const path of ["/", "/sign-in", "/docs", "/docs/oauth", "/docs/api/get-specific-user"]) {
    await page.goto(path);
    await expectWithin(page, "read");
  }
});

test("consent loads 135 kB of script or less", async ({ page, portal, product }) => {
  const client = await openIndependentClient(product.url, portal.asking);
  await beSignedIn(page, "member");
  await page.goto((await client.ask({ scope: asked.join(" ") })).url);
  await expect(page.getByRole("button", { name: "Approve" })).toBeVisible();
  await expectWithin(page, "read");
});

test("pages of the account and of the faction load 135 kB of script or less", async ({ page }) => {
  await beSignedIn(page, demoPeople[0]?.role ?? "member");
  const account = ["/account", "/account/apps", "/account/sessions", "/account/notices", "/account/history"];
  for (const path of [
    ...account,
    "/account/delete",
    "/faction/banking",
    "/faction/banking/ledger",
    "/faction/stats",
    "/faction/chat",
  ]) {
    await page.goto(path);
    await expectWithin(page, "read");
  }
});

test("pages of the game load 135 kB of script or less", async ({ page }) => {
  await beSignedIn(page, demoPeople[0]?.role ?? "member");
  for (const path of ["/faction/targets", "/players?q=a", `/players/${demoPeople[0]?.playerId}`, "/stocks"]) {
    await page.goto(path);
    await expectWithin(page, "read");
  }
  await page
    .getByRole("table", { name: "Stocks" })
    .getByRole("link")
    .filter({ hasText: /^[A-Z]{3}$/ })
    .first()
    .click();
  await expect(page.getByRole("heading", { name: "Last 30 days" })).toBeVisible();
  await page.reload();
  await expectWithin(page, "read");
});

test("the board and the demo, which follow what happens, load 175 kB of script or less", async ({ page }) => {
  await beSignedIn(page, "member");
  for (const path of ["/faction", "/demo"]) {
    await page.goto(path);
    await expectWithin(page, "interactive");
  }
});

test.describe("for a developer", () => {
  test.use({ storageState: ({ portal }, use) => use(portal.developer) });
  const application = (end: string) => (portal: BusyPortal) => `/developers/apps/${portal.used.clientId}${end}`;
  const read = [() => "/developers", () => "/developers/doctor", ...["", "/requests", "/failures"].map(application)];
  const interactive = [
    () => "/developers/new",
    () => "/developers/playground",
    ...["/tokens", "/settings", "/credentials", "/danger", "/webhooks"].map(application),
    () => "/account/security",
  ];

  test("a page that is only read loads 135 kB of script or less", async ({ page, portal }) => {
    for (const address of read) {
      await page.goto(address(portal));
      await expectWithin(page, "read");
    }
  });

  test("a page with interactive parts loads 175 kB of script or less", async ({ page, portal }) => {
    for (const address of interactive) {
      await page.goto(address(portal));
      await expectWithin(page, "interactive");
    }
  });
});
