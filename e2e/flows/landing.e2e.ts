import { expectAccessible } from "../support/accessible";
import { look } from "../support/look";
import { expect, test } from "../support/test";

test("the landing page says what Adjutant is to anybody, on every screen", async ({ page }) => {
  await page.goto("/");
  await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
  await look(page, "landing");
});

test.describe("the landing page is accessible", () => {
  for (const colorScheme of ["light", "dark"] as const)
    test(`in the ${colorScheme} theme`, async ({ page }) => {
      await page.emulateMedia({ colorScheme });
      await page.goto("/");
      await expectAccessible(page);
    });
});
