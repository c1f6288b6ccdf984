import { registerApplication } from "../support/register-application";
import { beSignedIn } from "../support/sign-in";
import { expect, test } from "../support/test";

test("secrets are created and deleted in the page, which says what is so and shows a value once (PT-19)", async ({
  page,
  context,
}) => {
  await beSignedIn(page, "developer");
  await page.goto("/developers");
  const { clientId } = await registerApplication(page, { name: "Key Ring" });
  await page.goto(`/developers/apps/${clientId}/credentials`);
  const rows = page.getByRole("table", { name: "Secrets" }).getByRole("row");
  const create = page.getByRole("button", { name: "Create secret" });
  const name = page.getByLabel("Name of a new secret");
  await expect(rows).toHaveCount(2);

  await test.step("a refusal stands at its field, and one of the network is said", async () => {
    await create.click();
    await expect(page.getByText("A name for the secret is needed.")).toBeVisible();
    await expect(name).toHaveAttribute("aria-invalid", "true");
    await name.fill("Spring");
    await expect(name).not.toHaveAttribute("aria-invalid", "true");
    await context.setOffline(true);
    await create.click();
    await expect(page.getByText("Adjutant could not be reached.")).toBeVisible();
    await context.setOffline(false);
  });

  await test.step("a double click creates one, and the list has it", async () => {
    const calls: string[] = [];
    page.on("request", (request) => calls.push(new URL(request.url()).pathname));
    await create.dblclick();
    await expect(page.getByText("Store “Spring” now: it is shown once.")).toBeVisible();
    await expect(rows).toHaveCount(3);
    await expect(page.getByText("You already have two secrets.")).toBeVisible();
    expect(calls.filter((path) => path.endsWith("applications.createSecret"))).toHaveLength(1);
  });

  await test.step("who goes on and comes back finds both, and no value", async () => {
    const secret = await page
      .locator("dt", { hasText: "Client secret" })
      .locator("+ dd code")
      .innerText();
    await page.getByRole("link", { name: "Settings" }).click();
    await expect(page.getByRole("heading", { name: "Name and addresses" })).toBeVisible();
    await page.goBack();
    await expect(rows).toHaveCount(3);
    expect(await page.content()).not.toContain(secret);
  });

  await test.step("one is deleted, after a question", async () => {
    await rows.filter({ hasText: "Spring" }).locator("summary").click();
    await page.getByRole("dialog").getByRole("button", { name: "Delete" }).click();
    await expect(page.getByText("The secret is deleted.")).toBeVisible();
    await expect(rows).toHaveCount(2);
    await expect(create).toBeVisible();
  });
});
