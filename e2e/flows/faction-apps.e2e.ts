import { demoPersonOf } from "#simulator/demo-people";
import { openIndependentClient } from "../support/independent-client";
import { look, threeWidths } from "../support/look";
import { type Registered, registerApplication } from "../support/register-application";
import { expectWithinBudget } from "../support/script-budgets";
import { beSignedIn } from "../support/sign-in";
import { expect, test } from "../support/test";
import { openVisitor, type Tokens } from "../support/visitor";

const asked = ["identity", "faction:attacks", "faction:crimes"] as const;

test("an officer that the leader named blocks an application, and members see it before they approve", async ({
  page,
  newcomer,
  product,
}) => {
  await beSignedIn(page, "developer");
  await page.goto("/developers");
  const names = ["Watch Clerk", "Raid Ledger", "Crime Board"];
  const apps: Registered[] = [];
  for (const name of names) apps.push(await registerApplication(page, { name, scopes: asked }));
  const [clerk] = apps;
  if (!clerk) throw new Error("Nothing was registered.");
  const visitor = await openVisitor(product.url, demoPersonOf("member").key);
  const tokens: Tokens[] = [];
  for (const { clientId, clientSecret, redirectUri } of apps)
    tokens.push(
      await visitor.authorize(
        { clientId, clientSecret: clientSecret ?? "" },
        { redirectUri, scopes: asked },
      ),
    );
  const call = async () => {
    const answer = await fetch(`${product.url}/api/v1/faction/7001/attacks/retaliations`, {
      headers: { authorization: `Bearer ${tokens[0]?.accessToken}` },
    });
    return answer.status < 400 ? answer.status : (await answer.json()).code;
  };
  expect(await call()).toBe(200);

  await page.goto("/faction/apps");
  const row = page.getByRole("row").filter({ hasText: "Watch Clerk" });
  await expect(row).toContainText("Allowed");
  await look(page, "faction-apps", threeWidths);
  await page.getByRole("link", { name: "Watch Clerk" }).click();
  await expect(page).toHaveURL(/\/faction\/apps\/\w+$/);
  // Lines of the request log are written once a second.
  await expect(async () => {
    await page.reload();
    await expect(page.getByRole("row", { name: /Get Faction Retaliations/ })).toContainText("1", {
      timeout: 500,
    });
  }).toPass();
  await look(page, "faction-app", threeWidths);
  await expectWithinBudget(page, "/faction/apps/[clientId]");
  await page.locator("summary", { hasText: "Block" }).click();
  await expect(page.getByText("It loses what 1 member approved", { exact: false })).toBeVisible();
  await look(page, "faction-app-block");
  await page.getByRole("button", { name: "Block", exact: true }).last().click();
  await expect(page.getByText("Blocked. It stops reading", { exact: false })).toBeVisible();
  await expect.poll(call).toBe(4023);

  const member = await newcomer();
  await beSignedIn(member, "member");
  await member.goto("/account/notices");
  await expect(member.getByText("no longer lets “Watch Clerk” read its data")).toBeVisible();
  await member.goto("/account/apps");
  await expect(member.getByRole("row").filter({ hasText: "Watch Clerk" })).toContainText(
    "Blocked by your faction",
  );
  await look(member, "connected-apps-blocked", threeWidths);
  await member.goto(`/account/apps/${clerk.clientId}`);
  await expect(member.getByText("Lanternwatch blocks this application")).toBeVisible();
  await look(member, "connected-app-blocked", threeWidths);
  const client = await openIndependentClient(product.url, clerk);
  await member.goto((await client.ask({ scope: asked.join(" "), prompt: "consent" })).url);
  await expect(member.getByText("Lanternwatch blocks this application")).toBeVisible();
  await look(member, "consent-blocked", threeWidths);
  await member.goto("/faction/apps");
  await expect(member.getByText("For leaders")).toBeVisible();
  expect((await member.goto(`/faction/apps/${clerk.clientId}`))?.status()).toBe(404);

  await page.goto("/faction/apps");
  await page.locator("summary", { hasText: "Allow only chosen" }).click();
  await look(page, "faction-apps-limit");
  await page.getByRole("button", { name: "Allow only chosen" }).last().click();
  await expect(
    page.getByText("Saved. Only applications that you allow", { exact: false }),
  ).toBeVisible();
  await look(page, "faction-apps-chosen", threeWidths);
  await row.getByRole("checkbox").check();
  await page.locator("summary", { hasText: "Allow selected" }).click();
  await page.getByRole("button", { name: "Allow selected" }).last().click();
  await expect(row).toContainText("Chosen");
  await expect.poll(call).toBe(200);
  // Other flows use the same faction.
  await page.locator("summary", { hasText: "Allow all that are not blocked" }).click();
  await page.getByRole("button", { name: "Allow all that are not blocked" }).last().click();
  await expect(page.getByText("Saved. Every application", { exact: false })).toBeVisible();
});
