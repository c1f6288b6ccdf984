import { goodReceiver, isSigned, openHookReceiver } from "#server/testing/open-hook-receiver";
import { look, threeWidths } from "../support/look";
import { expectWithinBudget } from "../support/script-budgets";
import { beSignedIn } from "../support/sign-in";
import { expect, test } from "../support/test";

/** The webhook is the account's only one, so no other flow may give this player one. */
test("a player adds a webhook for notices, chooses kinds, is told of a sign-in, and removes it (PT-25)", async ({
  browser,
  page,
  product,
}) => {
  const receiver = await openHookReceiver();
  await beSignedIn(page, "loner");
  await page.goto("/account/notices");
  await page.getByRole("link", { name: "Get them by chat or webhook" }).click();
  const notice = page.getByRole("status").filter({ hasText: /\S/ });
  const box = (name: string) => page.getByRole("checkbox", { name });
  await expect(page.getByText("This site is not connected to a chat")).toBeVisible();
  await expect(box("Webhook: New sign-in")).toBeDisabled();
  await look(page, "notifications", threeWidths);

  await page.getByRole("textbox", { name: "URL" }).fill(receiver.url);
  await page.getByRole("button", { name: "Add endpoint" }).click();
  await expect(page.getByText("Store this secret now. It is shown once.")).toBeVisible();
  const secret = await page
    .locator("dt", { hasText: "Webhook secret" })
    .locator("+ dd code")
    .innerText();
  receiver.behave(goodReceiver(() => secret));
  await page.getByRole("link", { name: "Verify the endpoint" }).click();
  await page.getByRole("button", { name: "Verify endpoint" }).click();
  await expect(page.getByText("Ready", { exact: true })).toBeVisible();
  await expectWithinBudget(page, "/account/notifications/[endpointId]");
  await look(page, "notifications-webhook", threeWidths);
  const tab = (name: string) =>
    page
      .getByRole("navigation", { name: "Webhook endpoint" })
      .getByRole("link", { name, exact: true })
      .click();
  await tab("Test and replay");
  await page.getByLabel("Type").selectOption("notice.token_theft");
  await page.getByRole("button", { name: "Send test event" }).click();
  await expect(page.getByText("Delivered", { exact: true })).toBeVisible();
  expect(receiver.events()).toMatchObject([{ body: { type: "notice.token_theft", test: true } }]);
  await expectWithinBudget(page, "/account/notifications/[endpointId]/send");
  await look(page, "notifications-send", threeWidths);

  await page.getByRole("link", { name: "Notifications", exact: true }).first().click();
  await expect(box("Webhook: New sign-in")).toBeChecked();
  await box("Webhook: Verification").uncheck();
  await page.getByRole("button", { name: "Save choices" }).click();
  await expect(notice).toContainText("Your choices are saved.");
  await expect(box("Webhook: Verification")).not.toBeChecked();
  await expect(box("Webhook: New sign-in")).toBeChecked();
  await look(page, "notifications-saved", threeWidths);

  receiver.behave(goodReceiver(() => secret));
  const elsewhere = await browser.newContext({
    baseURL: product.url,
    userAgent: "Mozilla/5.0 (X11; CrOS x86_64) Gecko/20100101 Firefox/133.0",
  });
  await beSignedIn(await elsewhere.newPage(), "loner");
  await elsewhere.close();
  await expect.poll(() => receiver.events().length).toBe(1);
  const [told] = receiver.events();
  expect(told?.body).toMatchObject({
    type: "notice.sign_in",
    data: { notice: "new-sign-in", href: `${product.url}/account/sessions` },
  });
  expect(told && isSigned(secret, told)).toBe(true);
  await page.goto("/account/notices");
  await expect(page.getByText("New sign-in with your game key: Firefox on ChromeOS")).toBeVisible();

  await page.goto("/account/notifications");
  await page.getByRole("link", { name: "Deliveries and settings" }).click();
  await expect(page.getByRole("table", { name: "Deliveries" })).toContainText("notice.sign_in");
  await tab("Settings");
  await expectWithinBudget(page, "/account/notifications/[endpointId]/settings");
  await page.locator("summary", { hasText: "Remove endpoint" }).click();
  await look(page, "notifications-settings", threeWidths);
  await page.getByRole("button", { name: "Remove endpoint" }).click();
  await expect(notice).toContainText("The webhook is removed.");
  await receiver.close();
});

test("with a linked chat account each kind has a box for it, which works without script", async ({
  browser,
  page,
  product,
}) => {
  await beSignedIn(page, "developer");
  await page.goto("/account/notifications");
  await look(page, "notifications-chat", threeWidths);
  const storageState = await page.context().storageState();
  const context = await browser.newContext({
    ...{ javaScriptEnabled: false, baseURL: product.url, storageState },
  });
  const plain = await context.newPage();
  await plain.goto("/account/notifications");
  const box = plain.getByRole("checkbox", { name: "Chat message: New application" });
  await expect(plain.getByText("Chat messages go to your linked chat account")).toBeVisible();
  for (const isOn of [false, true]) {
    await box.setChecked(isOn);
    await plain.getByRole("button", { name: "Save choices" }).click();
    await expect(plain.getByText("Your choices are saved.")).toBeVisible();
    expect(await box.isChecked()).toBe(isOn);
  }
  await context.close();
});
