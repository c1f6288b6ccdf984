import type { Page } from "playwright/test";
import { demoPersonOf } from "#simulator/demo-people";
import { csrfOf } from "../support/call-portal";
import { signIn } from "../support/sign-in";
import { expect, test } from "../support/test";

const cookieOf = async (page: Page) =>
  (await page.context().cookies()).find((cookie) => cookie.name === "adjutant_session");

/** True if this cookie alone still opens the account. */
async function opens(baseUrl: string, cookie: string): Promise<boolean> {
  const answer = await fetch(`${baseUrl}/account`, {
    headers: { cookie: `adjutant_session=${cookie}` },
    redirect: "manual",
  });
  return answer.status === 200;
}

test("the session's cookie is out of scripts' and other sites' reach (PT-07)", async ({ page }) => {
  const seen: string[] = [];
  page.on("response", async (response) => {
    if (response.url().endsWith("/sign-in/key"))
      seen.push((await response.allHeaders())["set-cookie"] ?? "");
  });
  await signIn(page, "outsider");
  expect(await cookieOf(page)).toMatchObject({
    path: "/",
    httpOnly: true,
    sameSite: "Lax",
    domain: "localhost",
  });
  const value = (await cookieOf(page))?.value ?? "";
  // 128 bits are 22 characters of base64url.
  expect(value.length).toBeGreaterThanOrEqual(22);
  expect(seen).toEqual([
    expect.stringMatching(/^adjutant_session=[^;]+; Path=\/; Max-Age=\d+; HttpOnly; SameSite=Lax$/),
  ]);
  expect(await page.evaluate(() => document.cookie)).not.toContain("adjutant_session");
});

test("a sign-in gives a new session, and the one before it is dead (PT-08)", async ({
  page,
  product,
}) => {
  await page
    .context()
    .addCookies([{ name: "adjutant_session", value: "A".repeat(43), url: product.url }]);
  await signIn(page, "outsider");
  const first = (await cookieOf(page))?.value ?? "";
  expect(first).not.toBe("A".repeat(43));
  await page.goto("/sign-in");
  await signIn(page, "outsider");
  const second = (await cookieOf(page))?.value ?? "";
  expect(second).not.toBe(first);
  expect(await opens(product.url, first)).toBe(false);
  expect(await opens(product.url, second)).toBe(true);
});

test("signing out takes a form of ours, and ends the session on the server (PT-09)", async ({
  page,
  product,
}) => {
  await signIn(page, "outsider");
  const cookie = (await cookieOf(page))?.value ?? "";
  const signOut = (headers: Record<string, string>, form: Record<string, string>) =>
    page.request.post("/sign-out", { headers, form, maxRedirects: 0 });
  const csrf = await csrfOf(page);
  expect((await signOut({ origin: product.url }, {})).status()).toBe(403);
  expect((await signOut({ origin: "https://evil.test" }, { csrf })).status()).toBe(403);
  expect(
    (await signOut({ origin: product.url, "sec-fetch-site": "cross-site" }, { csrf })).status(),
  ).toBe(403);
  expect((await page.request.get("/sign-out", { maxRedirects: 0 })).status()).toBe(405);
  expect(await opens(product.url, cookie)).toBe(true);

  await page.getByText(demoPersonOf("outsider").name).first().click();
  await page.getByRole("button", { name: "Sign out" }).click();
  await page.waitForURL("/");
  await expect(page.getByRole("banner").getByRole("link", { name: "Sign in" })).toBeVisible();
  expect(await cookieOf(page)).toBeUndefined();
  expect(await opens(product.url, cookie)).toBe(false);
});

test("one sees where one is signed in, and ends it elsewhere (PT-16)", async ({
  page,
  newcomer,
}) => {
  const [phone, library] = [await newcomer(), await newcomer()];
  for (const browser of [phone, library, page]) await signIn(browser, "loner");
  await page.goto("/account/sessions");
  const rows = page.getByRole("table", { name: "Sessions" }).getByRole("row");
  const before = await rows.count();
  await expect(rows.filter({ hasText: "This browser" })).toHaveCount(1);
  await rows
    .filter({ hasNotText: "This browser" })
    .getByRole("button", { name: "End" })
    .first()
    .click();
  await expect(page.getByText("That browser is signed out.")).toBeVisible();
  await expect(rows).toHaveCount(before - 1);

  await page.locator("summary", { hasText: "End all other sessions" }).click();
  await page.getByRole("button", { name: "End all other sessions" }).click();
  await expect(rows).toHaveCount(2);
  for (const browser of [phone, library]) {
    await browser.goto("/account");
    expect(new URL(browser.url()).pathname).toBe("/sign-in");
  }
  await page.goto("/account");
  await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
});
