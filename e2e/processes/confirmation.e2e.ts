import { authenticatorApp } from "#server/testing/authenticator-app";
import { startProduct } from "#server/testing/product";
import { demoPersonOf } from "#simulator/demo-people";
import { look } from "../support/look";
import { expectWithinBudget } from "../support/script-budgets";
import { beSignedIn, signIn } from "../support/sign-in";
import { test as base, expect } from "../support/test";
import { addVirtualAuthenticator } from "../support/virtual-authenticator";

/** Asks for a confirmation after ten seconds; the admin needs a second factor. */
const test = base.extend<object, object>({
  product: [
    async ({ playwright: _playwright }, use) => {
      const settings = {
        CONFIRMATION_SECONDS: "10",
        ADMIN_USER_IDS: String(demoPersonOf("banker").playerId),
      };
      const product = await startProduct(settings);
      await use(product);
      await product.stop();
    },
    { scope: "worker", timeout: 700_000 },
  ],
});

test("a session that was confirmed too long ago confirms, and lands where it was", async ({
  page,
}) => {
  await beSignedIn(page, "developer");
  const asked = async () => {
    await page.goto("/developers/new");
    return new URL(page.url()).pathname;
  };
  await expect.poll(asked, { timeout: 120_000, intervals: [1_000] }).toBe("/confirm");
  await look(page, "confirm");
  await expectWithinBudget(page, "/confirm");
  await page.getByLabel(/Your .*API key/).fill(demoPersonOf("member").key);
  await page.getByRole("button", { name: "Confirm", exact: true }).click();
  await expect(page.getByText("This key belongs to another player.")).toBeVisible();
  await look(page, "confirm-refused");
  await page.getByLabel(/Your .*API key/).fill(demoPersonOf("developer").key);
  await page.getByRole("button", { name: "Confirm", exact: true }).click();
  await page.waitForURL("/developers/new");
});

test("what was typed stays where a page's own script asks for the confirmation", async ({
  page,
}) => {
  await beSignedIn(page, "developer");
  await page.goto("/account/security");
  await expect(async () => {
    await page.reload();
    await page.getByRole("button", { name: "Set up" }).click();
    await expect(page.getByText("Confirm it's you to continue")).toBeVisible({ timeout: 10_000 });
  }).toPass();
  await expect(page.getByLabel(/Your .*API key/)).toBeVisible();
  await look(page, "confirm-here");
  // On a slow machine the ten seconds may pass before the button is pressed again.
  await expect(async () => {
    await page
      .getByLabel(/Your .*API key/)
      .fill(demoPersonOf("developer").key, { timeout: 10_000 });
    await page.getByLabel(/Your .*API key/).press("Enter");
    await expect(page.getByText("Press the button again.")).toBeVisible();
    await page.getByRole("button", { name: "Set up" }).click();
    await expect(page.getByRole("img", { name: /QR code/ })).toBeVisible({ timeout: 10_000 });
  }).toPass();
});

test("a passkey confirms, on the page for it and in place", async ({ page }) => {
  await addVirtualAuthenticator(page);
  // On a slow machine the ten seconds may pass before the passkey is made.
  await expect(async () => {
    await beSignedIn(page, "loner");
    await page.goto("/account/security");
    await page.getByLabel("Name of a new passkey").fill("My phone");
    await page.getByRole("button", { name: "Add a passkey" }).click();
    await expect(page.getByText("not used yet")).toBeVisible({ timeout: 10_000 });
  }).toPass();
  const asked = async () => {
    await page.goto("/developers/new");
    return new URL(page.url()).pathname;
  };
  await expect.poll(asked, { timeout: 120_000, intervals: [1_000] }).toBe("/confirm");
  await look(page, "confirm-by-passkey");
  await page.getByRole("button", { name: "Confirm with a passkey" }).click();
  await page.waitForURL("/developers/new");

  await page.goto("/account/security");
  await expect(async () => {
    await page.reload();
    await page.getByRole("button", { name: "Set up" }).click();
    await expect(page.getByText("Confirm it's you to continue")).toBeVisible({ timeout: 10_000 });
  }).toPass();
  await expect(page.getByRole("button", { name: "Confirm with a passkey" })).toBeVisible();
  await look(page, "confirm-here-by-passkey");
  await expect(async () => {
    await page.getByRole("button", { name: "Confirm with a passkey" }).click({ timeout: 10_000 });
    await page.getByText("Press the button again.").waitFor();
    await page.getByRole("button", { name: "Set up" }).click();
    await expect(page.getByRole("img", { name: /QR code/ })).toBeVisible({ timeout: 10_000 });
  }).toPass();
});

test("an admin is told to set up a second factor, and administration opens then", async ({
  page,
  newcomer,
}) => {
  const other = await newcomer();
  await beSignedIn(other, "banker");
  await beSignedIn(page, "banker");
  await page.goto("/admin/accounts");
  await expect(page.getByText("Administration needs a second factor")).toBeVisible();
  await look(page, "admin-wants-second-factor");
  // The checks may have taken longer than the ten seconds.
  await beSignedIn(page, "banker");
  await page.reload();
  await page.getByRole("button", { name: "Set up" }).click();
  const secret = (await page.locator("code").first().innerText()).replaceAll(" ", "");
  const app = authenticatorApp(secret, () => new Date());
  await page.getByLabel("Six-digit code").fill(app.code());
  await page.getByRole("button", { name: "Turn on" }).click();
  await expect(page.getByText("Store these backup codes now.")).toBeVisible();
  await other.goto("/account");
  expect(new URL(other.url()).pathname).toBe("/sign-in");
  await page.getByRole("link", { name: "Open administration" }).click();
  await page.waitForURL("/admin");

  await signIn(other, "banker");
  await other.getByLabel("Code").fill(app.code(1));
  await other.getByRole("button", { name: "Continue" }).click();
  await other.waitForURL((url) => url.pathname !== "/sign-in/second-step");
  await other.goto("/admin/audit");
  await expect(other.getByRole("heading", { level: 1 })).toHaveText("Audit log");
});
