import { demoPersonOf } from "#simulator/demo-people";
import { expectAccessible } from "../support/accessible";
import { connectApplication } from "../support/connect-application";
import { openIndependentClient } from "../support/independent-client";
import { registerApplication } from "../support/register-application";
import { beSignedIn, signIn } from "../support/sign-in";
import { expect, test } from "../support/test";

test("a developer sees who is connected, and ends one device, then all (BR-02, PT-15)", async ({
  page,
  newcomer,
  product,
}) => {
  const name = "Pocket Ledger";
  await signIn(page, "developer");
  const registered = await registerApplication(page, { name });
  const client = await openIndependentClient(product.url, registered);
  const [member, loner] = [await newcomer(), await newcomer()];
  const first = await connectApplication(member, client, "member");
  const second = await connectApplication(loner, client, "loner");
  const statuses = async () =>
    Promise.all(
      [first, second].map(async ({ accessToken }) => (await client.callUser(accessToken)).status),
    );
  expect(await statuses()).toEqual([200, 200]);

  await test.step("the tokens tab names the players and shows no token", async () => {
    await page.goto(`/developers/apps/${registered.clientId}/tokens`);
    await expect(page.getByText("2 players with 2 grants, 2 live tokens.")).toBeVisible();
    for (const { accessToken, refreshToken } of [first, second]) {
      expect(await page.content()).not.toContain(accessToken);
      expect(await page.content()).not.toContain(refreshToken);
    }
  });

  await test.step("one is ended: that device's token is dead, the other lives", async () => {
    const row = page.getByRole("row").filter({ hasText: demoPersonOf("member").name });
    await row.locator("summary").click();
    const dialog = page.getByRole("dialog");
    await expect(dialog).toContainText("1 player, 1 live token, one grant");
    await expectAccessible(page);
    await dialog.getByRole("button", { name: "Revoke" }).click();
    await expect(row).toHaveCount(0);
    expect(await statuses()).toEqual([401, 200]);
  });

  await test.step("the player is told", async () => {
    await member.goto("/account/notices");
    await expect(member.getByText(`The developer of “${name}” ended the access`)).toBeVisible();
  });

  await test.step("all are ended, for the name of the application", async () => {
    const dialog = page.getByRole("dialog");
    await page.locator("summary", { hasText: "Revoke all" }).click();
    await expect(dialog).toContainText("1 player with 1 grant will be cut off");
    await dialog.getByRole("textbox").fill("Pocket");
    await dialog.getByRole("button", { name: "Revoke all" }).click();
    await expect(page.getByText("type the application's name exactly as shown")).toBeVisible();
    expect(await statuses()).toEqual([401, 200]);
    // The form came back open, with what was typed.
    const form = page.locator("details[open]");
    await expect(form.getByRole("textbox")).toHaveValue("Pocket");
    await form.getByRole("textbox").fill(name);
    await form.getByRole("button", { name: "Revoke all" }).click();
    await expect(page.getByText("Nobody is connected")).toBeVisible();
    expect(await statuses()).toEqual([401, 401]);
  });

  await test.step("what the client then tries stands under failures, with the reason", async () => {
    await expect(client.refresh(second.refreshToken)).rejects.toMatchObject({
      error: "invalid_grant",
    });
    await page.goto(`/developers/apps/${registered.clientId}/failures`);
    await expect(page.getByText("The authorization has ended.")).toBeVisible();
  });
});

test("markup in a name stays text, wherever the name stands (PT-03)", async ({
  page,
  newcomer,
  product,
}) => {
  const name = `<img src=x onerror="document.title='taken'"> & Co`;
  await signIn(page, "developer");
  const registered = await registerApplication(page, { name });
  const client = await openIndependentClient(product.url, registered);
  await page.goto("/developers");
  await expect(page.getByRole("link", { name, exact: true })).toBeVisible();
  const ends = ["", "/requests", "/failures", "/tokens", "/settings", "/credentials", "/danger"];
  for (const path of ends.map((end) => `/developers/apps/${registered.clientId}${end}`)) {
    await page.goto(path);
    await expect(page.getByRole("heading", { level: 1 })).toContainText(name);
  }
  const player = await newcomer();
  await beSignedIn(player, "member");
  await player.goto((await client.ask()).url);
  await expect(player.getByRole("heading", { level: 1 })).toHaveText(`${name} asks for access`);
  for (const each of [page, player]) {
    await expect(each).not.toHaveTitle("taken");
    await expect(each.locator("img[src=x]")).toHaveCount(0);
  }
});
