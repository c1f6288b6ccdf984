import type { Page } from "playwright/test";
import {
  type ChatProviderDouble,
  startChatProvider,
} from "#server/testing/chat-provider/start-chat-provider";
import { freePort } from "#server/testing/free-port";
import { startProduct } from "#server/testing/product";
import { demoPersonOf } from "#simulator/demo-people";
import { arriveAtClient } from "../support/arrive-at-client";
import { look } from "../support/look";
import { openClient } from "../support/open-client";
import { beSignedIn, signIn } from "../support/sign-in";
import { test as base, expect } from "../support/test";

const chatId = "1234567890123456789";

const pagesOfOperator = {
  POLICY_URL: "https://operator.example/privacy",
  CONTACT_URL: "mailto:help@operator.example",
};

/** With a real OpenID provider on loopback. */
const test = base.extend<object, { chat: ChatProviderDouble & { readonly port: string } }>({
  chat: [
    async ({ playwright: _playwright }, use) => {
      const port = String(await freePort());
      const chat = await startChatProvider(`http://localhost:${port}`);
      await use({ ...chat, port });
      chat.stop();
    },
    { scope: "worker", timeout: 700_000 },
  ],
  product: [
    async ({ chat }, use) => {
      const product = await startProduct({ ...chat.settings, ...pagesOfOperator, PORT: chat.port });
      await use(product);
      await product.stop();
    },
    { scope: "worker", timeout: 700_000 },
  ],
});

/** Signs in at the chat and agrees. */
async function agreeAtChat(page: Page, account: string): Promise<void> {
  await page.getByLabel("Account").fill(account);
  await page.getByRole("button", { name: "Authorize" }).click();
}

const continueWithChat = (page: Page) =>
  page.getByRole("button", { name: "Continue with the chat" }).click();

test("a player links their chat account, signs in with it, and unlinks it", async ({
  page,
  newcomer,
}) => {
  await beSignedIn(page, "member");
  await page.goto("/account");
  await page.getByRole("button", { name: "Link a chat account" }).click();
  await agreeAtChat(page, chatId);
  await expect(page.getByText("Your chat account is linked.")).toBeVisible();
  await expect(page.getByText(chatId)).toBeVisible();
  await look(page, "account-chat-linked");

  const library = await newcomer();
  await library.goto("/sign-in?next=/account/sessions");
  await look(library, "sign-in-with-chat");
  await continueWithChat(library);
  await agreeAtChat(library, chatId);
  await library.waitForURL("/account/sessions");
  await expect(
    library.getByRole("banner").getByText(demoPersonOf("member").name).first(),
  ).toBeVisible();

  await page.locator("summary", { hasText: "Unlink the chat account" }).click();
  await page.getByRole("button", { name: "Unlink the chat account" }).click();
  await expect(page.getByText("Unlinked.")).toBeVisible();
  const stranger = await newcomer();
  await stranger.goto("/sign-in");
  await continueWithChat(stranger);
  await agreeAtChat(stranger, chatId);
  await expect(
    stranger.getByText("This chat account is not linked to a player here."),
  ).toBeVisible();
});

test("who does not agree at the chat is told so, and nothing is linked", async ({ page }) => {
  await page.goto("/sign-in");
  await continueWithChat(page);
  await page.getByRole("button", { name: "Cancel" }).click();
  await expect(page.getByText("You did not approve the sign-in in the chat.")).toBeVisible();
  await look(page, "sign-in-chat-declined");
  await signIn(page, "outsider");
  await page.goto("/account");
  await page.getByRole("button", { name: "Link a chat account" }).click();
  await page.getByRole("button", { name: "Cancel" }).click();
  await expect(page.getByText("nothing was linked")).toBeVisible();
  await expect(page.getByRole("button", { name: "Link a chat account" })).toBeVisible();
});

test("a remembered consent is reached through the chat in one go, and no page's policy blocks it (AZ-46, AZ-50)", async ({
  page,
  newcomer,
  product,
}) => {
  const client = await openClient(await newcomer(), product.url, { name: "Chatty" });
  const account = "2234567890123456789";
  await beSignedIn(page, "loner");
  await page.goto("/account");
  await page.getByRole("button", { name: "Link a chat account" }).click();
  await agreeAtChat(page, account);
  await expect(page.getByText("Your chat account is linked.")).toBeVisible();
  await page.context().clearCookies({ name: "adjutant_session" });

  // The chat remembers this browser and answers without a question.
  const first = await client.ask();
  await page.goto(first.url);
  await expect(page.getByText("Chatty asks for access")).toBeVisible();
  await continueWithChat(page);
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Chatty asks for access");
  const approved = await arriveAtClient(page, () =>
    page.getByRole("button", { name: "Approve" }).click(),
  );
  client.read(approved.url, first);
  await page.context().clearCookies({ name: "adjutant_session" });

  const second = await client.ask();
  await page.goto(second.url);
  const arrival = await arriveAtClient(page, () => continueWithChat(page));
  const tokens = await client.exchange(client.read(arrival.url, second), second);
  expect((await client.callUser(tokens.access_token)).status).toBe(200);
});

test("the operator's pages are linked at the foot of every page, those that are set", async ({
  page,
}) => {
  for (const path of ["/", "/docs", "/sign-in", "/account-deleted"]) {
    await page.goto(path);
    const links = page.getByRole("navigation", { name: "This service" }).getByRole("link");
    await expect(links).toHaveText(["Privacy policy", "Contact"]);
    expect(await links.first().getAttribute("href")).toBe(pagesOfOperator.POLICY_URL);
    expect(await links.last().getAttribute("href")).toBe(pagesOfOperator.CONTACT_URL);
  }
});
