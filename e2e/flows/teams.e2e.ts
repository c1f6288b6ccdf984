import { demoPersonOf } from "#simulator/demo-people";
import { openIndependentClient } from "../support/independent-client";
import { look, threeWidths } from "../support/look";
import { registerApplication } from "../support/register-application";
import { beSignedIn } from "../support/sign-in";
import { expect, test } from "../support/test";

test("three people build one tool: invited, at work by role, handed over, and named to its players", async ({
  page: owner,
  newcomer,
  product,
}) => {
  const [developer, viewer, player] = [await newcomer(), await newcomer(), await newcomer()];
  await beSignedIn(owner, "developer");
  for (const [page, role] of [
    [developer, "banker"],
    [viewer, "member"],
    [player, "outsider"],
  ] as const) {
    await page.goto(product.url);
    await beSignedIn(page, role);
  }
  await owner.goto("/developers");
  const app = await registerApplication(owner, { name: "Common Ledger" });
  const at = (path: string) => new URL(`/developers/apps/${app.clientId}${path}`, product.url).href;

  await owner.goto(at("/team"));
  const invite = async (name: string, role: string) => {
    await owner.getByLabel("Player name or ID").fill(name);
    await owner.getByLabel("Role", { exact: true }).selectOption(role);
    await owner.getByRole("button", { name: "Invite" }).click();
  };
  await invite("No_Such_Player", "viewer");
  await expect(owner.getByText("No player with this name or ID has signed in here.")).toBeVisible();
  await expect(owner.getByLabel("Player name or ID")).toHaveValue("No_Such_Player");
  await invite(demoPersonOf("banker").name, "developer");
  await expect(owner.getByText("Invited. They get a notice")).toBeVisible();
  await invite(String(demoPersonOf("member").playerId), "viewer");
  for (const page of [developer, viewer]) {
    await page.goto(new URL("/developers", product.url).href);
    await expect(page.getByText("invites you to Common Ledger")).toBeVisible();
    if (page === viewer) await look(page, "team-invitation", threeWidths);
    await page.getByRole("button", { name: "Accept" }).click();
    await expect(page.getByText("You joined the team.")).toBeVisible();
  }

  const menu = (page: typeof owner) =>
    page.getByRole("navigation", { name: "Common Ledger" }).getByRole("link");
  await expect(menu(viewer)).toHaveText(["Overview", "Failures", "Team", "History"]);
  await viewer.goto(at(""));
  await look(viewer, "team-overview-of-viewer", threeWidths);
  expect((await viewer.goto(at("/settings")))?.status()).toBe(404);
  await developer.goto(at("/credentials"));
  await developer.getByLabel("Name of a new secret").fill("Theirs");
  await developer.getByRole("button", { name: "Create secret" }).click();
  await expect(developer.getByText("Store “Theirs” now")).toBeVisible();

  const client = await openIndependentClient(product.url, app);
  await player.goto((await client.ask({ scope: "identity" })).url);
  await expect(player.getByText("with Bruno_Vault, Cleo_Marsh")).toBeVisible();
  await look(player, "team-consent", threeWidths);
  await player.getByRole("button", { name: "Approve" }).click();

  await owner.goto(at("/team"));
  await owner.getByText("Transfer to").first().click();
  await owner.getByRole("dialog").getByRole("button", { name: "Transfer to" }).click();
  await expect(owner.getByText("Offered to Bruno_Vault")).toBeVisible();
  await look(owner, "team-owner", threeWidths);
  await developer.goto(at("/team"));
  await look(developer, "team-offer", threeWidths);
  await developer.getByRole("button", { name: "Accept" }).click();
  await expect(developer.getByText("You are the owner now.")).toBeVisible();
  await player.goto((await client.ask({ scope: "identity" })).url);
  await expect(player.getByText("It now belongs to Bruno_Vault.")).toBeVisible();
  await player.goto(new URL(`/account/apps/${app.clientId}`, product.url).href);
  await expect(player.getByText("Cleo_Marsh, Ada_Quill")).toBeVisible();

  await viewer.goto(at("/history"));
  await expect(viewer.getByRole("row", { name: /Application transferred/ })).toContainText(
    `Ada_Quill [${demoPersonOf("developer").playerId}] → Bruno_Vault`,
  );
  await look(viewer, "team-history", threeWidths);
});
