import type { Page } from "playwright/test";
import { authenticatorApp } from "#server/testing/authenticator-app";
import { demoPersonOf } from "#simulator/demo-people";
import { arriveAtClient } from "../support/arrive-at-client";
import { callPortal } from "../support/call-portal";
import { openIndependentClient } from "../support/independent-client";
import { look } from "../support/look";
import { registerApplication } from "../support/register-application";
import { expectWithinBudget } from "../support/script-budgets";
import { signIn } from "../support/sign-in";
import { expect, test } from "../support/test";

/** No other flow uses this player: the account is deleted in the end. */
const role = "banker";

const isSignedIn = async (page: Page): Promise<boolean> => {
  await page.goto("/account");
  return new URL(page.url()).pathname === "/account";
};

const giveCode = async (page: Page, code: string): Promise<void> => {
  await page.getByLabel("Code").fill(code);
  await page.getByRole("button", { name: "Continue" }).click();
};

test("a second factor is turned on, asked for at every sign-in, and gone with the account", async ({
  page,
  newcomer,
  product,
}) => {
  await signIn(page, role);
  await page.goto("/account/security");
  await look(page, "second-factor-off");
  await page.getByRole("button", { name: "Set up" }).click();
  await expect(page.getByRole("img", { name: /QR code/ })).toBeVisible();
  await look(page, "second-factor-set-up");
  const secret = (await page.locator("code").first().innerText()).replaceAll(" ", "");
  const app = authenticatorApp(secret, () => new Date());
  await page.getByLabel("Six-digit code").fill(app.wrongCode());
  await page.getByRole("button", { name: "Turn on" }).click();
  await expect(page.getByText("Wrong code.")).toBeVisible();
  await page.getByLabel("Six-digit code").fill(app.code());
  await page.getByRole("button", { name: "Turn on" }).click();
  await expect(page.getByText("Store these backup codes now.")).toBeVisible();
  const backupCodes = await page
    .getByRole("listitem")
    .filter({ hasText: /^[0-9A-Z]{5}-[0-9A-Z]{5}$/ })
    .allInnerTexts();
  expect(backupCodes).toHaveLength(10);
  await look(page, "second-factor-codes");
  await page.getByRole("button", { name: "I have stored them" }).click();
  await expect(page.getByText("10 left")).toBeVisible();
  await look(page, "second-factor-on");
  await page.reload();
  expect(await page.content()).not.toContain(secret);

  await test.step("signing in takes a code once", async () => {
    const other = await newcomer();
    await signIn(other, role);
    expect(new URL(other.url()).pathname).toBe("/sign-in/second-step");
    await look(other, "second-step");
    await expectWithinBudget(other, "/sign-in/second-step");
    expect(await isSignedIn(other)).toBe(false);
    await signIn(other, role);
    const code = app.code(1);
    await giveCode(other, app.wrongCode());
    await expect(other.getByLabel("Code")).toHaveAttribute("aria-invalid", "true");
    await look(other, "second-step-wrong");
    await giveCode(other, code);
    await other.waitForURL((url) => url.pathname === "/account");
    expect(await isSignedIn(other)).toBe(true);
    const third = await newcomer();
    await signIn(third, role);
    await giveCode(third, code);
    await expect(third.getByText("Wrong code.")).toBeVisible();
  });

  await test.step("a backup code leads on to the application that waits", async () => {
    const client = await openIndependentClient(
      product.url,
      await registerApplication(page, { name: "Step by Step" }),
    );
    const other = await newcomer();
    const asked = await client.ask({ prompt: "login" });
    await other.goto(asked.url);
    await signIn(other, role);
    await expect(other.getByText("then you decide what Step by Step may see")).toBeVisible();
    await giveCode(other, backupCodes[0] ?? "");
    await expect(other.getByRole("heading", { level: 1 })).toHaveText(
      "Step by Step asks for access",
    );
    const yes = await arriveAtClient(other, () =>
      other.getByRole("button", { name: "Approve" }).click(),
    );
    const tokens = await client.exchange(client.read(yes.url, asked), asked);
    expect((await client.callUser(tokens.access_token)).status).toBe(200);

    // Remembered: after the second step the browser goes straight on to the application.
    const again = await newcomer();
    const remembered = await client.ask();
    await again.goto(remembered.url);
    await signIn(again, role);
    const straight = await arriveAtClient(again, () => giveCode(again, backupCodes[1] ?? ""));
    expect(straight.url.searchParams.get("code")).toMatch(/^adj_ac_/);

    await page.goto("/account");
    await look(page, "account-with-everything");
    const [download] = await Promise.all([
      page.waitForEvent("download"),
      page.getByRole("button", { name: "Download" }).click(),
    ]);
    expect(download.suggestedFilename()).toBe("adjutant-account.json");

    await page.getByRole("link", { name: "Delete account" }).click();
    await expect(page.getByText(/applications? loses? access to your data\./)).toBeVisible();
    await expect(page.getByText(/applications? of yours stops? working\./)).toBeVisible();
    await look(page, "delete-account");
    await page.getByLabel(/to confirm/).fill("Somebody else");
    await page.getByRole("button", { name: "Delete my account" }).click();
    await expect(page.getByText("That name does not match.")).toBeVisible();
    await page.getByLabel(/to confirm/).fill(demoPersonOf(role).name);
    await page.getByRole("button", { name: "Delete my account" }).click();
    await expect(page.getByRole("heading", { level: 1 })).toHaveText("Your account is deleted");
    await look(page, "account-deleted");
    for (const browser of [page, other, again]) expect(await isSignedIn(browser)).toBe(false);
    expect((await client.callUser(tokens.access_token)).status).toBe(401);
  });

  await test.step("signing in later opens a new account, without a second factor", async () => {
    await signIn(page, role);
    expect(await isSignedIn(page)).toBe(true);
    await page.goto("/account/apps");
    await expect(page.getByText("No application is connected")).toBeVisible();
  });
});

test.describe("without script", () => {
  test.use({ javaScriptEnabled: false });

  test("the second step, lending a key and deleting the account work", async ({
    page,
    newcomer,
  }) => {
    await signIn(page, role);
    const begun = await (await callPortal(page, "secondFactor.begin", {})).json();
    const app = authenticatorApp(begun.result.data.json.secret, () => new Date());
    const confirmed = await callPortal(page, "secondFactor.confirm", {
      code: app.code(),
      keep: [],
    });
    expect(confirmed.status()).toBe(200);

    const other = await newcomer();
    await other.goto("/sign-in?next=/account");
    await signIn(other, role);
    await giveCode(other, app.code(1));
    await other.waitForURL("/account");
    // Demo players lend their keys from the start; a new account does not.
    const stop = other.getByRole("button", { name: "Stop lending" });
    if (await stop.isVisible()) await stop.click();
    await other.getByRole("button", { name: "Lend my key" }).click();
    await stop.click();
    await expect(other.getByText("Not lent")).toBeVisible();
    await other.goto("/account/delete");
    await other.getByLabel(/to confirm/).fill(demoPersonOf(role).name);
    await other.getByRole("button", { name: "Delete my account" }).click();
    await expect(other.getByRole("heading", { level: 1 })).toHaveText("Your account is deleted");
  });
});
