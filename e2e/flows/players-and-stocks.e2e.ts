import { demoPersonOf } from "#simulator/demo-people";
import { beSignedIn } from "../support/sign-in";
import { expect, test } from "../support/test";

test.describe("without script", () => {
  test.use({ javaScriptEnabled: false });

  test("a player is looked up by name, and by id at once", async ({ page }) => {
    const { name, playerId } = demoPersonOf("banker");
    await beSignedIn(page, "member");
    await page.goto("/players");
    await page.getByRole("searchbox", { name: "Name or ID" }).fill(name.slice(0, 5).toUpperCase());
    await page.getByRole("button", { name: "Look up" }).click();
    await page.getByRole("main").getByRole("link", { name }).click();
    await expect(page.getByRole("heading", { level: 1 })).toHaveText(`${name} [${playerId}]`);
    await page.goto("/players");
    await page.getByRole("searchbox", { name: "Name or ID" }).fill(`${name} [${playerId}]`);
    await page.getByRole("button", { name: "Look up" }).click();
    await expect(page).toHaveURL(`/players/${playerId}`);
  });

  test("filters of targets stand in the address, and wrong ones are marked", async ({ page }) => {
    await beSignedIn(page, "member");
    await page.goto("/faction/targets?maximum_difficulty=1.5&limit=3&is_factionless=true");
    await expect(page.getByLabel("Fair fight to")).toHaveValue("1.5");
    await expect(page.getByLabel("Without a faction")).toBeChecked();
    await expect(page.getByRole("heading", { name: /^\d targets?$/ })).toBeVisible();
    await page.goto("/faction/targets?limit=9999");
    await expect(page.getByLabel("At most")).toHaveAttribute("aria-invalid", "true");
    await expect(page.getByText("No list was made")).toBeVisible();
  });
});

test("a stock's plot is read by keyboard, value by value", async ({ page }) => {
  await beSignedIn(page, "member");
  await page.goto("/stocks");
  await page.locator("tbody").getByRole("link").first().click();
  const plot = page.getByRole("slider", { name: "Price, last 30 days" });
  await plot.focus();
  const last = await plot.getAttribute("aria-valuetext");
  await plot.press("Home");
  expect(await plot.getAttribute("aria-valuenow")).toBe("1");
  await plot.press("ArrowLeft");
  expect(await plot.getAttribute("aria-valuenow")).toBe("1");
  await plot.press("End");
  expect(await plot.getAttribute("aria-valuetext")).toBe(last);
});
