import type { Page } from "playwright/test";
import { arriveAtClient } from "../support/arrive-at-client";
import { openIndependentClient } from "../support/independent-client";
import { look } from "../support/look";
import { registerApplication } from "../support/register-application";
import { beSignedIn } from "../support/sign-in";
import { expect, test } from "../support/test";
import { addVirtualAuthenticator } from "../support/virtual-authenticator";

/** Removing a passkey ends the player's other sessions, so no other flow may use this player. */
const role = "loner";

const signInWithPasskey = (page: Page) =>
  page.getByRole("button", { name: "Sign in with a passkey" }).click();

test("a passkey is added, signs in with no key and no code, and is removed", async ({
  page,
  product,
}) => {
  const authenticator = await addVirtualAuthenticator(page);
  await beSignedIn(page, role);
  await page.goto("/account/security");
  await look(page, "passkeys-none");
  await page.getByLabel("Name of a new passkey").fill("  ");
  await page.getByRole("button", { name: "Add a passkey" }).click();
  await expect(page.getByText("Give it a name.")).toBeVisible();
  await page.getByLabel("Name of a new passkey").fill("My laptop");
  await page.getByRole("button", { name: "Add a passkey" }).click();
  await expect(page.getByText("not used yet")).toBeVisible();
  expect(await authenticator.countPasskeys()).toBe(1);

  await test.step("a second one on the same device is not made", async () => {
    await page.getByLabel("Name of a new passkey").fill("The same");
    await page.getByRole("button", { name: "Add a passkey" }).click();
    await expect(
      page.getByText("This device has a passkey for your account already."),
    ).toBeVisible();
    await look(page, "passkeys-one");
  });

  await test.step("it is given another name", async () => {
    await page.getByRole("button", { name: "Rename My laptop" }).click();
    await page.getByLabel("Name", { exact: true }).fill("Old laptop");
    await page.getByRole("button", { name: "Save" }).click();
    await expect(page.getByRole("button", { name: "Rename Old laptop" })).toBeVisible();
  });

  await test.step("it signs in, and leads on to the application that waits", async () => {
    const client = await openIndependentClient(
      product.url,
      await registerApplication(page, { name: "Key Ring" }),
    );
    await page.context().clearCookies();
    const asked = await client.ask();
    await page.goto(asked.url);
    await expect(page.getByText("Key Ring asks for access")).toBeVisible();
    await authenticator.verifiesUser(false);
    await signInWithPasskey(page);
    await expect(page.getByText("No passkey was used")).toBeVisible();
    await look(page, "sign-in-passkey-cancelled");
    await authenticator.verifiesUser(true);
    await signInWithPasskey(page);
    await expect(page.getByRole("heading", { level: 1 })).toHaveText("Key Ring asks for access");
    const yes = await arriveAtClient(page, () =>
      page.getByRole("button", { name: "Approve" }).click(),
    );
    expect((await client.exchange(client.read(yes.url, asked), asked)).access_token).toMatch(
      /^adj_at_/,
    );

    await page.context().clearCookies();
    await page.goto((await client.ask()).url);
    const straight = await arriveAtClient(page, () => signInWithPasskey(page));
    expect(straight.url.searchParams.get("code")).toMatch(/^adj_ac_/);
  });

  await test.step("removed, it signs in no more", async () => {
    await page.goto("/account/security");
    await expect(page.getByText("last used")).toBeVisible();
    await page.locator("summary", { hasText: "Remove" }).click();
    await look(page, "passkeys-remove");
    await page.getByRole("dialog").getByRole("button", { name: "Remove" }).click();
    await expect(page.getByText("The passkey is removed.")).toBeVisible();
    await page.context().clearCookies();
    await page.goto("/sign-in");
    await signInWithPasskey(page);
    await expect(page.getByText("This passkey is not stored here.")).toBeVisible();
    await look(page, "sign-in-passkey-unknown");
  });
});

test.describe("without script", () => {
  test.use({ javaScriptEnabled: false });

  test("the button for a passkey leads back to the page, which says what is missing", async ({
    page,
  }) => {
    await page.goto("/sign-in?next=/account");
    await signInWithPasskey(page);
    await expect(page.getByText("it needs JavaScript")).toBeVisible();
    expect(new URL(page.url()).searchParams.get("next")).toBe("/account");
  });
});
