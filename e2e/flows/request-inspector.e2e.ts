import { randomBytes } from "node:crypto";
import { mintSecret } from "#server/platform/secret-text";
import { look } from "../support/look";
import { expect, test } from "../support/test";

test.use({ storageState: ({ portal }, use) => use(portal.developer) });

test("a developer finds the call that failed, why it did, and how to make it again; its id leads there too", async ({
  page,
  portal,
}) => {
  await page.goto(`/developers/apps/${portal.refused.clientId}`);
  await page.getByRole("link", { name: "Requests" }).click();
  await page.getByLabel("Status").selectOption("403 Not allowed");
  await page.getByLabel("Endpoint").selectOption("GET /user/{user_id}");
  await page.getByRole("button", { name: "Filter" }).click();
  await expect(page).toHaveURL(/outcome=403&endpoint=GET/);
  await expect(page.getByText("Missing: service_key:usage.").first()).toBeVisible();
  await page
    .getByRole("link", { name: /^GET .user/ })
    .first()
    .click();

  await expect(page.getByRole("heading", { name: "Why it failed" })).toBeVisible();
  await expect(page.getByRole("region", { name: "details" })).toContainText("service_key:usage");
  const curl = page.getByRole("region", { name: "curl" });
  await expect(curl).toContainText(/\/api\/v1\/user\/[0-9]+\?refresh=<refresh>/);
  await expect(curl).toContainText("Bearer $ACCESS_TOKEN");
  expect(await page.content()).not.toMatch(/adj_at_|127\.0\.0\.1:\d+ /);
  await look(page, "request");

  const requestId = new URL(page.url()).pathname.split("/").at(-1) ?? "";
  await page.goto(`/developers/doctor?ask=${requestId}`);
  await expect(page.getByText("Missing: service_key:usage.")).toBeVisible();
  await expect(page.getByText("send the player through consent again")).toBeVisible();
  await look(page, "doctor-request");
});

test("a developer pastes a curl line with a token, and the doctor examines it without keeping the token", async ({
  page,
  product,
}) => {
  await page.goto("/developers/doctor");
  const token = mintSecret("access", randomBytes);
  const line = `curl '${product.url}/api/v1/user' \\\n  -H 'Authorization: Bearer ${token}'`;
  await page.getByLabel("URL, curl line, token or request ID").fill(line);
  await page.getByRole("button", { name: "Check" }).click();
  await expect(page.getByText("GET /api/v1/user")).toBeVisible();
  await expect(page.getByText("No application of yours holds it")).toBeVisible();
  expect(decodeURIComponent(page.url())).not.toContain(token);
  expect(await page.content()).not.toContain(token);
  await look(page, "doctor-call");
});

test("a call that carried a token of nobody is found by its id alone", async ({
  page,
  product,
}) => {
  const answer = await fetch(`${product.url}/api/v1/user`, {
    headers: { authorization: "Bearer nonsense" },
  });
  const requestId = answer.headers.get("x-request-id");
  await expect(async () => {
    await page.goto(`/developers/doctor?ask=${requestId}`);
    await expect(page.getByText("A call without a token of any application")).toBeVisible({
      timeout: 500,
    });
  }).toPass();
  await expect(page.getByRole("link", { name: "4002" })).toBeVisible();
});
