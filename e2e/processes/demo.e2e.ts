import { startProduct } from "#server/testing/product";
import { look } from "../support/look";
import { beSignedIn } from "../support/sign-in";
import { test as base, expect } from "../support/test";

/** A product whose demo world is alive, as `npm start` opens it. */
const test = base.extend<object, object>({
  product: [
    async ({ playwright: _playwright }, use) => {
      const product = await startProduct({ DEMO: "1" });
      await use(product);
      await product.stop();
    },
    // Start and end together: a busy machine reads the world many times slower.
    { scope: "worker", timeout: 700_000 },
  ],
});

/** A busy machine reads the world many times slower than the minute that it takes alone. */
const filled = { timeout: 600_000 };

test("a newcomer presses a button of the demo, and sees it arrive without loading the page again", async ({ page }) => {
  test.setTimeout(800_000);
  await beSignedIn(page, "member");
  await page.goto("/");
  await page.getByText("Signed in as Cleo_Marsh").click();
  await page.getByRole("link", { name: "Demo", exact: true }).click();
  await expect(page.getByRole("heading", { name: "Demo", exact: true })).toBeVisible();
  await look(page, "demo");
  await page.getByRole("button", { name: "Attack" }).click();
  await expect(page.getByText("The attack is over.")).toBeVisible();
  const opened = page.getByRole("link", { name: "retaliation.opened" });
  await expect(opened.first()).toBeVisible(filled);
  await page.goto("/faction");
  // The board reads it again by itself; on a slow machine this hit may be over by now, and the next one is awaited.
  await expect(page.getByRole("status").filter({ hasText: /[1-9]\d* hits? to answer/ })).toBeAttached(filled);
  await expect(page.getByText(/\d:\d\d left/).first()).toBeVisible();
  await look(page, "faction-board-alive");
  await page.goto("/demo");
  await expect(page.getByText("Still reading the world")).toBeHidden(filled);
  await page.getByRole("button", { name: "Pay", exact: true }).click();
  await expect(page.getByRole("link", { name: "vault_request.verified" }).first()).toBeVisible(filled);
  await look(page, "demo-alive");
  await page.getByRole("button", { name: "Raise the price" }).click();
  await expect(page.getByText(/^The price of [A-Z]+ rises with the next tick/)).toBeVisible();
  await page.getByRole("link", { name: /^Stock [A-Z]+$/ }).click();
  await expect(page.getByRole("heading", { name: "Last 30 days" })).toBeVisible();
});
