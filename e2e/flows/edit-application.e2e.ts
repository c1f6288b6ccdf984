import { callPortal } from "../support/call-portal";
import { look } from "../support/look";
import { filledIn, registerApplication } from "../support/register-application";
import { beSignedIn } from "../support/sign-in";
import { expect, test } from "../support/test";

test("a tab that was opened before a change overwrites nothing, keeps what was typed, and reads it again", async ({
  page,
}) => {
  await beSignedIn(page, "developer");
  await page.goto("/developers");
  const { clientId } = await registerApplication(page, { name: "Two tabs" });
  await page.goto(`/developers/apps/${clientId}/settings`);
  await page.getByLabel("Name", { exact: true }).fill("Typed here");
  const { kind: _kind, ...registered } = filledIn({ name: "Two tabs" });
  const elsewhere = {
    ...registered,
    redirectUris: ["https://client.test/new"],
    clientId,
    version: 1,
  };
  expect((await callPortal(page, "applications.update", elsewhere)).status()).toBe(200);
  expect((await callPortal(page, "applications.update", elsewhere)).status()).toBe(409);

  await page.getByRole("button", { name: "Save settings" }).click();
  await expect(page.getByText("This application changed in another tab")).toBeVisible();
  await expect(page.getByLabel("Name", { exact: true })).toHaveValue("Typed here");
  await look(page, "settings-changed-elsewhere");
  await page.getByRole("button", { name: "Discard and read again" }).click();
  await expect(page.getByLabel("Redirect URIs")).toHaveValue("https://client.test/new");
  await expect(page.getByLabel("Name", { exact: true })).toHaveValue("Two tabs");
  await page.getByLabel("Name", { exact: true }).fill("Typed here");
  await page.getByRole("button", { name: "Save settings" }).click();
  await expect(page.getByText("Settings saved")).toBeVisible();
  await page.reload();
  await expect(page.getByLabel("Redirect URIs")).toHaveValue("https://client.test/new");
  await expect(page.getByLabel("Name", { exact: true })).toHaveValue("Typed here");
});

test("the form says what saving would do, and what is wrong at the field that it is wrong in", async ({
  page,
}) => {
  await beSignedIn(page, "developer");
  await page.goto("/developers");
  const wishes = {
    name: "Optional Extras",
    scopes: ["identity", "faction"],
    optionalScopes: ["faction"],
  } as const;
  const { clientId } = await registerApplication(page, wishes);
  await page.goto(`/developers/apps/${clientId}/settings`);
  const faction = page.getByRole("checkbox", { name: "All your faction's data" });
  const optional = page.getByRole("checkbox", { name: /^Optional ?: faction$/ });
  const warning = page.getByText("Saving removes faction at once");

  await test.step("a scope that goes is named, and is optional as before when it comes back", async () => {
    await expect(optional).toBeChecked();
    await faction.uncheck();
    await expect(optional).toBeHidden();
    await expect(warning).toBeVisible();
    await faction.check();
    await expect(optional).toBeChecked();
    await expect(warning).toBeHidden();
  });

  await test.step("nothing is saved while a field is wrong, and it has the focus", async () => {
    const uris = page.getByLabel("Redirect URIs");
    await uris.fill("\nhttp://client.test/cb\n");
    await page.getByRole("button", { name: "Save settings" }).click();
    await expect(page.getByText("Line 1: A redirect URI must be")).toBeVisible();
    await expect(uris).toBeFocused();
    await uris.fill("https://client.test/cb");
    await expect(uris).not.toHaveAttribute("aria-invalid", "true");
    await faction.uncheck();
    await page.getByRole("button", { name: "Save settings" }).click();
    await expect(page.getByText("Settings saved")).toBeVisible();
    await expect(warning).toBeHidden();
    await page.reload();
    await expect(faction).not.toBeChecked();
  });
});

test("the hosted callback names the application and says a refusal in our own words", async ({
  page,
  product,
}) => {
  await beSignedIn(page, "developer");
  await page.goto("/developers");
  const { clientId } = await registerApplication(page, { name: "Pocket helper", kind: "public" });
  const lure = "Call 555-0199 to unlock your account";
  const refused = {
    error: "invalid_scope",
    error_description: lure,
    state: lure,
    iss: product.url,
  };
  await page.goto(`/oauth/${clientId}/callback?${new URLSearchParams(refused)}`);
  await expect(page.getByText("Pocket helper")).toBeVisible();
  await expect(
    page.getByText("It asked for a permission that it is not registered for."),
  ).toBeVisible();
  expect(await page.locator("body").innerText()).not.toContain(lure);
  await look(page, "callback-refused");
});

test("what was typed and not saved is there after a look at another page, is asked about at leaving, and can be discarded", async ({
  page,
}) => {
  await beSignedIn(page, "developer");
  await page.goto("/developers");
  const { clientId } = await registerApplication(page, { name: "Long Typed" });
  await page.goto(`/developers/apps/${clientId}/settings`);
  const save = page.getByRole("button", { name: "Save settings" });
  await expect(page.getByLabel("What for?")).toBeVisible();
  await expect(save).toBeHidden();
  const uses = page.getByLabel("What for?");
  const before = await uses.inputValue();
  await uses.fill("To count chains.");
  await expect(page.getByText("Unsaved changes")).toBeInViewport();
  await look(page, "settings-unsaved");
  await page
    .getByRole("navigation", { name: "Long Typed" })
    .getByRole("link", { name: /^Requests/ })
    .click();
  await expect(page.getByText("No call in the last 30 days")).toBeVisible();
  await page
    .getByRole("navigation", { name: "Long Typed" })
    .getByRole("link", { name: "Settings" })
    .click();
  await expect(uses).toHaveValue("To count chains.");
  await expect(page.getByText("Unsaved changes")).toBeVisible();

  const asked = page.waitForEvent("dialog");
  const leaving = page.goto("/docs").catch(() => null);
  const dialog = await asked;
  expect(dialog.type()).toBe("beforeunload");
  await dialog.dismiss();
  await leaving;
  await expect(uses).toHaveValue("To count chains.");
  await page.getByRole("button", { name: "Discard" }).click();
  await expect(uses).toHaveValue(before);
  await expect(save).toBeHidden();
  await page.goto("/docs");
});
