import type { Page } from "playwright/test";
import { look } from "../support/look";
import { beSignedIn } from "../support/sign-in";
import { expect, test } from "../support/test";

test.use({ javaScriptEnabled: false });

/** The demo links its server once its members are read, some time after the start. */
const openLinkedServer = (page: Page) =>
  expect(async () => {
    await page.goto("/faction/chat");
    await expect(
      page.getByText("Requests to the vault are shown in the server's banking channel."),
    ).toBeVisible({ timeout: 1_000 });
  }).toPass();

test("a faction and a chat server are linked from both sides, and each side takes it back, without script", async ({
  page,
  newcomer,
}) => {
  await beSignedIn(page, "developer");
  await openLinkedServer(page);
  await page.locator("summary", { hasText: "Unlink the server" }).click();
  await page.getByRole("button", { name: "Unlink the server" }).click();
  await expect(
    page.getByText("Your faction has not chosen a chat server.", { exact: false }).first(),
  ).toBeVisible();
  await page.getByLabel("Server ID").fill("12345");
  await page.getByRole("button", { name: "Save" }).click();
  await expect(page.getByText("Our bot is not in that server.")).toBeVisible();
  await page.getByRole("button", { name: "Choose" }).first().click();
  await expect(
    page.getByText("Requests to the vault are shown in the server's banking channel."),
  ).toBeVisible();

  await page.getByRole("link", { name: "Set up the server's side" }).click();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Lanternwatch Hall");
  await page.getByLabel("Banking channel").selectOption({ label: "None: banking is off" });
  await page.getByRole("button", { name: "Save" }).click();
  await expect(page.getByText("Banking is off.")).toBeVisible();

  const member = await newcomer();
  await beSignedIn(member, "member");
  await member.goto("/faction/chat");
  await expect(member.getByText("Linked, but banking is not set up")).toBeVisible();
  await expect(member.getByLabel("Server ID")).toHaveCount(0);

  await page.getByLabel("Banking channel").selectOption({ label: "#vault" });
  await page.getByRole("button", { name: "Save" }).click();
  await expect(page.getByText("Banking channel saved.")).toBeVisible();
  await member.reload();
  await expect(
    member.getByText("Requests to the vault are shown in the server's banking channel."),
  ).toBeVisible();
});

test("a leader chooses the channel for hits and delayed crimes, and takes the choice back, without script", async ({
  page,
  newcomer,
}) => {
  await beSignedIn(page, "developer");
  await openLinkedServer(page);
  await expect(page.getByText("Everyone who can read the channel sees this")).toBeVisible();
  await page.getByLabel("Channel").selectOption({ label: "#lobby" });
  await page.getByLabel("Delayed OCs").uncheck();
  await page
    .locator("form", { hasText: "What to show" })
    .getByRole("button", { name: "Save" })
    .click();
  await expect(page.getByText("What happens from now on is shown in the channel.")).toBeVisible();
  await expect(page.getByLabel("Retaliations")).toBeChecked();
  await expect(page.getByLabel("Delayed OCs")).not.toBeChecked();

  const member = await newcomer();
  await beSignedIn(member, "member");
  await member.goto("/faction/chat");
  await expect(member.getByText("Retaliations", { exact: true })).toBeVisible();
  await expect(member.getByLabel("Channel")).toHaveCount(0);

  await page.getByLabel("Channel").selectOption({ label: "None: nothing is posted" });
  await page
    .locator("form", { hasText: "What to show" })
    .getByRole("button", { name: "Save" })
    .click();
  await expect(page.getByText("Retaliations and delayed OCs are no longer posted.")).toBeVisible();
});

test.describe("with script", () => {
  test.use({ javaScriptEnabled: true });

  test("the pages of the link are in order on every screen, in both themes", async ({ page }) => {
    await beSignedIn(page, "developer");
    for (const [name, path] of [
      ["faction-chat", "/faction/chat"],
      ["chat-servers", "/chat-servers"],
    ] as const) {
      await page.goto(path);
      await look(page, name);
    }
    await page.getByRole("link", { name: "Lanternwatch Hall" }).click();
    await expect(page.getByRole("heading", { level: 1 })).toHaveText("Lanternwatch Hall");
    await look(page, "chat-server");
  });
});
