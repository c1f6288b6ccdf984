import type { Page } from "playwright/test";
import { wordsOfAct } from "#server/audit/audit";
import { runScript } from "#server/testing/run-script";
import { demoPersonOf } from "#simulator/demo-people";
import { connectApplication } from "../support/connect-application";
import { openIndependentClient } from "../support/independent-client";
import { look } from "../support/look";
import { openClient } from "../support/open-client";
import { registerApplication } from "../support/register-application";
import { beSignedIn, signIn } from "../support/sign-in";
import { expect, test } from "../support/test";

/** The demo's banker is the admin of the product under test. */
const admin = "banker";
const reason = "It asks for more than it says.";

async function open(page: Page, list: "applications" | "accounts", name: string): Promise<void> {
  await page.goto(`/admin/${list}`);
  await page.getByRole("searchbox").fill(name);
  await page.getByRole("button", { name: "Search" }).click();
  await page.getByRole("rowheader").getByRole("link", { name }).first().click();
  await expect(page.getByRole("heading", { level: 1 })).toContainText(name);
}

async function cutOff(page: Page, label: "Suspend" | "Ban"): Promise<void> {
  await page.locator("summary", { hasText: label }).click();
  await page.getByRole("textbox", { name: "Reason" }).fill(reason);
  await page.getByRole("button", { name: label, exact: true }).click();
}

test("an admin verifies an application for a reason, which its developer reads", async ({
  page,
  newcomer,
}) => {
  const name = "Vouched Lantern";
  const developer = await newcomer();
  await signIn(developer, "developer");
  await registerApplication(developer, { name });

  await beSignedIn(page, admin);
  await open(page, "applications", name);
  await page.locator("summary", { hasText: /^Verify/ }).click();
  await look(page, "admin-verify");
  await page.getByRole("textbox", { name: "Reason" }).fill("Its developer is known.");
  await page.getByRole("button", { name: "Verify", exact: true }).click();
  await expect(page.getByText("Verified. Players see the mark")).toBeVisible();
  await expect(page.getByRole("button", { name: "Verify", exact: true })).toBeHidden();

  await page.locator('a[href^="/admin/audit?client="]').click();
  await expect(
    page.getByRole("rowheader").filter({ hasText: "Application verified" }),
  ).toContainText("Its developer is known.");
  await developer.goto("/account/notices");
  await expect(developer.getByText(`"${name}" is verified`)).toContainText(
    "Its developer is known.",
  );
});

test("an admin suspends an application, which stands still until it is resumed (RE-40)", async ({
  page,
  newcomer,
  product,
}) => {
  const name = "Siege Bell";
  const developer = await newcomer();
  const client = await openClient(developer, product.url, { name });
  const player = await newcomer();
  const { accessToken, refreshToken } = await connectApplication(player, client, "member");
  expect((await client.callUser(accessToken)).status).toBe(200);

  await beSignedIn(page, admin);
  await open(page, "applications", name);
  await cutOff(page, "Suspend");
  await expect(page.getByText("Its tokens no longer work.")).toBeVisible();
  const refused = await client.callUser(accessToken);
  expect([refused.status, (await refused.json()).code]).toEqual([403, 4009]);
  await expect(client.refresh(refreshToken)).rejects.toMatchObject({
    error: "unauthorized_client",
  });
  expect((await player.goto((await client.ask()).url))?.status()).toBe(400);
  await developer.goto("/account/notices");
  await expect(developer.getByText(`"${name}" is suspended`)).toContainText(reason);
  await developer.getByRole("button", { name: "Mark all as read" }).click();
  await expect(developer.getByRole("heading", { name: "All read" })).toBeVisible();

  await page.getByRole("button", { name: "Resume" }).click();
  await expect(page.getByText("Its tokens work again.")).toBeVisible();
  expect((await client.callUser(accessToken)).status).toBe(200);
  await client.refresh(refreshToken);

  await page.locator('a[href^="/admin/audit?client="]').click();
  const events = page.getByRole("table", { name: "Events" });
  await expect(
    events.getByRole("rowheader").filter({ hasText: "Application suspended" }),
  ).toContainText(reason);
});

test("an admin bans a player, who is out at once and reads why (PT-16, BR-16)", async ({
  page,
  newcomer,
  product,
}) => {
  const { name } = demoPersonOf("outsider");
  const client = await openClient(await newcomer(), product.url, { name: "Night Watch" });
  const player = await newcomer();
  const { accessToken } = await connectApplication(player, client, "outsider");

  await beSignedIn(page, admin);
  await open(page, "accounts", name);
  await cutOff(page, "Ban");
  await expect(page.getByText("The account is signed out everywhere")).toBeVisible();
  expect((await client.callUser(accessToken)).status).toBe(401);
  await player.goto("/account");
  expect(new URL(player.url()).pathname).toBe("/sign-in");
  await player.getByRole("button", { name }).click();
  await expect(player.getByRole("heading", { level: 1 })).toHaveText("Sign-in refused");
  await expect(player.getByText(reason)).toBeVisible();

  await page.getByRole("button", { name: "Lift the ban" }).click();
  await expect(page.getByText("The player can sign in again.")).toBeVisible();
  expect((await client.callUser(accessToken)).status).toBe(200);
  await player.goto("/sign-in");
  await signIn(player, "outsider");
  await player.goto("/account/notices");
  await expect(player.getByText("The ban of your account is lifted")).toBeVisible();
});

test("what is done at the command line beside the running server stands in the audit log as the operator's", async ({
  page,
  newcomer,
  product,
}) => {
  const developer = await newcomer();
  await signIn(developer, "developer");
  const registered = await registerApplication(developer, { name: "Signal Lamp" });
  const client = await openIndependentClient(product.url, registered);
  const { accessToken } = await connectApplication(await newcomer(), client, "loner");
  const operate = async (...args: string[]) => {
    const { code, out, err } = await runScript("admin", args, { DATA_DIR: product.dataDir });
    expect([code, err]).toEqual([0, ""]);
    return out;
  };
  const { clientId } = registered;
  const { playerId } = demoPersonOf("loner");
  const why = ["--reason", reason, "--yes"];
  await operate("verify", clientId, "--version", "1");
  await operate("unverify", clientId);
  await operate("suspend", clientId, ...why);
  expect((await client.callUser(accessToken)).status).toBe(403);
  await operate("resume", clientId);
  expect((await client.callUser(accessToken)).status).toBe(200);
  await operate("ban", String(playerId), ...why);
  await operate("unban", String(playerId));
  await operate("revoke-player", String(playerId), ...why);
  expect((await client.callUser(accessToken)).status).toBe(401);
  await operate("run-job", "end-vault-requests");
  await operate("backup", `${product.dataDir}/backups`);
  expect(await operate("audit", "--act", "backup.made")).toMatch(
    /^\{"id":"\d+",[^\n]*"actor":"operator"[^\n]*\}\n$/,
  );

  await beSignedIn(page, admin);
  await page.goto("/admin/audit");
  const rows = page.getByRole("table", { name: "Events" }).getByRole("row");
  const acts = [
    ...([
      "application.verified",
      "application.unverified",
      "application.suspended",
      "application.resumed",
    ] as const),
    ...(["account.banned", "account.unbanned", "grant.revoked_by_admin"] as const),
    ...(["job.run", "backup.made", "audit_log.exported"] as const),
  ];
  for (const act of acts) {
    const row = rows.filter({ hasText: wordsOfAct(act) }).first();
    await expect(row.getByText("The operator")).toBeVisible();
  }
  await look(page, "admin-audit-operator");

  await page.getByRole("searchbox", { name: "Search" }).fill("backup");
  await page.getByRole("button", { name: "Filter" }).click();
  await expect(page).toHaveURL(/[?&]search=backup/);
  await expect(rows.filter({ hasText: wordsOfAct("backup.made") }).first()).toBeVisible();
  await expect(rows.filter({ hasText: wordsOfAct("job.run") })).toHaveCount(0);
});

test("for anybody else there are no such pages", async ({ page, newcomer }) => {
  const nobody = await newcomer();
  await beSignedIn(page, "developer");
  for (const path of ["", "/applications", "/accounts", "/system", "/audit"])
    for (const visitor of [page, nobody]) {
      const answer = await visitor.goto(`/admin${path}`);
      expect(answer?.status()).toBe(404);
      await expect(visitor.getByRole("heading", { level: 1 })).toHaveText(
        "There is no page at this address",
      );
      expect(await visitor.content()).not.toContain("Administration");
    }
});

test("the admin's pages are in order on every screen, in both themes", async ({ page, portal }) => {
  await beSignedIn(page, admin);
  for (const name of ["", "applications", "accounts", "system", "audit"]) {
    await page.goto(`/admin/${name}`);
    await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
    await look(page, `admin-${name || "overview"}`);
  }
  await page.goto(`/admin/applications/${portal.used.clientId}`);
  await page.locator("summary", { hasText: "Suspend" }).click();
  await look(page, "admin-application");
  await open(page, "accounts", demoPersonOf("loner").name);
  await look(page, "admin-account");
});
