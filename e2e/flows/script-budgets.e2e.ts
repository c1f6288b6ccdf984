import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { asked } from "../support/busy-portal";
import { openIndependentClient } from "../support/independent-client";
import { expectWithinBudget, pageBudgets, withoutPage } from "../support/script-budgets";
import { beSignedIn } from "../support/sign-in";
import { expect, test } from "../support/test";

const root = path.join(import.meta.dirname, "../..");

test("every page has a budget of script, and is measured", () => {
  const folders = readdirSync(path.join(root, "app"), { recursive: true, encoding: "utf8" })
    .filter((file) => path.basename(file) === "page.tsx")
    .map((file) =>
      `/${path.dirname(file)}`.replaceAll(/\/\([^/]+\)/g, "").replace(/^\/\.?$|^$/, "/"),
    );
  expect(folders.length).toBeGreaterThan(50);
  expect(folders.filter((folder) => !withoutPage.has(folder)).sort()).toEqual(
    Object.keys(pageBudgets).sort(),
  );
  for (const [folder, { in: file }] of Object.entries(pageBudgets))
    if (file) expect(readFileSync(path.join(root, "e2e", file), "utf8")).toContain(`"${folder}")`);
});

const readers = ["anybody", "outsider", "member", "banker", "developer"] as const;
const named = { read: "read loads 135 kB", interactive: "worked with loads 160 kB" };

for (const budget of ["read", "interactive"] as const)
  for (const reader of readers) {
    const pages = Object.entries(pageBudgets).filter(
      ([, entry]) => entry.budget === budget && entry.reader === reader && !entry.in,
    );
    if (pages.length === 0) continue;
    test.describe(`for ${reader}`, () => {
      test.use({
        storageState: ({ portal }, use) =>
          use(reader === "developer" ? portal.developer : undefined),
      });

      test(`each page that is ${named[budget]} of script or less`, async ({ page, portal }) => {
        if (reader !== "anybody" && reader !== "developer") await beSignedIn(page, reader);
        for (const [folder, { address = () => folder }] of pages) {
          await page.goto(await address({ page, portal }));
          await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
          await expectWithinBudget(page, folder);
        }
      });
    });
  }

test("consent loads 135 kB of script or less", async ({ page, portal, product }) => {
  const client = await openIndependentClient(product.url, portal.asking);
  await beSignedIn(page, "member");
  await page.goto((await client.ask({ scope: asked.join(" ") })).url);
  await expect(page.getByRole("button", { name: "Approve" })).toBeVisible();
  await expectWithinBudget(page, "/consent/[requestId]");
});
