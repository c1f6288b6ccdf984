import { callPortal } from "../support/call-portal";
import { openIndependentClient } from "../support/independent-client";
import { look } from "../support/look";
import { callback, filledIn } from "../support/register-application";
import { beSignedIn, signIn } from "../support/sign-in";
import { expect, test } from "../support/test";

test("what was typed is there after leaving, a reload and a sign-in, and gone once it is registered", async ({
  page,
}) => {
  await beSignedIn(page, "developer");
  await page.goto("/developers/new");
  await look(page, "register");
  const name = page.getByLabel("Name");
  const uris = page.getByLabel("Redirect URIs");
  await page.getByRole("radio", { name: /On a server/ }).check();
  await name.fill("Kept & safe");
  await uris.fill("https://kept.test/cb\nhttp://kept.test/cb");

  const expectKept = async () => {
    await expect(name).toHaveValue("Kept & safe");
    await expect(uris).toHaveValue("https://kept.test/cb\nhttp://kept.test/cb");
    await expect(page.getByRole("radio", { name: /On a server/ })).toBeChecked();
  };
  await page.reload();
  await expectKept();
  await page.getByRole("link", { name: "Doctor" }).first().click();
  await page.waitForURL("/developers/doctor");
  await page.goBack();
  await expectKept();
  await page.context().clearCookies({ name: "adjutant_session" });
  await page.goto("/developers/new");
  await signIn(page, "developer");
  await page.waitForURL("/developers/new");
  await expectKept();

  await page.getByRole("button", { name: "Register", exact: true }).click();
  await expect(page.getByText("Line 2: A redirect URI must be")).toBeVisible();
  await look(page, "register-refused");
  await uris.fill("https://kept.test/cb");
  await page.getByRole("button", { name: "Register", exact: true }).click();
  await expect(page.getByRole("heading", { name: /Store the secret now/ })).toBeFocused();
  await look(page, "register-credentials");
  await page.goto("/developers/new");
  await expect(name).toHaveValue("");
});

test("an application is its team's and test players' alone until it says all and is opened", async ({
  page,
  newcomer,
  product,
}) => {
  await beSignedIn(page, "developer");
  await page.goto("/developers");
  const input = { ...filledIn({ name: "Later Open" }), tosUri: "" };
  const answer = await callPortal(page, "applications.create", input);
  const { clientId, clientSecret } = (await answer.json()).result.data.json;
  const registered = { clientId, clientSecret, redirectUri: callback };
  const client = await openIndependentClient(product.url, registered);
  const player = await newcomer();
  await beSignedIn(player, "member");
  const asksPlayer = async () => (await player.goto((await client.ask()).url))?.status();
  const inTest = page.getByText("In test: only its team and test players can approve it");

  await page.goto(`/developers/apps/${clientId}`);
  await expect(page.getByText(/fields? missing before you can open it to players/)).toBeVisible();
  await look(page, "application-incomplete");
  await page.goto(`/developers/apps/${clientId}/settings`);
  await page.getByLabel("Terms of service").fill("https://client.test/terms");
  await page.getByRole("button", { name: "Save settings" }).click();
  await expect(page.getByText("Everything is filled in.")).toBeVisible();
  await asksPlayer();
  await expect(player.getByRole("heading", { level: 1 })).toHaveText(
    "Later Open is not open to players yet",
  );
  await look(page, "settings-complete");
  await page.goto(`/developers/apps/${clientId}`);
  await look(page, "application-complete");

  await page.locator("summary", { hasText: "Open to players" }).click();
  await look(page, "application-open-dialog");
  await page.getByRole("button", { name: "Open to players", exact: true }).click();
  await expect(page.getByText("Any player can approve it now.")).toBeVisible();
  await expect(inTest).toBeHidden();
  await look(page, "application.opened");
  expect(await asksPlayer()).toBe(200);
  await expect(player.getByRole("heading", { level: 1 })).toHaveText("Later Open asks for access");
});

test.describe("without script", () => {
  test.use({ javaScriptEnabled: false });

  test("a fault is said at its field with what was typed, and the secret is shown once", async ({
    page,
  }) => {
    await beSignedIn(page, "outsider");
    await page.goto("/developers/new");
    await page.getByRole("radio", { name: /On a server/ }).check();
    await page.getByLabel("Name").fill("Plain Form");
    await page.getByLabel("Redirect URIs").fill("http://plain.test/cb");
    await page.getByRole("button", { name: "Register", exact: true }).click();
    await expect(page.getByText("Line 1: A redirect URI must be")).toBeVisible();
    await expect(page.getByLabel("Name")).toHaveValue("Plain Form");
    await page.getByLabel("Redirect URIs").fill("https://plain.test/cb");
    await page.getByRole("button", { name: "Register", exact: true }).click();
    await expect(page.getByRole("heading", { level: 1 })).toContainText("Store the secret now");
    await expect(page.locator("code")).toContainText("adj_");
    await page.getByRole("link", { name: "Open the application" }).click();
    await expect(page.getByRole("heading", { level: 1 })).toHaveText("Plain Form");
  });
});
