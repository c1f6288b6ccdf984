import type { Page } from "playwright/test";
import { goodReceiver, isSigned, openHookReceiver } from "#server/testing/open-hook-receiver";
import { demoPersonOf } from "#simulator/demo-people";
import { look } from "../support/look";
import { registerApplication } from "../support/register-application";
import { beSignedIn } from "../support/sign-in";
import { expect, test } from "../support/test";
import { watchViolations } from "../support/violations";
import { openVisitor } from "../support/visitor";

const card = (page: Page, title: string) =>
  page.locator("section").filter({ has: page.getByRole("heading", { name: title, exact: true }) });

const shownSecret = (page: Page) =>
  page.locator("dt", { hasText: "Webhook secret" }).locator("+ dd code").innerText();

/** An application of the demo developer with one player, opened at its webhooks page. */
async function openWebhooks(page: Page, url: string, name: string): Promise<string> {
  await beSignedIn(page, "developer");
  await page.goto("/developers");
  const { clientId, clientSecret, redirectUri } = await registerApplication(page, { name });
  const member = await openVisitor(url, demoPersonOf("member").key);
  await member.authorize(
    { clientId, clientSecret: clientSecret ?? "" },
    { redirectUri, scopes: ["identity"] },
  );
  await page.goto(`/developers/apps/${clientId}`);
  await page.getByRole("link", { name: "Add a webhook endpoint" }).click();
  await expect(page.getByText("No endpoint yet")).toBeVisible();
  return clientId;
}

test("a developer adds a webhook endpoint, verifies, tests, rotates, pauses, replays and removes it", async ({
  page,
  product,
}) => {
  const receiver = await openHookReceiver();
  await openWebhooks(page, product.url, "Signal Fire");
  const notice = page.getByRole("status").filter({ hasText: /\S/ });

  await test.step("what is wrong with a URL stands at its field, and what was typed stays", async () => {
    await page.getByRole("textbox", { name: "URL" }).fill("http://bot.example.com/");
    await page.getByRole("checkbox", { name: "grant.approved" }).check();
    await page.getByRole("checkbox", { name: "vault_request.created" }).check();
    await expect(
      page.getByText("Never sent: the application is not registered for faction:banking."),
    ).toBeVisible();
    await page.getByRole("button", { name: "Add endpoint" }).click();
    await expect(page.getByText("A webhook URL must start with https://.")).toBeVisible();
    await expect(page.getByRole("checkbox", { name: "grant.approved" })).toBeChecked();
  });

  await page.getByRole("textbox", { name: "URL" }).fill(receiver.url);
  await page.getByRole("textbox", { name: "Description" }).fill("Production bot");
  await page.getByRole("button", { name: "Add endpoint" }).click();
  await expect(page.getByText("Store this secret now. It is shown once.")).toBeVisible();
  let secret = await shownSecret(page);
  await expect(page.getByRole("row", { name: /Production bot/ })).toContainText("Not verified");
  await look(page, "webhooks-added");
  await page.getByRole("link", { name: "Verify the endpoint" }).click();

  await test.step("an endpoint that accepts forgeries is refused, and both requests are shown", async () => {
    receiver.behave(({ body }, response) => response.end(body.data.code));
    await page.getByRole("button", { name: "Verify endpoint" }).click();
    await expect(page.getByText("A request with a wrong signature was accepted.")).toBeVisible();
    await expect(page.getByText("2. Wrong signature")).toBeVisible();
    await look(page, "webhooks-refused");
  });

  receiver.behave(goodReceiver(() => secret));
  await page.getByRole("button", { name: "Verify endpoint" }).click();
  await expect(
    page.getByText("Your endpoint sent the code back and refused the forged request."),
  ).toBeVisible();
  await expect(page.getByText("Ready", { exact: true })).toBeVisible();

  const deliveries = page.getByRole("table", { name: "Deliveries" }).getByRole("row");
  const tab = (name: string) =>
    page
      .getByRole("navigation", { name: "Webhook endpoint" })
      .getByRole("link", { name, exact: true })
      .click();
  await test.step("a test event is answered, and listed with what came back", async () => {
    await tab("Test and replay");
    await page.getByLabel("Type").selectOption("vault_request.created");
    await page.getByRole("button", { name: "Send test event" }).click();
    await expect(page.getByText("Delivered", { exact: true })).toBeVisible();
    await look(page, "webhooks-send");
    await tab("Deliveries");
    await expect(deliveries.nth(1)).toContainText("vault_request.created");
    await expect(deliveries.nth(1)).toContainText("200");
    await expect(deliveries.nth(1).getByRole("img")).toHaveAccessibleName(/connection [\d.]+ ms/);
    await deliveries.nth(1).getByText("Answer").click();
    await expect(deliveries.nth(1).locator("pre")).toHaveText("ok");
    expect(receiver.events()).toMatchObject([
      { body: { type: "vault_request.created", test: true } },
    ]);
  });

  await test.step("one that fails is listed by its filter", async () => {
    receiver.behave((_request, response) => response.writeHead(503).end("out for lunch"));
    await tab("Test and replay");
    await page.getByRole("button", { name: "Send test event" }).click();
    await expect(page.getByText("Not delivered", { exact: true }).first()).toBeVisible();
    await tab("Deliveries");
    await page.getByRole("link", { name: "Not delivered" }).click();
    await expect(deliveries).toHaveCount(2);
    await expect(deliveries.nth(1)).toContainText("503");
    await look(page, "webhooks-endpoint");
  });

  await test.step("a rotation shows the new secret once, and both sign until the old one ends", async () => {
    const old = secret;
    await tab("Settings");
    // Between two pages there is briefly no title, which axe would report.
    await expect(page.getByRole("button", { name: "Rotate secret" })).toBeVisible();
    await look(page, "webhooks-settings");
    await page.getByLabel("Keep the old secret for").selectOption("2");
    await page.getByRole("button", { name: "Rotate secret" }).click();
    await expect(page.getByText("Store this now. It is shown once.")).toBeVisible();
    secret = await shownSecret(page);
    receiver.behave((_request, response) => response.end("ok"));
    await tab("Test and replay");
    await page.getByRole("button", { name: "Send test event" }).click();
    await expect(page.getByText("Delivered", { exact: true })).toBeVisible();
    const [sent] = receiver.events();
    expect(sent && [old, secret].map((each) => isSigned(each, sent))).toEqual([true, true]);
    await tab("Settings");
    await expect(page.getByText("The one before it signs as well")).toBeVisible();
    expect(await page.content()).not.toContain(secret);
  });

  await test.step("it is paused, and resumed where the developer says", async () => {
    await tab("Deliveries");
    await page.getByRole("button", { name: "Pause" }).click();
    await expect(notice).toContainText("Paused.");
    await look(page, "webhooks-paused");
    await page.getByRole("radio", { name: "From now" }).check();
    await page.getByRole("button", { name: "Resume" }).click();
    await expect(notice).toContainText("The endpoint is enabled.");
  });

  await test.step("what happened in a range of time is sent again, and is listed once it has arrived", async () => {
    receiver.behave((_request, response) => void setTimeout(() => response.end("ok"), 2_000));
    await tab("Test and replay");
    const at = (hours: number) =>
      new Date(Date.now() + hours * 3_600_000).toISOString().slice(0, 19);
    await page.getByLabel("Everything from").fill(at(-1));
    await page.getByLabel("until (UTC)").fill(at(1));
    await page.getByRole("button", { name: "Replay range" }).click();
    await expect(notice).toContainText("1 event is on the way again.");
    await tab("Deliveries");
    await deliveries
      .filter({ hasText: "grant.approved" })
      .first()
      .getByRole("button", { name: "Replay" })
      .click();
    await expect(notice).toContainText("The event is on the way again.");
  });

  await test.step("a replay that is too long for one says what is left, and how to go on", async () => {
    const rest = "done=replayed&count=1000&left=3200&next=unknown&since=2026-01-01T00%3A00%3A00";
    await page.goto(`${new URL(page.url()).pathname}/send?${rest}`);
    await expect(notice).toContainText("1,000 events are on the way again. 3,200 left.");
    await look(page, "webhooks-replay-left");
    await page.getByRole("button", { name: "Replay the next 1,000" }).click();
    await expect(page.getByText("This replay cannot go on. Start it again.")).toBeVisible();
    await page.goBack();
  });

  await page.getByRole("link", { name: "Overview" }).click();
  await expect(page.getByRole("link", { name: "Production bot" })).toBeVisible();
  await page.getByRole("link", { name: "Production bot" }).click();
  await tab("Settings");
  await card(page, "Remove endpoint").locator("summary").click();
  await page.getByRole("button", { name: "Remove endpoint" }).click();
  await expect(notice).toContainText("The endpoint is removed.");
  await expect(page.getByText("No endpoint yet")).toBeVisible();
  await receiver.close();
});

test("a webhook endpoint is changed, paused, resumed, replayed, moved and removed without script", async ({
  page,
  browser,
  product,
}) => {
  const receiver = await openHookReceiver();
  await openWebhooks(page, product.url, "Smoke Signal");
  const tab = (on: Page, name: string) =>
    on
      .getByRole("navigation", { name: "Webhook endpoint" })
      .getByRole("link", { name, exact: true })
      .click();
  await page.getByRole("textbox", { name: "URL" }).fill(receiver.url);
  await page.getByRole("checkbox", { name: "grant.approved" }).check();
  await page.getByRole("button", { name: "Add endpoint" }).click();
  await expect(page.getByText("Store this secret now. It is shown once.")).toBeVisible();
  let secret = await shownSecret(page);
  receiver.behave(goodReceiver(() => secret));
  await page.getByRole("link", { name: "Verify the endpoint" }).click();

  await page.getByRole("button", { name: "Verify endpoint" }).click();
  await expect(page.getByText("Verified: your endpoint sent the code back")).toBeVisible();
  await tab(page, "Test and replay");
  await page.getByRole("button", { name: "Send test event" }).click();
  await expect(page.getByText("Delivered", { exact: true })).toBeVisible();
  await tab(page, "Deliveries");
  await expect(page.getByRole("table", { name: "Deliveries" }).getByRole("row")).toHaveCount(2);

  const state = await page.context().storageState();
  const context = await browser.newContext({
    javaScriptEnabled: false,
    baseURL: product.url,
    storageState: state,
  });
  const plain = await context.newPage();
  const expectNoViolations = await watchViolations(plain);
  const notice = plain.getByRole("status").filter({ hasText: /\S/ });
  await plain.goto(page.url());
  await tab(plain, "Events");
  await plain.getByRole("checkbox", { name: "stocks.tick" }).check();
  await plain.getByRole("textbox", { name: "Description" }).fill("Plain");
  await plain.getByRole("button", { name: "Save events" }).click();
  await expect(notice).toContainText("Events and description are saved.");
  await expect(plain.getByRole("checkbox", { name: "stocks.tick" })).toBeChecked();

  await tab(page, "Settings");
  await page.getByRole("checkbox", { name: "This secret has leaked" }).check();
  await page.getByRole("button", { name: "Rotate secret" }).click();
  await expect(page.getByText("Store this now. It is shown once.")).toBeVisible();
  secret = await shownSecret(page);
  expect(secret).toMatch(/^whsec_/);

  await tab(plain, "Deliveries");
  await plain.getByRole("button", { name: "Pause" }).click();
  await expect(notice).toContainText("Paused.");
  await plain.getByRole("button", { name: "Resume" }).click();
  await expect(notice).toContainText("The endpoint is enabled.");
  await tab(plain, "Test and replay");
  await plain.getByRole("button", { name: "Replay failures" }).click();
  await expect(notice).toContainText("No event was found");

  await test.step("another URL is not sent to before it is verified", async () => {
    receiver.behave((_request, response) => response.writeHead(500).end());
    await tab(plain, "Settings");
    await plain.getByRole("textbox", { name: "URL" }).fill(`${receiver.url}/second`);
    await plain.getByRole("button", { name: "Save URL" }).click();
    await expect(notice).toContainText("The URL is saved.");
    await page.goto(new URL(plain.url()).pathname);
    await page.getByRole("button", { name: "Verify endpoint" }).click();
    await expect(page.getByText("The signed request was answered with 500.")).toBeVisible();
    await tab(plain, "Settings");
  });

  await card(plain, "Remove endpoint").locator("summary").click();
  await plain.getByRole("button", { name: "Remove endpoint" }).click();
  await expect(notice).toContainText("The endpoint is removed.");
  expectNoViolations();
  await context.close();
  await receiver.close();
});
