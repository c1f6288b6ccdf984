import { demoPerson, signIn } from "../support/sign-in";
import { expect, test } from "../support/test";

test("the playground runs the real flow in the browser, and calls the API (PKCE, hosted callback)", async ({
  page,
  product,
}) => {
  const exchanges: Record<string, string>[] = [];
  page.on("request", (request) => {
    if (new URL(request.url()).pathname === "/oauth/token")
      exchanges.push(Object.fromEntries(new URLSearchParams(request.postData() ?? "")));
  });
  // A player who has no public application yet.
  await signIn(page, "outsider");
  await page.goto("/developers/playground");
  await page.getByRole("button", { name: /Create .My playground/ }).click();
  await page.getByRole("button", { name: "Connect" }).click();

  await expect(page.getByRole("heading", { level: 1 })).toHaveText("My playground asks for access");
  // A public application can be imitated: whoever approves is told, and is asked each time (AZ-44).
  await expect(page.getByText("Make sure that you started this")).toBeVisible();
  await page.getByRole("button", { name: "Approve" }).click();

  await page.waitForURL("/developers/playground**");
  await expect(page.getByText("Connected", { exact: true })).toBeVisible();
  expect(exchanges).toEqual([
    expect.objectContaining({
      grant_type: "authorization_code",
      code: expect.stringMatching(/^adj_ac_/),
      redirect_uri: expect.stringMatching(new RegExp(`^${product.url}/oauth/[^/]+/callback$`)),
      code_verifier: expect.stringMatching(/^[\w.~-]{43,128}$/),
    }),
  ]);
  expect(exchanges[0]).not.toHaveProperty("client_secret");

  await page.getByRole("button", { name: "Send" }).click();
  const answer = page.getByRole("region", { name: "Answer" });
  const { playerId, name } = demoPerson("outsider");
  await expect(answer).toContainText("200");
  await expect(answer).toContainText(`${name} [${playerId}]`);
  // Never through a JavaScript number: every digit arrives on the screen.
  await expect(answer).toContainText(/"chat_id": \d{16,}/);
  await expect(answer).toContainText("x-ratelimit-remaining");
});

test("the hosted callback shows a code to carry over, and tells nobody else", async ({ page }) => {
  const answer = await page.goto(`/oauth/${"0".repeat(32)}/callback?code=adj_ac_example&state=mine`);
  expect(await answer?.allHeaders()).toMatchObject({ "cache-control": expect.stringContaining("no-store") });
  await expect(page.locator('meta[name="referrer"]')).toHaveAttribute("content", "no-referrer");
  await expect(page.getByText("adj_ac_example")).toBeVisible();
  await expect(page.getByText("mine", { exact: true })).toBeVisible();
});
