import { demoPersonOf } from "#simulator/demo-people";
import { look } from "../support/look";
import { beSignedIn } from "../support/sign-in";
import { expect, test } from "../support/test";

test("what a form could not do is said on its page, without client script", async ({
  browser,
  product,
}) => {
  const context = await browser.newContext({ javaScriptEnabled: false, baseURL: product.url });
  const page = await context.newPage();
  await beSignedIn(page, "developer");

  await page.goto("/faction/banking");
  await page.getByLabel("Amount").fill("900b");
  await page.getByLabel("Expires after").selectOption("4h");
  await page.getByRole("button", { name: "Send request" }).click();
  const alert = page.getByRole("alert");
  await expect(alert).toContainText("No request was made");
  await expect(alert).toContainText("Not enough: $");
  await expect(page.getByLabel("Amount")).toHaveValue("900b");
  await expect(page.getByLabel("Expires after")).toHaveValue("4h");

  await page.goto("/faction/chat");
  await page.getByLabel("Server ID").fill("12345");
  await page.getByRole("button", { name: "Change the server" }).click();
  await expect(alert).toContainText("Our bot is not in that server.");

  await page.goto("/account/delete");
  await page.getByLabel(/to confirm/).fill("Somebody else");
  await page.getByRole("button", { name: "Delete my account" }).click();
  await expect(page.getByText("That name does not match.")).toBeVisible();
  await context.close();
});

test("no address makes a page say what is not its own sentence", async ({ page }) => {
  await beSignedIn(page, "developer");
  for (const path of ["/faction/banking", "/faction/chat", "/account/sessions", "/account/apps"])
    for (const query of ["error", "done"]) {
      await page.goto(`${path}?${query}=${encodeURIComponent("Your key was stolen")}`);
      await expect(page.getByText("Your key was stolen")).toHaveCount(0);
      await expect(page.getByRole("alert").filter({ hasText: /\S/ })).toHaveCount(0);
    }
});

test("pages with an error are in order on every screen, in both themes", async ({ page }) => {
  await beSignedIn(page, "developer");
  for (const [name, address] of [
    ["error-banking", "/faction/banking?error=1602&amount=900b"],
    ["error-chat", "/faction/chat?error=silent"],
    ["error-apps", "/account/apps?done=gone"],
    ["account-switches", "/account"],
  ] as const) {
    await page.goto(address);
    await look(page, name);
  }
});

test("a plain form shows that it is on its way, and is sent once however often its button is pressed", async ({
  page,
}) => {
  let sent = 0;
  // Such an answer leaves the page in place, as a file does.
  await page.route("**/sign-in/key", (route) => {
    sent += 1;
    return route.fulfill({ status: 204 });
  });
  await page.goto("/sign-in");
  const button = page.getByRole("button", { name: demoPersonOf("member").name });
  await button.click();
  await expect(button).toHaveAttribute("aria-disabled", "true");
  await button.click({ force: true });
  await expect(button).not.toHaveAttribute("aria-disabled");
  expect(sent).toBe(1);
  await button.click();
  await expect.poll(() => sent).toBe(2);
});
