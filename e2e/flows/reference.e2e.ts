import type { Page } from "playwright/test";
import { demoPersonOf } from "#simulator/demo-people";
import { look } from "../support/look";
import { registerApplication } from "../support/register-application";
import { beSignedIn } from "../support/sign-in";
import { expect, test } from "../support/test";

const answerOn = (page: Page) => page.getByRole("region", { name: "Answer to your call" });

test("an endpoint is tried on its own page: sign-in and consent lead back there, and the next page has the token already", async ({
  page,
}) => {
  await page.goto("/docs/api/get-user");
  await page.getByRole("link", { name: "Sign in to try it" }).first().click();
  await page.getByLabel("Torn API key").fill(demoPersonOf("outsider").key);
  await page.getByRole("button", { name: "Sign in", exact: true }).click();
  await page.waitForURL("/docs/api/get-user#try-it");
  const create = page.getByRole("button", { name: /Create .My playground/ });
  const connect = page.getByRole("button", { name: "Connect" });
  await expect(create.or(connect)).toBeVisible();
  if (await create.isVisible()) await create.click();
  // Preselected from the endpoint's requirements.
  await expect(page.getByRole("checkbox", { name: "identity" })).toBeChecked();
  await look(page, "docs-try-connect");
  await connect.click();
  await page.getByRole("button", { name: "Approve" }).click();
  await page.waitForURL("/docs/api/get-user#try-it");
  await page.getByRole("button", { name: "Send" }).click();
  await expect(answerOn(page)).toContainText("200");
  await expect(answerOn(page)).toContainText(demoPersonOf("outsider").name);
  await look(page, "docs-try-answered");

  await page.setViewportSize({ width: 1280, height: 800 });
  await page
    .getByRole("navigation", { name: "Documentation" })
    .getByRole("link", { name: "Get Specific User" })
    .click();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Get Specific User");
  await page
    .getByRole("textbox", { name: "user_id" })
    .fill(String(demoPersonOf("banker").playerId));
  await page.getByRole("button", { name: "Send" }).click();
  await expect(answerOn(page)).toContainText(demoPersonOf("banker").name);

  // The missing scope is named and can be requested.
  await page
    .getByRole("navigation", { name: "Documentation" })
    .getByRole("link", { name: "Get Organized Crime Delays" })
    .click();
  await expect(page.getByText("faction:crimes, not granted")).toBeVisible();
  await page.getByRole("button", { name: "Connect again" }).click();
  await expect(page.getByRole("checkbox", { name: "faction:crimes" })).toBeChecked();
});

test("samples carry the reader's own application, never its secret; a visitor's page carries nobody's", async ({
  page,
  newcomer,
}) => {
  await beSignedIn(page, "loner");
  await page.goto("/developers");
  const first = await registerApplication(page, {
    name: "Sample One",
    site: "https://one.example",
    scopes: ["identity"],
  });
  const second = await registerApplication(page, {
    name: "Sample Two",
    site: "https://two.example",
    scopes: [],
  });
  await page.goto("/docs/api/get-user");
  const section = page.getByRole("region", { name: "With your application" });
  // The one that may make the call, though the other is newer.
  await expect(section).toContainText(first.clientId);
  for (const language of ["curl", "TypeScript", "Python"]) {
    await section.getByRole("tab", { name: language }).click();
    await expect(section.getByRole("tabpanel")).toContainText(first.clientId);
    await expect(section.getByRole("tabpanel")).toContainText("/api/v1/user");
  }
  await section.getByLabel("Application").selectOption({ label: "Sample Two" });
  await section.getByRole("button", { name: "Show" }).click();
  await expect(section).toContainText(second.clientId);
  await expect(section).toContainText("not registered for identity");
  for (const secret of [first.clientSecret, second.clientSecret])
    expect(await page.content()).not.toContain(secret ?? "-");

  const stranger = await newcomer();
  await stranger.goto("/docs/api/get-user");
  for (const { clientId } of [first, second])
    expect(await stranger.content()).not.toContain(clientId);
});

test("Ctrl+K finds pages by keyboard alone, and one's own applications", async ({ page }) => {
  await beSignedIn(page, "loner");
  await page.goto("/developers");
  const own = await registerApplication(page, {
    name: "Found Again",
    site: "https://found.example",
    scopes: [],
  });
  await page.goto("/docs");
  await page.keyboard.press("Control+k");
  const box = page.getByRole("combobox");
  await expect(box).toBeFocused();
  await box.fill("4004");
  await expect(page.getByRole("option").first()).toHaveAttribute("aria-selected", "true");
  await look(page, "docs-search-dialog");
  await page.keyboard.press("Enter");
  await page.waitForURL("/docs/errors/4004");
  await expect(page.getByRole("dialog")).toHaveCount(0);

  await page.keyboard.press("Control+k");
  await box.fill("found again");
  await expect(page.getByRole("option").first()).toContainText("Your application");
  await page.keyboard.press("Escape");
  await expect(page.getByRole("dialog")).toHaveCount(0);
  await page.keyboard.press("Control+k");
  await box.fill("found again");
  await page.getByRole("option").first().click();
  await page.waitForURL(`/developers/apps/${own.clientId}`);
});

test("each guide's outline names its sections, all of them, in their order", async ({ page }) => {
  const pages = [
    "",
    "/oauth",
    "/limits",
    "/versioning",
    "/events",
    "/webhooks",
    "/estimates",
    "/factions",
    "/changelog",
    "/scopes",
    "/api",
    "/errors",
  ];
  for (const path of [...pages, "/api/get-user", "/api/create-faction-vault-request"]) {
    await page.goto(`/docs${path}`);
    const outline = page.getByRole("navigation", { name: "On this page" });
    const named = await outline
      .getByRole("link")
      .evaluateAll((links) => links.map((link) => link.getAttribute("href")));
    const headings = await page
      .locator("main h2[id]")
      .evaluateAll((all) => all.map(({ id }) => `#${id}`));
    expect([path, named]).toEqual([path, headings]);
  }
});

test("a guide is Markdown at its address with .md, which a button copies; llms.txt and the feed lead to it", async ({
  page,
  context,
}) => {
  const read = async (address: string) => {
    const answer = await page.request.get(address);
    return { type: answer.headers()["content-type"], text: await answer.text() };
  };
  const markdown = await read("/docs/oauth.md");
  expect(markdown.type).toBe("text/markdown; charset=utf-8");
  expect(markdown.text).toMatch(/^# OAuth guide\n/);
  const list = await read("/llms.txt");
  for (const [, address = ""] of list.text.matchAll(/\]\((http[^)]+)\)/g))
    expect([address, (await page.request.get(address)).status()]).toEqual([address, 200]);
  expect((await page.request.get("/docs/no-such-guide.md")).status()).toBe(404);

  await context.grantPermissions(["clipboard-read", "clipboard-write"]);
  await page.goto("/docs/oauth");
  await page.getByRole("button", { name: "Copy as Markdown" }).click();
  await expect(page.getByRole("button", { name: "Copied" })).toBeVisible();
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(markdown.text);

  const feed = page.locator('link[rel="alternate"][type="application/atom+xml"]');
  expect((await read((await feed.getAttribute("href")) ?? "")).type).toBe(
    "application/atom+xml; charset=utf-8",
  );
});

test.describe("without script", () => {
  test.use({ javaScriptEnabled: false });

  test("the search is a page", async ({ page }) => {
    await page.goto("/docs");
    await page.getByRole("link", { name: "Search" }).click();
    await page.getByRole("searchbox").fill("vault request");
    await page.getByRole("button", { name: "Search" }).click();
    await page.getByRole("link", { name: "Create Faction Vault Request" }).click();
    await expect(page.getByRole("heading", { level: 1 })).toHaveText(
      "Create Faction Vault Request",
    );
    await page.goto("/docs/search?q=X-RateLimit-Reset");
    await page.getByRole("main").getByRole("link", { name: "X-RateLimit-Reset" }).click();
    await expect(page).toHaveURL("/docs/api#headers");
    await page.goto("/docs/search?q=zzz");
    await expect(page.getByText("Nothing found")).toBeVisible();
  });
});
