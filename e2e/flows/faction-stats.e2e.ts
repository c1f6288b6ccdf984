import { look } from "../support/look";
import { beSignedIn } from "../support/sign-in";
import { expect, test } from "../support/test";

test.use({ javaScriptEnabled: false });

const head = "id,strength,defense,speed,dexterity,timestamp";

test("a faction brings in scores and says who sees its fights, without script", async ({
  page,
  newcomer,
}) => {
  await beSignedIn(page, "developer");
  await page.goto("/faction/stats");
  await page.getByRole("textbox", { name: "Export" }).fill(`${head}\n1005,100,,300,400,1767225600`);
  await page.getByRole("button", { name: "Import" }).click();
  await expect(page.getByText("Line 2: defense is missing.", { exact: false })).toBeVisible();
  await page.getByRole("link", { name: "Back to the faction's scores" }).click();
  await page
    .getByRole("textbox", { name: "Export" })
    .fill(`${head}\n1005,100,200,300,400,1767225600`);
  await page.getByRole("button", { name: "Import" }).click();
  await expect(page.getByText("1 score was imported.")).toBeVisible();
  await page.getByLabel("Private to your faction").check();
  await page.getByRole("button", { name: "Save" }).click();
  await expect(
    page.getByText("Saved. Only members of your faction see the scores", { exact: false }),
  ).toBeVisible();

  const member = await newcomer();
  await beSignedIn(member, "member");
  await member.goto("/faction/stats");
  await expect(member.getByText("Private to your faction")).toBeVisible();
  await expect(member.getByRole("textbox", { name: "Export" })).toHaveCount(0);

  await page.getByLabel("Shared with everyone").check();
  await page.getByRole("button", { name: "Save" }).click();
  await expect(page.getByText("Saved. Everyone who uses Adjutant", { exact: false })).toBeVisible();
});

test("a player shares what their fights tell, and stops, without script", async ({ page }) => {
  await beSignedIn(page, "loner");
  await page.goto("/account");
  await page.getByRole("button", { name: "Share", exact: true }).click();
  await page.getByRole("button", { name: "Stop sharing" }).click();
  await expect(page.getByText("Not shared")).toBeVisible();
});

test.describe("with script", () => {
  test.use({ javaScriptEnabled: true });

  test("the page is in order on every screen, in both themes", async ({ page }) => {
    await beSignedIn(page, "developer");
    await page.goto("/faction/stats");
    await look(page, "faction-stats");
  });
});
