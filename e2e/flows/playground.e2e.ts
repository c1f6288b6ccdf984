import { demoPersonOf } from "#simulator/demo-people";
import { look } from "../support/look";
import { beSignedIn } from "../support/sign-in";
import { expect, test } from "../support/test";

test("the playground runs the real flow in the browser, and calls the API (PKCE, hosted callback)", async ({
  page,
  product,
}) => {
  const exchanges: Record<string, string>[] = [];
  page.on("request", (request) => {
    if (new URL(request.url()).pathname === "/oauth/token")
      exchanges.push(Object.fromEntries(new URLSearchParams(request.postData() ?? "")));
  });
  // A player without a public application.
  await beSignedIn(page, "outsider");
  await page.goto("/developers/playground");
  await page.getByRole("button", { name: /Create .My playground/ }).click();
  await page.getByRole("button", { name: "Connect" }).click();

  await expect(page.getByRole("heading", { level: 1 })).toHaveText("My playground asks for access");
  // A public application can be imitated, so the player is warned and asked each time (AZ-44).
  await expect(page.getByText("Make sure that you started this")).toBeVisible();
  await page.getByRole("button", { name: "Approve" }).click();

  await page.waitForURL("/developers/playground**");
  await expect(page.getByText("Connected", { exact: true })).toBeVisible();
  expect(exchanges).toEqual([
    expect.objectContaining({
      grant_type: "authorization_code",
      code: expect.stringMatching(/^adj_ac_/),
      redirect_uri: expect.stringMatching(new RegExp(`^${product.url}/oauth/[^/]+/callback$`)),
      code_verifier: expect.stringMatching(/^[\w.~-]{43,128}$/),
    }),
  ]);
  expect(exchanges[0]).not.toHaveProperty("client_secret");

  await page.getByRole("button", { name: "Send" }).click();
  const answer = page.getByRole("region", { name: "Answer to your call" });
  const { playerId, name } = demoPersonOf("outsider");
  await expect(answer).toContainText("200");
  await expect(answer).toContainText(`${name} [${playerId}]`);
  // Never through a JavaScript number: every digit arrives on the screen.
  await expect(answer).toContainText(/"chat_id": \d{16,}/);
  await expect(answer).toContainText("x-ratelimit-remaining");
});

test("the playground tries calls that write, repeat and have no body", async ({ page }) => {
  await beSignedIn(page, "member");
  await page.goto("/developers/playground");
  await page.getByRole("button", { name: /Create .My playground/ }).click();
  await expect(page.getByRole("button", { name: "Connect" })).toBeVisible();
  for (const box of await page.getByRole("checkbox").all()) await box.check();
  await page.getByRole("button", { name: "Connect" }).click();
  await page.getByRole("button", { name: "Approve" }).click();
  await expect(page.getByText("Connected", { exact: true })).toBeVisible();

  const answer = page.getByRole("region", { name: "Answer to your call" });
  const open = async (title: string) => {
    const option = page.getByLabel("Endpoint").locator("option", { hasText: title });
    await page.getByLabel("Endpoint").selectOption((await option.getAttribute("value")) ?? "");
    await page.getByRole("textbox", { name: "faction_id" }).fill("7001");
  };
  const send = () => page.getByRole("button", { name: "Send" }).click();

  await page.getByRole("button", { name: "Start" }).click();
  await expect(page.getByText("Live", { exact: true })).toBeVisible();
  await open("Create Faction Vault Request");
  await page.getByRole("textbox", { name: "Idempotency-Key" }).fill("playground");
  await page.getByLabel("Body").fill('{"amount": "1k", "type": "money_balance"}');
  await send();
  await expect(answer).toContainText('"amount": 1000');
  const id = /"id": (\d+)/.exec(await answer.innerText())?.[1] ?? "";
  // The same request again, and not a second one.
  const [first = ""] = /x-request-id: \S+/.exec(await answer.innerText()) ?? [];
  await send();
  await expect(answer).not.toContainText(first);
  await expect(answer).toContainText(`"id": ${id},`);

  const told = page.getByRole("list", { name: "Events" }).getByRole("listitem");
  await expect(told.first()).toContainText("vault_request.created");
  await expect(told.first()).toContainText(`"id": "${id}"`);
  await look(page, "playground-events");
  await page.getByRole("button", { name: "Stop" }).click();
  await expect(page.getByText("Stopped", { exact: true })).toBeVisible();

  await open("List Vault Requests");
  await page.getByRole("textbox", { name: "limit" }).fill("1");
  await send();
  await expect(answer).toContainText("limit=1");
  await expect(answer).toContainText("etag:");

  await open("Cancel Faction Vault Request");
  await page.getByRole("textbox", { name: "request_id" }).fill(id);
  await send();
  await expect(answer).toContainText("204 No Content");
  await expect(answer).toContainText("(no body)");
  await send();
  await expect(answer).toContainText("409");
  await expect(answer.getByRole("link", { name: /error 1601/ })).toHaveAttribute(
    "href",
    "/docs/errors/1601",
  );
});

test("the hosted callback repeats nothing that a stranger writes into its address, and tells nobody else", async ({
  page,
}) => {
  const lure = "Call 555-0199 to unlock your account";
  const odd = new URLSearchParams({
    error: lure,
    error_description: lure,
    code: lure,
    state: lure,
  });
  const answer = await page.goto(`/oauth/${"0".repeat(32)}/callback?${odd}`);
  expect(await answer?.allHeaders()).toMatchObject({
    "cache-control": expect.stringContaining("no-store"),
  });
  await expect(page.locator('meta[name="referrer"]')).toHaveAttribute("content", "no-referrer");
  await expect(page.getByRole("heading", { name: "There is no code here" })).toBeVisible();
  expect(await page.locator("body").innerText()).not.toContain(lure);
});
