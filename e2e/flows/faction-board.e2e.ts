import { demoPersonOf } from "#simulator/demo-people";
import { look } from "../support/look";
import { beSignedIn } from "../support/sign-in";
import { expect, test } from "../support/test";

/** Longer than the board's former poll interval, and than a heartbeat. */
const quietMs = 20_000;

test("members are filtered by an address that can be kept, and the board is read, without script", async ({
  browser,
  product,
}) => {
  const context = await browser.newContext({ baseURL: product.url, javaScriptEnabled: false });
  const page = await context.newPage();
  await beSignedIn(page, "member");
  await page.goto("/faction");
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Board");
  await expect(page.getByRole("heading", { name: "Retaliations" })).toBeVisible();
  await page.getByRole("searchbox", { name: "Name" }).fill(demoPersonOf("banker").name);
  await page.getByRole("button", { name: "Filter" }).click();
  await expect(page).toHaveURL(
    `/faction?name=${demoPersonOf("banker").name}&state=&active=#members`,
  );
  await expect(page.getByRole("rowheader")).toHaveCount(1);
  await page.getByRole("link", { name: "Load again" }).click();
  await expect(page).toHaveURL("/faction");
  await context.close();
});

test("a player without a faction is told what would be there", async ({ page }) => {
  await beSignedIn(page, "loner");
  await page.goto("/faction");
  await expect(page.getByText("You are not in a faction")).toBeVisible();
  await look(page, "faction-board-nobody");
});

test("a word in the address that no filter knows filters nothing", async ({ page }) => {
  await beSignedIn(page, "member");
  await page.goto(`/faction?state=${"x".repeat(300)}&active=yesterday&name=${"y".repeat(300)}`);
  await expect(page.getByRole("rowheader", { name: demoPersonOf("member").name })).toBeVisible();
});

test("an open board shows a hit without being loaded again, and asks for nothing while nothing happens", async ({
  page,
}) => {
  await beSignedIn(page, "developer");
  const asked: string[] = [];
  page.on("request", (request) => {
    if (request.url().includes("/api/trpc/")) asked.push(request.url());
  });
  const opened = page.waitForResponse((answer) => answer.url().endsWith("/faction/events"));
  await page.goto("/faction");
  expect((await opened).status()).toBe(200);
  // After connecting it fetches missed changes, and until the first reading it polls. The world may
  // hold a hit from before its start.
  const listed = page.getByText(/^(No open retaliations|\d:\d\d left)$/);
  await expect(listed.first()).toBeVisible({ timeout: 180_000 });
  // The first readings of the game are announced one by one.
  let before = 0;
  await expect(async () => {
    before = asked.length;
    await page.waitForTimeout(quietMs);
    expect(asked.slice(before)).toEqual([]);
  }).toPass();

  const headers = { "sec-fetch-site": "same-origin" };
  const csrf = await page.locator('meta[name="csrf-token"]').getAttribute("content");
  await page.request.post("/demo/act", {
    headers,
    form: { act: "hit", csrf: csrf ?? "" },
    maxRedirects: 0,
  });
  const own = page
    .getByRole("listitem")
    .filter({ hasText: `hit ${demoPersonOf("developer").name}` });
  await expect(own.getByText(/\d:\d\d left/)).toBeVisible({ timeout: 180_000 });
  await expect(page, "a tab in the background shows how many").toHaveTitle(
    /^\(\d+\) Faction board/,
  );
  const parts = asked.slice(before).map((url) => new URL(url).pathname);
  expect([...new Set(parts)]).toEqual(["/api/trpc/factionBoard.hits"]);
  await look(page, "faction-board-hit");
});
