import { demoPersonOf } from "#simulator/demo-people";
import { signIn } from "../support/sign-in";
import { expect, test } from "../support/test";

test("a page that everybody shares works as one that is rendered for its reader", async ({
  page,
}) => {
  for (let visit = 0; visit < 2; visit++) {
    await page.goto("/docs");
    await expect(page.getByRole("heading", { level: 1 })).toHaveText("First steps");
    await expect(page.getByRole("banner").getByRole("link", { name: "Sign in" })).toBeVisible();
  }
  await page.getByRole("button", { name: "Dark" }).first().click();
  await expect(page.locator("html")).toHaveAttribute("data-theme", "dark");
  await page.reload();
  await expect(page.locator("html")).toHaveAttribute("data-theme", "dark");
  await expect(page.getByRole("button", { name: "Dark" }).first()).toHaveAttribute(
    "aria-pressed",
    "true",
  );
  // Without a new document: its scripts and styles run under the policy of the first.
  await page.evaluate(() => Reflect.set(globalThis, "sameDocument", true));
  await page
    .getByRole("navigation", { name: "Documentation" })
    .getByRole("link", { name: "Endpoints" })
    .click();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Endpoints");
  expect(await page.evaluate(() => Reflect.get(globalThis, "sameDocument"))).toBe(true);
  await page.getByRole("banner").getByRole("link", { name: "Sign in" }).click();
  await expect(page).toHaveURL(/\/sign-in/);
});

test("HD-03: who signs in reads their name on it, nobody else does, and it is gone when they sign out", async ({
  page,
  newcomer,
}) => {
  const name = demoPersonOf("outsider").name;
  const stranger = await newcomer();
  for (const path of ["/", "/docs", "/docs/oauth"]) await page.goto(path);
  await signIn(page, "outsider");
  for (const path of ["/", "/docs", "/docs/oauth"]) {
    await page.goto(path);
    await expect(page.getByRole("banner").getByText(name).first()).toBeVisible();
    await stranger.goto(path);
    await expect(stranger.getByRole("banner").getByRole("link", { name: "Sign in" })).toBeVisible();
    expect(await stranger.content()).not.toContain(name);
  }
  await page.getByRole("banner").getByText(name).first().click();
  await page.getByRole("button", { name: "Sign out" }).click();
  await page.waitForURL("/");
  for (const path of ["/", "/docs", "/docs/oauth"]) {
    await page.goto(path);
    await expect(page.getByRole("banner").getByRole("link", { name: "Sign in" })).toBeVisible();
    expect(await page.content()).not.toContain(name);
  }
});

test("an address that no page has says so in its reader's own frame; a page carries its frame once", async ({
  page,
}) => {
  await signIn(page, "outsider");
  const answer = await page.goto("/no/such/page");
  expect(answer?.status()).toBe(404);
  await expect(page).toHaveTitle("No such page · Adjutant");
  await expect(
    page.getByRole("banner").getByText(demoPersonOf("outsider").name).first(),
  ).toBeVisible();
  for (const path of ["/account", "/developers", "/docs"]) {
    const html = await (await page.request.get(path)).text();
    expect([path, html.split("and the tools you allow to use it").length - 1]).toEqual([path, 1]);
  }
});
