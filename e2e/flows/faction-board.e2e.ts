import { demoPerson } from "#simulator/demo-people";
import { look } from "../support/look";
import { beSignedIn } from "../support/sign-in";
import { expect, test } from "../support/test";

test("members are filtered by an address that can be kept, and the board is read, without script", async ({
  browser,
  product,
}) => {
  const context = await browser.newContext({ baseURL: product.url, javaScriptEnabled: false });
  const page = await context.newPage();
  await beSignedIn(page, "member");
  await page.goto("/faction");
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Board");
  await expect(page.getByRole("heading", { name: "Hits to answer" })).toBeVisible();
  await page.getByRole("searchbox", { name: "Name" }).fill(demoPerson("banker").name);
  await page.getByRole("button", { name: "Filter" }).click();
  await expect(page).toHaveURL(`/faction?name=${demoPerson("banker").name}&state=&active=#members`);
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
  await expect(page.getByRole("rowheader", { name: demoPerson("member").name })).toBeVisible();
});
