import * as oauth from "oauth4webapi";
import { connectApplication } from "../support/connect-application";
import { openClient } from "../support/open-client";
import { expect, test } from "../support/test";

test("a player sees what is connected, and ends it at once (PT-24, RF-14)", async ({
  page,
  newcomer,
  product,
}) => {
  const name = "Chain Caller";
  const client = await openClient(await newcomer(), product.url, { name });
  const { accessToken, refreshToken } = await connectApplication(page, client, "loner");
  expect((await client.callUser(accessToken)).status).toBe(200);

  await page.goto("/account/apps");
  const row = page.getByRole("row").filter({ hasText: name });
  await expect(row).toContainText("Know who you are");
  await page.getByRole("link", { name }).click();
  const card = page
    .locator("section")
    .filter({ has: page.getByRole("heading", { name: "What it may do" }) });
  await card.locator("summary", { hasText: "Revoke access" }).click();
  await expect(card).toContainText(`${name} loses access on all devices at once.`);
  await page.keyboard.press("Enter");
  await expect(
    card.getByRole("button", { name: "Revoke access" }),
    "a way back, under the keyboard",
  ).toBeHidden();
  await page.keyboard.press("Enter");
  expect((await client.callUser(accessToken)).status).toBe(200);
  await card.getByRole("button", { name: "Revoke access" }).click();
  await expect(page.getByText("Access revoked.")).toBeVisible();
  await expect(page.getByRole("heading", { name: "It has no access" })).toBeVisible();
  await page.goto("/account/apps");
  await expect(row).toHaveCount(0);

  const refused = await client.callUser(accessToken);
  expect(refused.status).toBe(401);
  expect(refused.headers.get("www-authenticate")).toContain('error="invalid_token"');
  const refresh = client.refresh(refreshToken);
  await expect(refresh).rejects.toBeInstanceOf(oauth.ResponseBodyError);
  await expect(refresh).rejects.toMatchObject({ error: "invalid_grant" });
});
